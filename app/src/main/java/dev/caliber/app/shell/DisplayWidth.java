package dev.caliber.app.shell;

/** Number of terminal columns that a text takes. */
public final class DisplayWidth {
  private static final int WIDE = 2;
  private static final int[][] WIDE_RANGES = {
    {0x1100, 0x115F}, // Hangul, first letters
    {0x231A, 0x231B}, // watch, hourglass
    {0x2E80, 0x303E}, // radicals of Han, marks
    {0x3041, 0xA4CF}, // kana, Han, Yi
    {0xA960, 0xA97F},
    {0xAC00, 0xD7A3}, // Hangul
    {0xF900, 0xFAFF},
    {0xFE30, 0xFE6F},
    {0xFF01, 0xFF60}, // full width
    {0xFFE0, 0xFFE6},
    {0x1F300, 0x1F64F}, // pictures
    {0x1F680, 0x1FAFF},
    {0x20000, 0x3FFFD}, // Han, further planes
  };

  private DisplayWidth() {}

  public static int columns(String text) {
    return text.codePoints().map(DisplayWidth::columns).sum();
  }

  static int columns(int codePoint) {
    return isCombiningMark(codePoint) ? 0 : isWide(codePoint) ? WIDE : 1;
  }

  /** Returns whether a character is drawn onto the one before it, or not at all. */
  private static boolean isCombiningMark(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.FORMAT -> true;
      default -> false;
    };
  }

  private static boolean isWide(int codePoint) {
    for (int[] range : WIDE_RANGES) {
      if (codePoint >= range[0] && codePoint <= range[1]) {
        return true;
      }
    }
    return false;
  }
}
