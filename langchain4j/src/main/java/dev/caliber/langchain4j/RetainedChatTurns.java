package dev.caliber.langchain4j;

import dev.caliber.kernel.FieldHash;
import dev.caliber.kernel.Id;
import dev.caliber.store.Table;
import java.util.List;

/**
 * The turns of a session that its chat shows: those of the messages that the chat window held last.
 *
 * @param key the hash of the session's name, because a name may be longer than a key
 */
record RetainedChatTurns(String key, String session, List<Id> turns) {
  static final Table<RetainedChatTurns> TABLE =
      Table.of(
              "chat_window",
              "The turns of sessions that chats show.",
              RetainedChatTurns.class,
              RetainedChatTurns::key)
          .text("session", RetainedChatTurns::session);

  RetainedChatTurns {
    turns = List.copyOf(turns);
  }

  static RetainedChatTurns of(String session, List<Id> turns) {
    return new RetainedChatTurns(keyOf(session), session, turns);
  }

  static String keyOf(String session) {
    return FieldHash.hash("chat-window", session);
  }
}
