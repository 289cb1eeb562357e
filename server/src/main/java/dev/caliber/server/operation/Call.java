package dev.caliber.server.operation;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A request for an operation.
 *
 * @param idempotencyKey the caller's own name for this request: the same twice is done once
 * @param ifMatch only if the record that the operation is about still has this revision
 */
public record Call(
    String operation, JsonNode input, Optional<String> idempotencyKey, Optional<Long> ifMatch) {

  /** A key that was sent, if one was; an empty one is none of anybody's. */
  public static Optional<String> key(@Nullable String sent) {
    if (sent != null && sent.isBlank()) {
      throw ServerException.invalidInput("", "Idempotency-Key: wanted some text, found none");
    }
    return Optional.ofNullable(sent);
  }

  /** A revision that was sent to be insisted on, if one was: an ETag of this server. */
  public static Optional<Long> revision(@Nullable String sent) {
    if (sent == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(Long.parseLong(sent.replace("\"", "").strip()));
    } catch (NumberFormatException _) {
      throw ServerException.invalidInput("", "If-Match: wanted an ETag of this server");
    }
  }

  public static Call of(String operation, JsonNode input) {
    return new Call(operation, input, Optional.empty(), Optional.empty());
  }
}
