package dev.caliber.bench;

import java.util.List;
import java.util.Locale;

/** What is to be measured. */
enum EngineName {
  SQLITE,
  POSTGRES,
  BOTH;

  List<EngineName> each() {
    return this == BOTH ? List.of(SQLITE, POSTGRES) : List.of(this);
  }

  /** The name of one engine, for headings. */
  String title() {
    return switch (this) {
      case SQLITE -> "SQLite";
      case POSTGRES -> "PostgreSQL";
      case BOTH -> "SQLite and PostgreSQL";
    };
  }

  /** As it is typed. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
