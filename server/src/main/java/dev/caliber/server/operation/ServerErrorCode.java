package dev.caliber.server.operation;

import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.ErrorFamily;
import dev.caliber.kernel.ErrorKind;
import dev.caliber.kernel.ErrorTraits;

/** The errors of the server itself. */
public enum ServerErrorCode implements ErrorCode {
  UNKNOWN_OPERATION(ErrorKind.NOT_FOUND, "See /openapi.yaml for all operations."),
  UNKNOWN_ROUTE(ErrorKind.NOT_FOUND, "See /openapi.yaml for all operations."),
  METHOD_NOT_ALLOWED(ErrorKind.INVALID, "See /openapi.yaml for all operations."),
  INVALID_INPUT(ErrorKind.INVALID, "See /openapi.yaml for the expected input."),
  UNSUPPORTED_MEDIA_TYPE(ErrorKind.INVALID, "Send application/json."),
  BODY_TOO_LARGE(ErrorKind.LIMIT, "Send less at a time; server.limits.body-size is the limit."),
  BODY_TOO_SLOW(
      ErrorKind.LIMIT, "Send the body faster; server.limits.min-body-rate is the lowest rate."),
  HEADERS_TOO_LARGE(ErrorKind.LIMIT, "Send a shorter address and fewer or shorter headers."),
  HEADERS_TOO_SLOW(
      ErrorKind.LIMIT,
      "Send the head of a request at once; server.limits.header-timeout is the time limit."),
  CLIENT_DISCONNECTED(ErrorKind.UNAVAILABLE, "Wait for the answer."),
  IDEMPOTENCY_KEY_REUSED(ErrorKind.CONFLICT, "Use a new Idempotency-Key for a new request."),
  REQUEST_IN_PROGRESS(ErrorKind.CONFLICT, "Retry after the time in Retry-After."),
  RESPONSE_NOT_STORED(ErrorKind.CONFLICT, "Use a new Idempotency-Key to run it again."),
  PRECONDITION_FAILED(ErrorKind.CONFLICT, "Read the record again, then retry with its revision."),
  PRECONDITION_NOT_SUPPORTED(ErrorKind.INVALID, "Leave out If-Match."),
  NOT_ALLOWED_IN_COMMIT(ErrorKind.INVALID, "Send it as a request of its own."),
  API_KEY_MISSING(ErrorKind.DENIED, "Send 'Authorization: Bearer' and an API key."),
  API_KEY_INVALID(ErrorKind.DENIED, "Check the key; it may have been revoked."),
  RIGHT_MISSING(ErrorKind.DENIED, "Use a key with that right."),
  SPACE_DENIED(ErrorKind.DENIED, "Use a key for that space."),
  AGENT_DENIED(ErrorKind.DENIED, "Leave out Caliber-Agent, or use a key for that agent."),
  SUBJECT_DENIED(
      ErrorKind.DENIED, "Name the subject of this key or none, or use a key without a subject."),
  SPACE_RESERVED(ErrorKind.DENIED, "Choose another name."),
  API_KEY_NOT_FOUND(ErrorKind.NOT_FOUND, "List the keys to see their ids."),
  HOST_NOT_ALLOWED(
      ErrorKind.DENIED, "Add the name to server.allowed-hosts if it is this server's."),
  ORIGIN_NOT_ALLOWED(ErrorKind.DENIED, "Call from a page of this server."),
  CSRF_TOKEN_MISSING(ErrorKind.DENIED, "Send the token of the login as Caliber-Csrf."),
  TOO_MANY_REQUESTS(ErrorKind.UNAVAILABLE, "Retry after the time in Retry-After."),
  OVERLOADED(ErrorKind.UNAVAILABLE, "Retry after the time in Retry-After."),
  OUT_OF_MEMORY(
      ErrorKind.UNAVAILABLE, "Send less at a time, or give the server more memory (-Xmx)."),
  NO_API_KEYS(ErrorKind.DENIED, "Create a key with 'caliber keys create', or listen at 127.0.0.1."),
  TLS_CONFIGURATION_INVALID(
      ErrorKind.INVALID, "Name a certificate and its key in PEM with server.tls."),
  PORT_IN_USE(
      ErrorKind.CONFLICT, "Choose another port with --port, or stop the process that uses it."),
  INTERNAL(ErrorKind.INTERNAL, "The server's log has the cause.");

  private final ErrorTraits traits;

  ServerErrorCode(ErrorKind kind, String... advice) {
    this.traits = ErrorTraits.of(ErrorFamily.VALIDATION, kind, advice);
  }

  @Override
  public ErrorTraits traits() {
    return traits;
  }
}
