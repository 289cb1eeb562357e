package dev.caliber.memory.context.render;

import dev.caliber.memory.record.TurnPart;
import dev.caliber.memory.record.TurnRole;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;

/** Message format of one provider. */
interface ProviderMessageFormat {

  /** Appends a turn; the results are those of its calls, whichever turn contains them. */
  void appendTurn(
      ArrayNode messages, TurnMessage turnMessage, List<TurnPart.ToolResultPart> results);

  /** Returns the complete JSON. */
  String toJson(String system, ArrayNode messages);

  /** Turn to convert to messages: its role, and its parts without tool results. */
  record TurnMessage(TurnRole role, List<TurnPart> parts) {
    public TurnMessage {
      parts = List.copyOf(parts);
    }

    boolean isEmpty() {
      return parts.isEmpty();
    }
  }
}
