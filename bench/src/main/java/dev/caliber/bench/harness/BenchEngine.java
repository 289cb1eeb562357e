package dev.caliber.bench.harness;

import java.util.List;
import java.util.Locale;

/** The engines to measure. */
public enum BenchEngine {
  SQLITE,
  POSTGRES,
  BOTH;

  public List<BenchEngine> engines() {
    return this == BOTH ? List.of(SQLITE, POSTGRES) : List.of(this);
  }

  /** Returns the engine's name, for headings. */
  public String title() {
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
