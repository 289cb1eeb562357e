package dev.caliber.server.rest;

import io.javalin.http.HttpStatus;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An error on the wire (RFC 9457).
 *
 * @param code the stable code, for programs
 * @param pointer the place in the input, as a JSON pointer
 * @param advice the advice to the caller
 * @param errors all errors, if there are several
 * @param fields values that the detail mentions, by name
 * @param requestId the id by which the log names this request
 */
record ProblemDetails(
    String type,
    String title,
    int status,
    String detail,
    String code,
    Optional<String> pointer,
    Optional<String> advice,
    Optional<List<String>> errors,
    Optional<Map<String, String>> fields,
    Optional<String> requestId) {
  /** Returns the problem with a status that Javalin has chosen. */
  ProblemDetails withStatus(HttpStatus other) {
    return new ProblemDetails(
        type,
        other.getMessage(),
        other.getCode(),
        detail,
        code,
        pointer,
        advice,
        errors,
        fields,
        requestId);
  }
}
