package dev.caliber.testkit.crash;

import dev.caliber.store.Table;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Record of the drill. It names the commit that wrote it last, and the number of records that
 * commit wrote, so that a partial commit is detected.
 */
record DrillRecord(
    String id,
    int writer,
    long counter,
    int parts,
    Optional<String> colour,
    double weight,
    boolean loud,
    Instant at,
    String text) {

  static final Table<DrillRecord> MARKS =
      Table.of("drill_mark", "Marks of crash drills.", DrillRecord.class, DrillRecord::id)
          .integer("writer", DrillRecord::writer)
          .integer("counter", DrillRecord::counter)
          .text("colour", drillRecord -> drillRecord.colour().orElse(null))
          .real("weight", DrillRecord::weight)
          .text("label", DrillRecord::label)
          .index("writer", "counter")
          .index("colour", "weight")
          .unique("label");

  static final Table<DrillRecord> ECHOES =
      Table.of("drill_echo", "More marks of crash drills.", DrillRecord.class, DrillRecord::id)
          .integer("writer", DrillRecord::writer)
          .flag("loud", DrillRecord::loud)
          .instant("at", DrillRecord::at)
          .index("writer", "at")
          .index("loud");

  static final List<Table<?>> TABLES = List.of(MARKS, ECHOES);

  /**
   * Returns the id of the row that every commit of a writer changes: its counter is the last
   * commit's.
   */
  static String headIdOf(int writer) {
    return "head-%02d".formatted(writer);
  }

  /** Returns a label that is unique in its table and changes with each commit. */
  String label() {
    return id + "@" + counter;
  }
}
