package dev.caliber.app;

import dev.caliber.kernel.Json;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Input of an operation, which a command fills from its options. */
record OperationInput(ObjectNode json) {

  static OperationInput empty() {
    return new OperationInput(Json.mapper().createObjectNode());
  }

  static OperationInput of(String property, Object value) {
    return empty().with(property, value);
  }

  /** Sets a property; an absent value, and an option that was not given, leave it out. */
  OperationInput with(String property, @Nullable Object value) {
    Object given = value instanceof Optional<?> optional ? optional.orElse(null) : value;
    if (given != null) {
      json.set(property, Json.mapper().valueToTree(given));
    }
    return this;
  }
}
