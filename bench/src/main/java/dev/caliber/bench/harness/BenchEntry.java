package dev.caliber.bench.harness;

import dev.caliber.kernel.Id;
import dev.caliber.store.Table;
import java.time.Instant;
import java.util.List;

/** A record of the bench: about 600 bytes of JSON, like one turn of an agent's session. */
public record BenchEntry(
    Id id,
    String session,
    String author,
    long tokens,
    Instant writtenAt,
    List<String> tags,
    String text) {

  /** Table with three secondary indexes: on clustered values, on spread values, and on the time. */
  public static final Table<BenchEntry> TABLE =
      Table.of(
              "entry", "Entries that the bench writes and reads.", BenchEntry.class, BenchEntry::id)
          .text("session", BenchEntry::session)
          .text("author", BenchEntry::author)
          .instant("written_at", BenchEntry::writtenAt)
          .index("session", "written_at")
          .index("author")
          .index("written_at");

  public BenchEntry {
    tags = List.copyOf(tags);
  }
}
