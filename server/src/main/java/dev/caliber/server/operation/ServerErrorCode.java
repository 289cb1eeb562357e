package dev.caliber.server.operation;

import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.ErrorFamily;
import dev.caliber.kernel.ErrorKind;

/** Everything that the server itself refuses. */
public enum ServerErrorCode implements ErrorCode {
  UNKNOWN_OPERATION(ErrorKind.NOT_FOUND, "See /openapi.yaml for what there is."),
  UNKNOWN_ROUTE(ErrorKind.NOT_FOUND, "See /openapi.yaml for what there is."),
  METHOD_NOT_ALLOWED(ErrorKind.INVALID, "See /openapi.yaml for what there is."),
  INVALID_INPUT(ErrorKind.INVALID, "See /openapi.yaml for the shape that is wanted."),
  UNSUPPORTED_MEDIA_TYPE(ErrorKind.INVALID, "Send application/json."),
  BODY_TOO_LARGE(ErrorKind.LIMIT, "Send less at a time; server.limits.body says how much."),
  BODY_TOO_SLOW(ErrorKind.LIMIT, "Send it faster; server.limits.slowest says how fast."),
  HEAD_TOO_LARGE(ErrorKind.LIMIT, "Send a shorter address and fewer or shorter headers."),
  HEAD_TOO_SLOW(
      ErrorKind.LIMIT, "Send the head of a request at once; server.limits.head bounds it."),
  CLIENT_LEFT(ErrorKind.UNAVAILABLE, "Wait for the answer."),
  IDEMPOTENCY_KEY_REUSED(ErrorKind.CONFLICT, "Take a new key for a new request."),
  REQUEST_IN_PROGRESS(ErrorKind.CONFLICT, "Ask again as long after as Retry-After says."),
  ANSWER_NOT_KEPT(ErrorKind.CONFLICT, "Take a new key to do it again."),
  PRECONDITION_FAILED(ErrorKind.CONFLICT, "Read it again and decide anew."),
  PRECONDITION_NOT_SUPPORTED(ErrorKind.INVALID, "Leave out If-Match."),
  NOT_IN_A_COMMIT(ErrorKind.INVALID, "Ask for it on its own."),
  KEY_MISSING(ErrorKind.DENIED, "Send 'Authorization: Bearer' and an API key."),
  KEY_REFUSED(ErrorKind.DENIED, "Check the key; it may have been revoked."),
  RIGHT_MISSING(ErrorKind.DENIED, "Use a key with that right."),
  SPACE_DENIED(ErrorKind.DENIED, "Use a key for that space."),
  AGENT_DENIED(ErrorKind.DENIED, "Leave out Caliber-Agent, or use a key for that agent."),
  SUBJECT_DENIED(
      ErrorKind.DENIED, "Name the subject of this key or none, or use a key without a subject."),
  SPACE_RESERVED(ErrorKind.DENIED, "Choose another name."),
  UNKNOWN_KEY(ErrorKind.NOT_FOUND, "List the keys to see their ids."),
  HOST_REFUSED(ErrorKind.DENIED, "Add the name to server.names if it is this server's."),
  ORIGIN_REFUSED(ErrorKind.DENIED, "Call from a page of this server."),
  CSRF_TOKEN_MISSING(ErrorKind.DENIED, "Send the token of the login as Caliber-Csrf."),
  TOO_MANY_REQUESTS(ErrorKind.UNAVAILABLE, "Wait as long as Retry-After says."),
  OVERLOADED(ErrorKind.UNAVAILABLE, "Wait as long as Retry-After says."),
  OUT_OF_MEMORY(
      ErrorKind.UNAVAILABLE, "Send less at a time, or give the server more memory (-Xmx)."),
  NO_KEYS(ErrorKind.DENIED, "Make one with 'caliber keys create', or listen at 127.0.0.1."),
  TLS_REFUSED(ErrorKind.INVALID, "Name a certificate and its key in PEM with server.tls."),
  PORT_IN_USE(ErrorKind.CONFLICT, "Choose another with --port, or stop what listens there."),
  INTERNAL(ErrorKind.INTERNAL, "The server's log has the cause.");

  private final ErrorKind kind;
  private final String advice;

  ServerErrorCode(ErrorKind kind, String advice) {
    this.kind = kind;
    this.advice = advice;
  }

  /** What to do about it. */
  String advice() {
    return advice;
  }

  @Override
  public ErrorFamily family() {
    return ErrorFamily.VALIDATION;
  }

  @Override
  public ErrorKind kind() {
    return kind;
  }
}
