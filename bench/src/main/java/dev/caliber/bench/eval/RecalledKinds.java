package dev.caliber.bench.eval;

import dev.caliber.memory.command.RecallFilter;
import dev.caliber.memory.record.EntityType;

/** Kinds of records that a question may be answered with. */
enum RecalledKinds {
  ALL("all kinds"),
  TURNS("turns alone"),
  NOTES("notes alone");

  private final String title;

  RecalledKinds(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }

  RecallFilter filter(RecallFilter filter) {
    return switch (this) {
      case ALL -> filter;
      case TURNS -> filter.withTypes(EntityType.TURN);
      case NOTES -> filter.withTypes(EntityType.NOTE);
    };
  }
}
