package dev.caliber.app;

import dev.caliber.kernel.Id;
import dev.caliber.store.Table;
import dev.caliber.store.search.Searchable;
import java.util.List;

/** What the demo keeps: small relatives of the records that agents live on. */
final class DemoTables {
  static final Table<Lock> LOCKS =
      Table.of("demo_lock", "Who may work on what, in the demo.", Lock.class, Lock::resource)
          .text("holder", Lock::holder);

  static final Table<Message> MESSAGES =
      Table.of(
              "demo_message",
              "What agents tell each other, in the demo.",
              Message.class,
              Message::id)
          .text("recipient", Message::recipient)
          .index("recipient");

  static final Table<Note> NOTES =
      Table.of("demo_note", "What agents have learned, in the demo.", Note.class, Note::name)
          .text("text", Note::text);

  static final Table<Checkpoint> CHECKPOINTS =
      Table.of(
              "demo_checkpoint",
              "Points to come back to, in the demo.",
              Checkpoint.class,
              Checkpoint::id)
          .integer("commit_number", Checkpoint::commit);

  static final List<Table<?>> ALL = List.of(LOCKS, MESSAGES, NOTES, CHECKPOINTS);

  static final List<Searchable<?>> SEARCHABLE =
      List.of(
          Searchable.of(NOTES).title(Note::name).body(Note::text),
          Searchable.of(MESSAGES).speaker(Message::sender).body(Message::text));

  private DemoTables() {}

  /** Only the holder may work on the resource. */
  record Lock(String resource, String holder) {}

  /** One agent to another. */
  record Message(Id id, String sender, String recipient, String text) {}

  /** Something learned, under a name. */
  record Note(String name, String text) {}

  /** The state after a commit. */
  record Checkpoint(Id id, long commit) {}
}
