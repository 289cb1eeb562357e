package dev.caliber.langchain4j;

import dev.caliber.kernel.Hashing;
import dev.caliber.kernel.Id;
import dev.caliber.store.Table;
import java.util.List;

/**
 * What a chat shows of its session: the turns behind the messages that it was given last.
 *
 * @param key of the session's name, which may be longer than a key
 */
record ChatWindow(String key, String session, List<Id> turns) {
  static final Table<ChatWindow> TABLE =
      Table.of(
              "chat_window",
              "What chats show of their sessions.",
              ChatWindow.class,
              ChatWindow::key)
          .text("session", ChatWindow::session);

  ChatWindow {
    turns = List.copyOf(turns);
  }

  static ChatWindow of(String session, List<Id> turns) {
    return new ChatWindow(keyOf(session), session, turns);
  }

  static String keyOf(String session) {
    return Hashing.hash("chat-window", session);
  }
}
