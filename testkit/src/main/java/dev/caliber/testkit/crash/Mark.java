package dev.caliber.testkit.crash;

import dev.caliber.store.Table;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A record of the drill. It names the commit that wrote it last, and how many records that commit
 * wrote, so that half a commit cannot hide.
 */
record Mark(
    String id,
    int writer,
    long counter,
    int parts,
    Optional<String> colour,
    double weight,
    boolean loud,
    Instant at,
    String text) {

  static final Table<Mark> MARKS =
      Table.of("drill_mark", "Marks of crash drills.", Mark.class, Mark::id)
          .integer("writer", Mark::writer)
          .integer("counter", Mark::counter)
          .text("colour", mark -> mark.colour().orElse(null))
          .real("weight", Mark::weight)
          .text("label", Mark::label)
          .index("writer", "counter")
          .index("colour", "weight")
          .unique("label");

  static final Table<Mark> ECHOES =
      Table.of("drill_echo", "More marks of crash drills.", Mark.class, Mark::id)
          .integer("writer", Mark::writer)
          .flag("loud", Mark::loud)
          .instant("at", Mark::at)
          .index("writer", "at")
          .index("loud");

  static final List<Table<?>> TABLES = List.of(MARKS, ECHOES);

  /** The row that every commit of a writer changes: its counter is the last commit's. */
  static String headOf(int writer) {
    return "head-%02d".formatted(writer);
  }

  /** Unique in its table, and different after each commit. */
  String label() {
    return id + "@" + counter;
  }
}
