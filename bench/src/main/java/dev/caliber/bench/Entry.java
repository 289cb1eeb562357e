package dev.caliber.bench;

import dev.caliber.kernel.Id;
import dev.caliber.store.Table;
import java.time.Instant;
import java.util.List;

/** What the bench stores: about 600 bytes of JSON, like one turn of an agent's session. */
record Entry(
    Id id,
    String session,
    String author,
    long tokens,
    Instant writtenAt,
    List<String> tags,
    String text) {

  /** Three secondary indexes: of what lies together, of what is spread out, and of the time. */
  static final Table<Entry> TABLE =
      Table.of("entry", "Entries that the bench writes and reads.", Entry.class, Entry::id)
          .text("session", Entry::session)
          .text("author", Entry::author)
          .instant("written_at", Entry::writtenAt)
          .index("session", "written_at")
          .index("author")
          .index("written_at");

  Entry {
    tags = List.copyOf(tags);
  }
}
