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
  BODY_TOO_LARGE(ErrorKind.LIMIT, "Send less in one request, or raise server.limits.body-size."),
  BODY_TOO_SLOW(
      ErrorKind.LIMIT,
      "Send the body faster; server.limits.min-body-rate is the lowest allowed rate."),
  HEADERS_TOO_LARGE(ErrorKind.LIMIT, "Send a shorter URL, and fewer or shorter headers."),
  HEADERS_TOO_SLOW(
      ErrorKind.LIMIT,
      "Send the request line and the headers at once; server.limits.header-timeout is the time limit."),
  CLIENT_DISCONNECTED(ErrorKind.UNAVAILABLE, "Keep the connection open until the answer arrives."),
  IDEMPOTENCY_KEY_REUSED(ErrorKind.CONFLICT, "Use a new Idempotency-Key for a new request."),
  REQUEST_IN_PROGRESS(ErrorKind.CONFLICT, "Retry after the time in Retry-After."),
  RESPONSE_NOT_STORED(ErrorKind.CONFLICT, "Use a new Idempotency-Key to run the request again."),
  PRECONDITION_FAILED(ErrorKind.CONFLICT, "Read the record again, then retry with its revision."),
  PRECONDITION_NOT_SUPPORTED(ErrorKind.INVALID, "Send the request without If-Match."),
  NOT_ALLOWED_IN_COMMIT(
      ErrorKind.INVALID, "Send the operation as a request of its own, outside of commit."),
  API_KEY_MISSING(ErrorKind.DENIED, "Send the header 'Authorization: Bearer KEY' with an API key."),
  API_KEY_INVALID(ErrorKind.DENIED, "Check the API key; it may have been revoked or have expired."),
  RIGHT_MISSING(ErrorKind.DENIED, "Use an API key with this right."),
  SPACE_DENIED(ErrorKind.DENIED, "Use an API key for this space."),
  AGENT_DENIED(
      ErrorKind.DENIED,
      "Send the request without the header Caliber-Agent, or use an API key for this agent."),
  SUBJECT_DENIED(
      ErrorKind.DENIED,
      "Name the subject of the API key or no subject, or use an API key without a subject."),
  SPACE_RESERVED(ErrorKind.DENIED, "Use another space."),
  API_KEY_NOT_FOUND(ErrorKind.NOT_FOUND, "List the API keys to see their ids."),
  HOST_NOT_ALLOWED(
      ErrorKind.DENIED, "If the name belongs to this server, add it to server.allowed-hosts."),
  ORIGIN_NOT_ALLOWED(
      ErrorKind.DENIED, "Send the request from a web page that this server has served."),
  CSRF_TOKEN_MISSING(
      ErrorKind.DENIED, "Send the token from the answer of the login in the header Caliber-Csrf."),
  TOO_MANY_REQUESTS(ErrorKind.UNAVAILABLE, "Retry after the time in Retry-After."),
  OVERLOADED(ErrorKind.UNAVAILABLE, "Retry after the time in Retry-After."),
  OUT_OF_MEMORY(
      ErrorKind.UNAVAILABLE, "Send less in one request, or give the server more memory (-Xmx)."),
  NO_API_KEYS(ErrorKind.DENIED, "Create a key with 'caliber keys create', or listen at 127.0.0.1."),
  TLS_CONFIGURATION_INVALID(
      ErrorKind.INVALID,
      "Name a PEM file with a certificate and a PEM file with its private key in server.tls."),
  PORT_IN_USE(
      ErrorKind.CONFLICT, "Choose another port with --port, or stop the process that uses it."),
  INTERNAL(
      ErrorKind.INTERNAL,
      "Read the cause in the log of the server, under the request id of this response.");

  private final ErrorTraits traits;

  ServerErrorCode(ErrorKind kind, String... advice) {
    this.traits = ErrorTraits.of(ErrorFamily.VALIDATION, kind, advice);
  }

  @Override
  public ErrorTraits traits() {
    return traits;
  }
}
