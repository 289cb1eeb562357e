package dev.caliber.lang.ast;

/** Bounds of a configuration, so that no source can exhaust the compiler. */
public final class SyntaxBounds {
  /** Characters of a source. */
  public static final int SOURCE = 1 << 20;

  /** Characters of a text. */
  public static final int TEXT = 16_384;

  /** Characters of a name. */
  public static final int IDENTIFIER = 255;

  /** Characters of a number. */
  public static final int NUMBER = 100;

  /** Levels of parentheses, brackets and braces in filters and in options. */
  public static final int NESTING = 64;

  private SyntaxBounds() {}
}
