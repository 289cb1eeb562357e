package dev.caliber.client;

import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A refusal of the server, or the reason why the server was not reached. */
@SuppressWarnings("serial") // never serialised
public final class CaliberClientException extends RuntimeException {
  /** The {@link #status} of a request that did not reach the server. */
  public static final int UNREACHABLE = 0;

  private static final String UNKNOWN = "UNKNOWN";

  private final int status;
  private final JsonNode problem;
  private final Optional<Duration> retryAfter;

  private CaliberClientException(
      int status, JsonNode problem, Optional<Duration> retryAfter, String message) {
    super(message);
    this.status = status;
    this.problem = problem;
    this.retryAfter = retryAfter;
  }

  static CaliberClientException of(HttpResponse<byte[]> answer) {
    JsonNode problem = readBody(answer.body());
    return new CaliberClientException(
        answer.statusCode(),
        problem,
        answer.headers().firstValue("Retry-After").flatMap(CaliberClientException::parseSeconds),
        problem.path("detail").asString("The server answered " + answer.statusCode()));
  }

  static CaliberClientException unreachable(URI server, Exception cause) {
    return withoutResponse("Cannot reach the server at " + server, cause);
  }

  static CaliberClientException timedOut(URI server, Exception cause) {
    return withoutResponse("No answer came within the time limit from " + server, cause);
  }

  static CaliberClientException unreadableResponse(URI server, Exception cause) {
    return withoutResponse("The server at %s is not a Caliber server".formatted(server), cause);
  }

  private static CaliberClientException withoutResponse(String message, Exception cause) {
    CaliberClientException problem =
        new CaliberClientException(
            UNREACHABLE, JsonMapper.shared().createObjectNode(), Optional.empty(), message);
    problem.initCause(cause);
    return problem;
  }

  private static JsonNode readBody(byte[] body) {
    try {
      return JsonMapper.shared().readTree(body);
    } catch (JacksonException _) {
      return JsonMapper.shared().createObjectNode();
    }
  }

  private static Optional<Duration> parseSeconds(String text) {
    try {
      return Optional.of(Duration.ofSeconds(Long.parseLong(text)));
    } catch (NumberFormatException _) {
      return Optional.empty();
    }
  }

  /** The HTTP status. */
  public int status() {
    return status;
  }

  /** The stable error code, such as {@code CALIBER_VALIDATION_UNKNOWN_RECORD}. */
  public String code() {
    return problem.path("code").asString(UNKNOWN);
  }

  /** The faulty value, as a JSON pointer into the request. */
  public Optional<String> pointer() {
    return Optional.of(problem.path("pointer").asString("")).filter(text -> !text.isEmpty());
  }

  /** The server's advice on what to do about the error. */
  public Optional<String> advice() {
    return Optional.of(problem.path("advice").asString("")).filter(text -> !text.isEmpty());
  }

  /** A value that the message mentions, such as the {@code holder} of a lease. */
  public Optional<String> field(String name) {
    return Optional.of(problem.path("fields").path(name).asString(""))
        .filter(text -> !text.isEmpty());
  }

  /** The time to wait before the next attempt. */
  public Optional<Duration> retryAfter() {
    return retryAfter;
  }
}
