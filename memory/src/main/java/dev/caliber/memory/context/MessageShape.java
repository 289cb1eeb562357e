package dev.caliber.memory.context;

import dev.caliber.memory.record.Part;
import dev.caliber.memory.record.Role;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;

/** How one provider wants its messages. */
interface MessageShape {

  /** Appends a turn; the results are those of the calls in it, wherever they were said. */
  void append(ArrayNode messages, Said said, List<Part.ToolResult> results);

  /** The whole, as JSON. */
  String whole(String system, ArrayNode messages);

  /** A turn that is to become messages: its role, and its parts without tool results. */
  record Said(Role role, List<Part> parts) {
    public Said {
      parts = List.copyOf(parts);
    }

    boolean isEmpty() {
      return parts.isEmpty();
    }
  }
}
