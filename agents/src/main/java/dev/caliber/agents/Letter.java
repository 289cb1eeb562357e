package dev.caliber.agents;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * What a message says.
 *
 * @param type what it is about, by name
 * @param payload JSON text
 */
public record Letter(
    String type, String payload, Optional<Id> trajectory, Optional<Id> scope, List<Id> artifacts) {
  public Letter {
    Names.require("message type", type);
    Json.read(payload, JsonNode.class);
    artifacts = List.copyOf(artifacts);
  }

  public static Letter of(String type, String payload) {
    return new Letter(type, payload, Optional.empty(), Optional.empty(), List.of());
  }

  /** Whether it says the same: the order in which the payload names things makes no difference. */
  boolean says(Letter other) {
    return payload.equals(other.payload)
        ? equals(other)
        : json().equals(other.json()) && equals(other.saying(payload));
  }

  private JsonNode json() {
    return Json.read(payload, JsonNode.class);
  }

  private Letter saying(String newPayload) {
    return new Letter(type, newPayload, trajectory, scope, artifacts);
  }

  public Letter about(Id newTrajectory) {
    return new Letter(type, payload, Optional.of(newTrajectory), scope, artifacts);
  }
}
