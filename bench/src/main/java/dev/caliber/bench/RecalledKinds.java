package dev.caliber.bench;

import dev.caliber.memory.command.RecallFilter;
import dev.caliber.memory.record.EntityType;

/** Which kinds of records a question is asked of. */
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
      case TURNS -> filter.only(EntityType.TURN);
      case NOTES -> filter.only(EntityType.NOTE);
    };
  }
}
