package dev.caliber.lang.prompt;

/** How long and how deep a prompt may be, so that no file can exhaust its reader. */
public final class PromptBounds {
  /** Characters of a file. */
  public static final int SOURCE = 1 << 18;

  /** Headings and fenced blocks of a file. */
  public static final int BLOCKS = 1_000;

  /** Lists and quotes inside each other. */
  public static final int MARKDOWN_NESTING = 32;

  /** Objects, arrays and elements inside each other, in a payload. */
  public static final int PAYLOAD_NESTING = 64;

  /** Characters of a reference, its braces included. */
  public static final int REFERENCE = 255;

  private PromptBounds() {}
}
