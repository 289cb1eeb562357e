package dev.caliber.server.proxy;

import dev.caliber.kernel.Id;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * Messages of a chat, of which some may be recorded already.
 *
 * @param session the name of the chat, where no trajectory is named
 * @param subject whom it is about
 * @param answer what a model has said just now: it is new, whatever was said before
 */
record Recording(
    Optional<Id> trajectory,
    Optional<String> session,
    Optional<String> subject,
    List<JsonNode> messages,
    Optional<Answer> answer) {
  Recording {
    messages = List.copyOf(messages);
  }

  /**
   * How a model's answer came about.
   *
   * @param tokens as the model counted
   * @param interrupted why there is no more of it
   */
  record Answer(String model, Optional<Integer> tokens, Optional<String> interrupted) {}

  /** Where they are, and those that were new. */
  record Recorded(Id trajectory, List<Id> turns, List<Id> notes) {}
}
