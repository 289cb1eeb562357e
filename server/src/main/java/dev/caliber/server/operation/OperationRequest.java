package dev.caliber.server.operation;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The request to run an operation.
 *
 * @param idempotencyKey the caller's name for this request: repeated requests run once
 * @param ifMatch the revision that the target record must still have
 */
public record OperationRequest(
    String operation, JsonNode input, Optional<String> idempotencyKey, Optional<Long> ifMatch) {

  /** Parses an idempotency key; refuses a blank one. */
  public static Optional<String> parseIdempotencyKey(@Nullable String sent) {
    if (sent != null && sent.isBlank()) {
      throw ServerException.invalidInput("", "The header Idempotency-Key is empty");
    }
    return Optional.ofNullable(sent);
  }

  /** Parses the revision of an If-Match header: an ETag of this server. */
  public static Optional<Long> parseIfMatch(@Nullable String sent) {
    if (sent == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(Long.parseLong(sent.replace("\"", "").strip()));
    } catch (NumberFormatException _) {
      throw ServerException.invalidInput(
          "", "The header If-Match does not hold an ETag of this server");
    }
  }

  public static OperationRequest of(String operation, JsonNode input) {
    return new OperationRequest(operation, input, Optional.empty(), Optional.empty());
  }
}
