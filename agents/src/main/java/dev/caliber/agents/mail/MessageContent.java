package dev.caliber.agents.mail;

import dev.caliber.agents.registry.InputChecks;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * Content of a message.
 *
 * @param type its subject, by name
 * @param payload JSON text
 */
public record MessageContent(
    String type, String payload, Optional<Id> trajectory, Optional<Id> scope, List<Id> artifacts) {
  public MessageContent {
    InputChecks.requireName("message type", type);
    Json.read(payload, JsonNode.class);
    artifacts = List.copyOf(artifacts);
  }

  public static MessageContent of(String type, String payload) {
    return new MessageContent(type, payload, Optional.empty(), Optional.empty(), List.of());
  }

  /** Returns whether the contents are equal, ignoring the order of keys in the payload. */
  public boolean hasSameContent(MessageContent other) {
    return payload.equals(other.payload)
        ? equals(other)
        : payloadJson().equals(other.payloadJson()) && equals(other.withPayload(payload));
  }

  private JsonNode payloadJson() {
    return Json.read(payload, JsonNode.class);
  }

  private MessageContent withPayload(String newPayload) {
    return new MessageContent(type, newPayload, trajectory, scope, artifacts);
  }

  public MessageContent withTrajectory(Id newTrajectory) {
    return new MessageContent(type, payload, Optional.of(newTrajectory), scope, artifacts);
  }
}
