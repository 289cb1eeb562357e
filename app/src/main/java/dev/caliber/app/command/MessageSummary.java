package dev.caliber.app.command;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Timestamps;
import java.time.Instant;
import tools.jackson.databind.JsonNode;

/** A message as people see it: its state, without its content. */
record MessageSummary(
    Id id,
    String from,
    String to,
    String type,
    String priority,
    String state,
    int attempts,
    Instant sentAt) {

  static MessageSummary of(JsonNode message) {
    String agent = message.at("/to/agent").asString("");
    return new MessageSummary(
        Id.parse(message.path("id").asString()),
        message.path("from").asString(),
        agent.isEmpty() ? "any " + message.at("/to/type").asString() : agent,
        message.at("/letter/type").asString(),
        message.path("priority").asString(),
        message.at("/delivery/state").asString(),
        message.at("/delivery/attempts").asInt(),
        Timestamps.parse(message.path("created_at").asString()));
  }
}
