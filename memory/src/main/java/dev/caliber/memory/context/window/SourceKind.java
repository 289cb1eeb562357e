package dev.caliber.memory.context.window;

import dev.caliber.memory.record.MemoryKind;
import java.util.Locale;

/** Kind of a candidate. */
public enum SourceKind {
  SYSTEM,
  TRAJECTORY,
  SCOPE,
  TURN,
  ARTIFACT,
  NOTE;

  public static SourceKind of(MemoryKind kind) {
    return valueOf(kind.name());
  }

  public String lowerCaseName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
