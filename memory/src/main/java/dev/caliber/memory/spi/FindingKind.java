package dev.caliber.memory.spi;

/** Kind of a finding in turns. */
public enum FindingKind {
  /** Stack trace, exception or failing command. */
  ERROR,
  /** Unified diff or fenced block of code. */
  CODE_PATCH,
  /** Decision. */
  DECISION,
  /** Statement that a person likes, wants or avoids something. */
  PREFERENCE,
  /** Requirement or prohibition. */
  CONSTRAINT,
  /** Fact. Rules find what users say of themselves or ask to be remembered. */
  FACT
}
