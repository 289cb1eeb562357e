package dev.caliber.lang.prompt;

/** Bounds of a prompt, so that no file can exhaust its reader. */
public final class PromptBounds {
  /** Characters of a file. */
  public static final int SOURCE = 1 << 18;

  /** Headings and fenced blocks of a file. */
  public static final int BLOCKS = 1_000;

  /** Levels of lists and quotes. */
  public static final int MARKDOWN_NESTING = 32;

  /** Levels of objects, arrays and elements in a payload. */
  public static final int PAYLOAD_NESTING = 64;

  /** Characters of a reference, its braces included. */
  public static final int REFERENCE = 255;

  private PromptBounds() {}
}
