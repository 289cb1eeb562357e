package dev.caliber.server.rest;

import io.javalin.http.HttpStatus;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An error on the wire (RFC 9457).
 *
 * @param code stable, for programs
 * @param pointer the place in the input, as a JSON pointer
 * @param advice what to do about it
 * @param errors all of them, where there are several
 * @param fields what the detail speaks of, by name
 * @param requestId by which the log names this request
 */
record Problem(
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
  /** The problem with a status that the library has chosen. */
  Problem as(HttpStatus other) {
    return new Problem(
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
