package dev.caliber.server.operation;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.SpaceId;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/** An error of the server itself, with the place in the input that caused it. */
@SuppressWarnings("serial") // never serialised
public final class ServerException extends CaliberException {
  private final String pointer;
  private final Optional<Duration> wait;
  private final Optional<Runnable> trace;

  private ServerException(ServerErrorCode code, String message) {
    this(code, message, code.advice(), "", Optional.empty());
  }

  private ServerException(
      ErrorCode code, String message, String advice, String pointer, Optional<Duration> wait) {
    this(code, message, advice, pointer, wait, Optional.empty());
  }

  private ServerException(
      ErrorCode code,
      String message,
      String advice,
      String pointer,
      Optional<Duration> wait,
      Optional<Runnable> trace) {
    super(code, message, advice);
    this.pointer = pointer;
    this.wait = wait;
    this.trace = trace;
  }

  /** The place in the input, as a JSON pointer; empty if the error concerns the whole input. */
  public Optional<String> pointer() {
    return Optional.of(pointer).filter(place -> !place.isEmpty());
  }

  @Override
  public Optional<Duration> retryAfter() {
    return wait;
  }

  static ServerException unknownOperation(String name) {
    return new ServerException(
        ServerErrorCode.UNKNOWN_OPERATION, "There is no operation '%s'".formatted(name));
  }

  /** The trace to write after the refused commit has ended, if the refusing part provides one. */
  Optional<Runnable> refusalTrace() {
    return trace;
  }

  /** Returns the error of a part, with the part's place prepended to its own. */
  public static ServerException inPart(String place, CaliberException error) {
    return inPart(place, error, Optional.empty());
  }

  /** Returns the error of a part, with a trace to write afterwards. */
  static ServerException inPart(String place, CaliberException error, Runnable trace) {
    return inPart(place, error, Optional.of(trace));
  }

  private static ServerException inPart(
      String place, CaliberException error, Optional<Runnable> trace) {
    String inner = error instanceof ServerException known ? known.pointer().orElse("") : "";
    ServerException moved =
        new ServerException(
            error.code(),
            error.message(),
            error.advice().orElse(""),
            place + inner,
            error.retryAfter(),
            trace);
    moved.initCause(error);
    return moved;
  }

  public static ServerException invalidInput(String pointer, String reason) {
    return new ServerException(
        ServerErrorCode.INVALID_INPUT,
        reason,
        ServerErrorCode.INVALID_INPUT.advice(),
        pointer,
        Optional.empty());
  }

  static ServerException idempotencyKeyReused() {
    return new ServerException(
        ServerErrorCode.IDEMPOTENCY_KEY_REUSED,
        "This Idempotency-Key was already used for a different request");
  }

  static ServerException requestInProgress(Duration wait) {
    return retryLater(
        ServerErrorCode.REQUEST_IN_PROGRESS,
        "The request with this Idempotency-Key is still running",
        wait);
  }

  static ServerException answerNotStored() {
    return new ServerException(
        ServerErrorCode.RESPONSE_NOT_STORED,
        "The answer cannot be repeated: the request with this Idempotency-Key has completed, and its answer contained a secret, which is not stored");
  }

  static ServerException preconditionFailed(long wanted, long found) {
    return new ServerException(
        ServerErrorCode.PRECONDITION_FAILED,
        "The record was not changed: If-Match expects revision %d, found %s"
            .formatted(wanted, found == 0 ? "no record" : found));
  }

  static ServerException preconditionUnsupported(String operation) {
    return new ServerException(
        ServerErrorCode.PRECONDITION_NOT_SUPPORTED,
        "The operation '%s' does not support If-Match, because it does not change exactly one record in one commit"
            .formatted(operation));
  }

  static ServerException notTransactional(String operation) {
    return new ServerException(
        ServerErrorCode.NOT_ALLOWED_IN_COMMIT,
        "The operation '%s' cannot be a step of a commit, because it needs several commits or writes nothing"
            .formatted(operation));
  }

  static ServerException rightMissing(String operation, AccessRight wanted) {
    return new ServerException(
        ServerErrorCode.RIGHT_MISSING,
        "The operation '%s' needs an API key with the right '%s'"
            .formatted(operation, wanted.name().toLowerCase(Locale.ROOT)));
  }

  public static ServerException agentDenied(String agent) {
    return new ServerException(
        ServerErrorCode.AGENT_DENIED, "The API key may not act as agent '%s'".formatted(agent));
  }

  /** Returns a refusal that reveals nothing about the other subject, not even its existence. */
  static ServerException subjectDenied() {
    return new ServerException(
        ServerErrorCode.SUBJECT_DENIED,
        "The call is limited to one subject, but the request names another subject");
  }

  static ServerException notForSubjects(String wanted) {
    return new ServerException(
        ServerErrorCode.SUBJECT_DENIED,
        "'%s' works on a whole space, but the call is limited to one subject".formatted(wanted));
  }

  static ServerException sessionTaken(String session) {
    return new ServerException(
        ServerErrorCode.SUBJECT_DENIED,
        "Session '%s' cannot be used: the name belongs to a session that the subject of this call may not write. Choose another session name."
            .formatted(session));
  }

  static ServerException turnNameTaken(String name) {
    return new ServerException(
        ServerErrorCode.SUBJECT_DENIED,
        "The external_id '%s' cannot be used: a turn of another subject has it. Choose another external_id."
            .formatted(name));
  }

  static ServerException sharedRecord(String table, String key) {
    return new ServerException(
        ServerErrorCode.SUBJECT_DENIED,
        "The %s '%s' cannot be changed: it belongs to the whole space, but the call is limited to one subject"
            .formatted(table, key));
  }

  public static ServerException reservedSpace(SpaceId space) {
    return new ServerException(
        ServerErrorCode.SPACE_RESERVED,
        "The space '%s' cannot be used: it is reserved for the server itself".formatted(space));
  }

  public static ServerException spaceDenied(SpaceId space) {
    return new ServerException(
        ServerErrorCode.SPACE_DENIED,
        "The API key is not valid for the space '%s'".formatted(space));
  }

  public static ServerException allSpacesRequired() {
    return new ServerException(
        ServerErrorCode.SPACE_DENIED,
        "The request needs an API key for all spaces, but its API key is limited to some spaces");
  }

  public static ServerException keyMissing() {
    return new ServerException(ServerErrorCode.API_KEY_MISSING, "The request has no API key");
  }

  public static ServerException keyRefused() {
    return new ServerException(
        ServerErrorCode.API_KEY_INVALID, "The API key is not known to this server");
  }

  public static ServerException unknownKey(String id) {
    return new ServerException(
        ServerErrorCode.API_KEY_NOT_FOUND, "There is no API key '%s'".formatted(id));
  }

  public static ServerException keysRequired(String host) {
    return new ServerException(
        ServerErrorCode.NO_API_KEYS,
        "The server cannot listen at '%s': other machines can reach this address, and there is no API key yet"
            .formatted(host));
  }

  public static ServerException tlsRefused(String reason) {
    return new ServerException(
        ServerErrorCode.TLS_CONFIGURATION_INVALID,
        "The files of server.tls cannot be used: " + reason);
  }

  public static ServerException portInUse(String host, int port) {
    return new ServerException(
        ServerErrorCode.PORT_IN_USE,
        "The server cannot listen at %s:%d: another process uses the port".formatted(host, port));
  }

  public static ServerException hostRefused() {
    return new ServerException(
        ServerErrorCode.HOST_NOT_ALLOWED, "The header Host does not hold a name of this server");
  }

  public static ServerException originRefused() {
    return new ServerException(
        ServerErrorCode.ORIGIN_NOT_ALLOWED,
        "The header Origin shows that the request comes from a web page of another server");
  }

  public static ServerException csrfTokenMissing() {
    return new ServerException(
        ServerErrorCode.CSRF_TOKEN_MISSING,
        "The request has a login cookie, but not the token of the login");
  }

  public static ServerException unknownRoute(String path) {
    return new ServerException(
        ServerErrorCode.UNKNOWN_ROUTE, "There is no path '%s' on this server".formatted(path));
  }

  public static ServerException methodNotAllowed(String method) {
    return new ServerException(
        ServerErrorCode.METHOD_NOT_ALLOWED,
        "This path does not support the method '%s'".formatted(method));
  }

  public static ServerException unsupportedMediaType(String wanted) {
    return new ServerException(
        ServerErrorCode.UNSUPPORTED_MEDIA_TYPE,
        "Unsupported content type: expected %s".formatted(wanted));
  }

  public static ServerException bodyTooLarge(long limit) {
    return new ServerException(
        ServerErrorCode.BODY_TOO_LARGE,
        "The body of the request is too large: expected at most %d bytes".formatted(limit));
  }

  public static ServerException headTooLarge() {
    return new ServerException(
        ServerErrorCode.HEADERS_TOO_LARGE, "The request line and the headers are too long");
  }

  public static ServerException headTooSlow() {
    return new ServerException(
        ServerErrorCode.HEADERS_TOO_SLOW,
        "The request line and the headers did not arrive within server.limits.header-timeout");
  }

  public static ServerException methodUnknown() {
    return new ServerException(
        ServerErrorCode.METHOD_NOT_ALLOWED, "The server does not know this HTTP method");
  }

  /** Returns the error of a request whose client has closed the connection. */
  public static ServerException clientLeft() {
    return new ServerException(
        ServerErrorCode.CLIENT_DISCONNECTED,
        "The client closed the connection before the answer was sent");
  }

  public static ServerException tooManyRequests(Duration wait) {
    return retryLater(
        ServerErrorCode.TOO_MANY_REQUESTS,
        "The API key has sent too many requests (server.limits.requests-per-second, server.limits.burst)",
        wait);
  }

  public static ServerException overloaded(String limit, Duration wait) {
    return retryLater(
        ServerErrorCode.OVERLOADED,
        "The server is busy: the limit %s is reached".formatted(limit),
        wait);
  }

  public static ServerException serverStopping(Duration wait) {
    return retryLater(
        ServerErrorCode.OVERLOADED,
        "The request was refused, because the server is stopping",
        wait);
  }

  public static ServerException bodyTooSlow() {
    return new ServerException(
        ServerErrorCode.BODY_TOO_SLOW,
        "The body of the request arrived too slowly and is incomplete");
  }

  public static ServerException bodyIncomplete() {
    return new ServerException(
        ServerErrorCode.INVALID_INPUT, "The body of the request is incomplete");
  }

  /** Returns the error of a request that was abandoned for lack of memory, which is free again. */
  public static ServerException outOfMemory(Duration wait) {
    return retryLater(
        ServerErrorCode.OUT_OF_MEMORY,
        "The request was stopped, because the server ran out of memory",
        wait);
  }

  /** Returns the error for unexpected failures: only the log has the cause. */
  public static ServerException internalError() {
    return new ServerException(
        ServerErrorCode.INTERNAL, "The request failed because of an internal error");
  }

  private static ServerException retryLater(ServerErrorCode code, String message, Duration wait) {
    return new ServerException(code, message, code.advice(), "", Optional.of(wait));
  }
}
