package dev.caliber.server.proxy;

import dev.caliber.kernel.Id;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * The messages of a chat, some of which may be recorded already.
 *
 * @param session the name of the chat, if no trajectory is named
 * @param subject the subject of the chat
 * @param answer the model's new answer, which is recorded even if its text repeats an earlier one
 */
record RecordMessagesRequest(
    Optional<Id> trajectory,
    Optional<String> session,
    Optional<String> subject,
    List<JsonNode> messages,
    Optional<RecordedAnswer> answer) {
  RecordMessagesRequest {
    messages = List.copyOf(messages);
  }

  /**
   * The circumstances of a model's answer.
   *
   * @param tokens the model's own count
   * @param interrupted the reason if the answer broke off
   */
  record RecordedAnswer(String model, Optional<Integer> tokens, Optional<String> interrupted) {}

  /** The trajectory of the messages, their new turns, and the notes made of them. */
  record RecordMessagesResponse(Id trajectory, List<Id> turns, List<Id> notes) {}
}
