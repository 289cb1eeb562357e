package dev.caliber.server.operation;

import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * A request for an operation.
 *
 * @param idempotencyKey the caller's own name for this request: the same twice is done once
 * @param ifMatch only if the record that the operation is about still has this revision
 */
public record Call(
    String operation, JsonNode input, Optional<String> idempotencyKey, Optional<Long> ifMatch) {

  public static Call of(String operation, JsonNode input) {
    return new Call(operation, input, Optional.empty(), Optional.empty());
  }
}
