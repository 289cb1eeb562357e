package dev.caliber.server.operation;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.SpaceId;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/** What the server refused, and where in the input the reason is. */
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

  /** The place in the input, as a JSON pointer; empty if it is about the whole. */
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

  /** What is to be written down once the commit is gone that it refused, if its part said so. */
  Optional<Runnable> trace() {
    return trace;
  }

  /** The error of a part, with the place of that part before its own. */
  public static ServerException at(String place, CaliberException error) {
    return at(place, error, Optional.empty());
  }

  /** The same, and what is to be written down of it afterwards. */
  static ServerException at(String place, CaliberException error, Runnable trace) {
    return at(place, error, Optional.of(trace));
  }

  private static ServerException at(
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

  static ServerException keyReused() {
    return new ServerException(
        ServerErrorCode.IDEMPOTENCY_KEY_REUSED,
        "Wanted the request that this Idempotency-Key was first sent with, found another");
  }

  static ServerException inProgress(Duration wait) {
    return waiting(
        ServerErrorCode.REQUEST_IN_PROGRESS,
        "The request with this Idempotency-Key is still being worked on",
        wait);
  }

  static ServerException answerNotKept() {
    return new ServerException(
        ServerErrorCode.ANSWER_NOT_KEPT,
        "The request with this Idempotency-Key was done; its answer holds a secret and is not kept");
  }

  static ServerException preconditionFailed(long wanted, long found) {
    return new ServerException(
        ServerErrorCode.PRECONDITION_FAILED,
        "Wanted revision %d, found %s".formatted(wanted, found == 0 ? "nothing" : found));
  }

  static ServerException noPrecondition(String operation) {
    return new ServerException(
        ServerErrorCode.PRECONDITION_NOT_SUPPORTED,
        "'%s' does not change one record in one commit, which could be insisted on"
            .formatted(operation));
  }

  static ServerException notInACommit(String operation) {
    return new ServerException(
        ServerErrorCode.NOT_IN_A_COMMIT,
        "'%s' does not write in one commit, so that it cannot be part of one".formatted(operation));
  }

  static ServerException rightMissing(String operation, Right wanted) {
    return new ServerException(
        ServerErrorCode.RIGHT_MISSING,
        "'%s' needs the right '%s'".formatted(operation, wanted.name().toLowerCase(Locale.ROOT)));
  }

  public static ServerException agentDenied(String agent) {
    return new ServerException(
        ServerErrorCode.AGENT_DENIED, "This key does not act as '%s'".formatted(agent));
  }

  /** Says nothing about the other subject, not even whether it is there. */
  static ServerException subjectDenied() {
    return new ServerException(
        ServerErrorCode.SUBJECT_DENIED,
        "This call is limited to one subject and cannot name another subject");
  }

  static ServerException notForSubjects(String wanted) {
    return new ServerException(
        ServerErrorCode.SUBJECT_DENIED,
        "'%s' tells of a whole space, and this call is limited to one subject".formatted(wanted));
  }

  static ServerException sessionTaken(String session) {
    return new ServerException(
        ServerErrorCode.SUBJECT_DENIED,
        "Session '%s' is in use, and not for the subject of this call alone; choose another name"
            .formatted(session));
  }

  static ServerException turnNameTaken(String name) {
    return new ServerException(
        ServerErrorCode.SUBJECT_DENIED,
        "A turn of another subject has the external_id '%s'; choose another".formatted(name));
  }

  static ServerException sharedRecord(String table, String key) {
    return new ServerException(
        ServerErrorCode.SUBJECT_DENIED,
        "The %s '%s' belongs to the whole space, and this call is limited to one subject"
            .formatted(table, key));
  }

  public static ServerException reserved(SpaceId space) {
    return new ServerException(
        ServerErrorCode.SPACE_RESERVED, "The space '%s' is the server's own".formatted(space));
  }

  public static ServerException spaceDenied(SpaceId space) {
    return new ServerException(
        ServerErrorCode.SPACE_DENIED, "This key is not for the space '%s'".formatted(space));
  }

  public static ServerException allSpacesWanted() {
    return new ServerException(
        ServerErrorCode.SPACE_DENIED, "Wanted a key for all spaces, found one for some");
  }

  public static ServerException keyMissing() {
    return new ServerException(ServerErrorCode.KEY_MISSING, "Wanted an API key, found none");
  }

  public static ServerException keyRefused() {
    return new ServerException(
        ServerErrorCode.KEY_REFUSED, "Wanted a key of this server, found another");
  }

  public static ServerException unknownKey(String id) {
    return new ServerException(ServerErrorCode.UNKNOWN_KEY, "There is no key '%s'".formatted(id));
  }

  public static ServerException noKeys(String host) {
    return new ServerException(
        ServerErrorCode.NO_KEYS,
        "Wanted an API key before listening at '%s', found none".formatted(host));
  }

  public static ServerException tlsRefused(String reason) {
    return new ServerException(
        ServerErrorCode.TLS_REFUSED, "The files of server.tls cannot be used: " + reason);
  }

  public static ServerException portInUse(String host, int port) {
    return new ServerException(
        ServerErrorCode.PORT_IN_USE, "Something listens at %s:%d already".formatted(host, port));
  }

  public static ServerException hostRefused() {
    return new ServerException(
        ServerErrorCode.HOST_REFUSED, "Wanted a Host header with a name of this server");
  }

  public static ServerException originRefused() {
    return new ServerException(
        ServerErrorCode.ORIGIN_REFUSED, "Wanted a page of this server, found another Origin");
  }

  public static ServerException csrfTokenMissing() {
    return new ServerException(
        ServerErrorCode.CSRF_TOKEN_MISSING, "Wanted the login's token beside its cookie");
  }

  public static ServerException unknownRoute(String path) {
    return new ServerException(
        ServerErrorCode.UNKNOWN_ROUTE, "There is nothing at '%s'".formatted(path));
  }

  public static ServerException methodNotAllowed(String method) {
    return new ServerException(
        ServerErrorCode.METHOD_NOT_ALLOWED, "'%s' cannot be asked for here".formatted(method));
  }

  public static ServerException unsupportedMediaType(String wanted) {
    return new ServerException(
        ServerErrorCode.UNSUPPORTED_MEDIA_TYPE, "Wanted %s, found another type".formatted(wanted));
  }

  public static ServerException bodyTooLarge(long limit) {
    return new ServerException(
        ServerErrorCode.BODY_TOO_LARGE, "Wanted at most %d bytes, found more".formatted(limit));
  }

  public static ServerException headTooLarge() {
    return new ServerException(
        ServerErrorCode.HEAD_TOO_LARGE, "Wanted a request line and headers of less length");
  }

  public static ServerException headTooSlow() {
    return new ServerException(
        ServerErrorCode.HEAD_TOO_SLOW,
        "Wanted all headers within server.limits.head, found a part");
  }

  public static ServerException methodUnknown() {
    return new ServerException(
        ServerErrorCode.METHOD_NOT_ALLOWED, "Wanted a method of this server, found another");
  }

  /** The work of a request ends with its connection. */
  public static ServerException clientLeft() {
    return new ServerException(
        ServerErrorCode.CLIENT_LEFT, "The client has closed the connection before its answer");
  }

  public static ServerException tooManyRequests(Duration wait) {
    return waiting(ServerErrorCode.TOO_MANY_REQUESTS, "This key has used up its rate", wait);
  }

  public static ServerException overloaded(String limit, Duration wait) {
    return waiting(ServerErrorCode.OVERLOADED, "%s is reached".formatted(limit), wait);
  }

  public static ServerException stopping(Duration wait) {
    return waiting(ServerErrorCode.OVERLOADED, "The server stops", wait);
  }

  public static ServerException bodyTooSlow() {
    return new ServerException(
        ServerErrorCode.BODY_TOO_SLOW, "Wanted a body within its time, found a part of it");
  }

  public static ServerException bodyIncomplete() {
    return new ServerException(
        ServerErrorCode.INVALID_INPUT, "Wanted a whole body, found a part of it");
  }

  /** This request is given up, and what it held is free again. */
  public static ServerException outOfMemory(Duration wait) {
    return waiting(
        ServerErrorCode.OUT_OF_MEMORY, "The server has no memory left for this request", wait);
  }

  /** Whatever it was; the log has it, the caller does not. */
  public static ServerException internal() {
    return new ServerException(ServerErrorCode.INTERNAL, "Something broke here");
  }

  private static ServerException waiting(ServerErrorCode code, String message, Duration wait) {
    return new ServerException(code, message, code.advice(), "", Optional.of(wait));
  }
}
