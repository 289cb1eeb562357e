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
        "The request with this Idempotency-Key has completed; its answer has a secret "
            + "and is not stored");
  }

  static ServerException preconditionFailed(long wanted, long found) {
    return new ServerException(
        ServerErrorCode.PRECONDITION_FAILED,
        "Expected revision %d, found %s".formatted(wanted, found == 0 ? "no record" : found));
  }

  static ServerException preconditionUnsupported(String operation) {
    return new ServerException(
        ServerErrorCode.PRECONDITION_NOT_SUPPORTED,
        "'%s' does not support If-Match: it does not change one record in one commit"
            .formatted(operation));
  }

  static ServerException notTransactional(String operation) {
    return new ServerException(
        ServerErrorCode.NOT_ALLOWED_IN_COMMIT,
        "'%s' cannot be a step of a commit: it does not write in one commit".formatted(operation));
  }

  static ServerException rightMissing(String operation, AccessRight wanted) {
    return new ServerException(
        ServerErrorCode.RIGHT_MISSING,
        "'%s' needs the right '%s'".formatted(operation, wanted.name().toLowerCase(Locale.ROOT)));
  }

  public static ServerException agentDenied(String agent) {
    return new ServerException(
        ServerErrorCode.AGENT_DENIED, "This key may not act as agent '%s'".formatted(agent));
  }

  /** Returns a refusal that reveals nothing about the other subject, not even its existence. */
  static ServerException subjectDenied() {
    return new ServerException(
        ServerErrorCode.SUBJECT_DENIED,
        "This call is limited to one subject and cannot name another subject");
  }

  static ServerException notForSubjects(String wanted) {
    return new ServerException(
        ServerErrorCode.SUBJECT_DENIED,
        "'%s' concerns a whole space, but this call is limited to one subject".formatted(wanted));
  }

  static ServerException sessionTaken(String session) {
    return new ServerException(
        ServerErrorCode.SUBJECT_DENIED,
        "Session '%s' is not limited to the subject of this call. Choose another name."
            .formatted(session));
  }

  static ServerException turnNameTaken(String name) {
    return new ServerException(
        ServerErrorCode.SUBJECT_DENIED,
        "The external_id '%s' is in use by a turn of another subject. Choose another one."
            .formatted(name));
  }

  static ServerException sharedRecord(String table, String key) {
    return new ServerException(
        ServerErrorCode.SUBJECT_DENIED,
        "The %s '%s' belongs to the whole space, but this call is limited to one subject"
            .formatted(table, key));
  }

  public static ServerException reservedSpace(SpaceId space) {
    return new ServerException(
        ServerErrorCode.SPACE_RESERVED,
        "The space '%s' is reserved for the server".formatted(space));
  }

  public static ServerException spaceDenied(SpaceId space) {
    return new ServerException(
        ServerErrorCode.SPACE_DENIED, "This key is not valid for the space '%s'".formatted(space));
  }

  public static ServerException allSpacesRequired() {
    return new ServerException(
        ServerErrorCode.SPACE_DENIED,
        "This request needs a key for all spaces, but its key is limited to some");
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
        ServerErrorCode.API_KEY_NOT_FOUND, "There is no key '%s'".formatted(id));
  }

  public static ServerException keysRequired(String host) {
    return new ServerException(
        ServerErrorCode.NO_API_KEYS,
        "Cannot listen at '%s': other machines can reach it, and there is no API key yet"
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
        "Cannot listen at %s:%d: the port is in use".formatted(host, port));
  }

  public static ServerException hostRefused() {
    return new ServerException(
        ServerErrorCode.HOST_NOT_ALLOWED, "The Host header is not a name of this server");
  }

  public static ServerException originRefused() {
    return new ServerException(
        ServerErrorCode.ORIGIN_NOT_ALLOWED, "The Origin header is not a page of this server");
  }

  public static ServerException csrfTokenMissing() {
    return new ServerException(
        ServerErrorCode.CSRF_TOKEN_MISSING, "The login cookie came without the login's token");
  }

  public static ServerException unknownRoute(String path) {
    return new ServerException(ServerErrorCode.UNKNOWN_ROUTE, "Unknown path '%s'".formatted(path));
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
        "The body is too large: expected at most %d bytes".formatted(limit));
  }

  public static ServerException headTooLarge() {
    return new ServerException(
        ServerErrorCode.HEADERS_TOO_LARGE, "The request line and the headers are too long");
  }

  public static ServerException headTooSlow() {
    return new ServerException(
        ServerErrorCode.HEADERS_TOO_SLOW,
        "The head of the request was not complete within server.limits.header-timeout");
  }

  public static ServerException methodUnknown() {
    return new ServerException(
        ServerErrorCode.METHOD_NOT_ALLOWED, "The server does not know this HTTP method");
  }

  /** Returns the error of a request whose client has closed the connection. */
  public static ServerException clientLeft() {
    return new ServerException(
        ServerErrorCode.CLIENT_DISCONNECTED, "The client closed the connection before its answer");
  }

  public static ServerException tooManyRequests(Duration wait) {
    return retryLater(
        ServerErrorCode.TOO_MANY_REQUESTS, "This key has used up its rate of requests", wait);
  }

  public static ServerException overloaded(String limit, Duration wait) {
    return retryLater(ServerErrorCode.OVERLOADED, "The limit %s is reached".formatted(limit), wait);
  }

  public static ServerException serverStopping(Duration wait) {
    return retryLater(ServerErrorCode.OVERLOADED, "The server is stopping", wait);
  }

  public static ServerException bodyTooSlow() {
    return new ServerException(
        ServerErrorCode.BODY_TOO_SLOW, "The body arrived too slowly, and only a part of it");
  }

  public static ServerException bodyIncomplete() {
    return new ServerException(ServerErrorCode.INVALID_INPUT, "The body is incomplete");
  }

  /** Returns the error of a request that was abandoned for lack of memory, which is free again. */
  public static ServerException outOfMemory(Duration wait) {
    return retryLater(
        ServerErrorCode.OUT_OF_MEMORY, "The server ran out of memory for this request", wait);
  }

  /** Returns the error for unexpected failures: only the log has the cause. */
  public static ServerException internalError() {
    return new ServerException(ServerErrorCode.INTERNAL, "An internal error occurred");
  }

  private static ServerException retryLater(ServerErrorCode code, String message, Duration wait) {
    return new ServerException(code, message, code.advice(), "", Optional.of(wait));
  }
}
