package dev.caliber.memory.context;

import dev.caliber.memory.record.MemoryKind;
import java.util.Locale;

/** What a candidate is. */
public enum SourceKind {
  SYSTEM,
  TRAJECTORY,
  SCOPE,
  TURN,
  ARTIFACT,
  NOTE;

  static SourceKind of(MemoryKind kind) {
    return valueOf(kind.name());
  }

  /** As people write it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
