package dev.caliber.memory.spi;

/** What is looked for in what was said. */
public enum FindingKind {
  /** A stack trace, an exception or a failing command. */
  ERROR,
  /** A unified diff or a fenced block of code. */
  CODE_PATCH,
  /** Something was decided. */
  DECISION,
  /** Somebody likes, wants or avoids something. */
  PREFERENCE,
  /** Something must or must not be. */
  CONSTRAINT,
  /** Something is so. Rules find what users say of themselves or ask to be remembered. */
  FACT
}
