package dev.caliber.client;

import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a server refused, or why it could not be asked. */
@SuppressWarnings("serial") // never serialised
public final class CaliberProblem extends RuntimeException {
  /** The status of a server that was not reached. */
  public static final int UNREACHABLE = 0;

  private static final String UNKNOWN = "UNKNOWN";

  private final int status;
  private final JsonNode problem;
  private final Optional<Duration> retryAfter;

  private CaliberProblem(
      int status, JsonNode problem, Optional<Duration> retryAfter, String message) {
    super(message);
    this.status = status;
    this.problem = problem;
    this.retryAfter = retryAfter;
  }

  static CaliberProblem of(HttpResponse<byte[]> answer) {
    JsonNode problem = read(answer.body());
    return new CaliberProblem(
        answer.statusCode(),
        problem,
        answer.headers().firstValue("Retry-After").flatMap(CaliberProblem::seconds),
        problem.path("detail").asString("The server answered " + answer.statusCode()));
  }

  static CaliberProblem unreachable(URI server, Exception cause) {
    return unreachable("Nothing answers at " + server, cause);
  }

  static CaliberProblem tooLate(URI server, Exception cause) {
    return unreachable("No answer came in time from " + server, cause);
  }

  static CaliberProblem notUnderstood(URI server, Exception cause) {
    return unreachable("What answers at %s is no Caliber server".formatted(server), cause);
  }

  private static CaliberProblem unreachable(String message, Exception cause) {
    CaliberProblem problem =
        new CaliberProblem(
            UNREACHABLE, JsonMapper.shared().createObjectNode(), Optional.empty(), message);
    problem.initCause(cause);
    return problem;
  }

  private static JsonNode read(byte[] body) {
    try {
      return JsonMapper.shared().readTree(body);
    } catch (JacksonException _) {
      return JsonMapper.shared().createObjectNode();
    }
  }

  private static Optional<Duration> seconds(String text) {
    try {
      return Optional.of(Duration.ofSeconds(Long.parseLong(text)));
    } catch (NumberFormatException _) {
      return Optional.empty();
    }
  }

  /** Of HTTP. */
  public int status() {
    return status;
  }

  /** Stable, such as {@code CALIBER_VALIDATION_UNKNOWN_RECORD}. */
  public String code() {
    return problem.path("code").asString(UNKNOWN);
  }

  /** The value at fault, as a JSON pointer into what was sent. */
  public Optional<String> pointer() {
    return Optional.of(problem.path("pointer").asString("")).filter(text -> !text.isEmpty());
  }

  /** What to do about it. */
  public Optional<String> advice() {
    return Optional.of(problem.path("advice").asString("")).filter(text -> !text.isEmpty());
  }

  /** A thing that the message speaks of, such as the {@code holder} of a lease. */
  public Optional<String> field(String name) {
    return Optional.of(problem.path("fields").path(name).asString(""))
        .filter(text -> !text.isEmpty());
  }

  /** How long the server wants to be left alone. */
  public Optional<Duration> retryAfter() {
    return retryAfter;
  }
}
