package dev.caliber.bench;

import java.util.List;
import java.util.Locale;

/** The engines to measure. */
enum BenchEngine {
  SQLITE,
  POSTGRES,
  BOTH;

  List<BenchEngine> engines() {
    return this == BOTH ? List.of(SQLITE, POSTGRES) : List.of(this);
  }

  /** Returns the engine's name, for headings. */
  String title() {
    return switch (this) {
      case SQLITE -> "SQLite";
      case POSTGRES -> "PostgreSQL";
      case BOTH -> "SQLite and PostgreSQL";
    };
  }

  /** Returns the name as it is typed. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
