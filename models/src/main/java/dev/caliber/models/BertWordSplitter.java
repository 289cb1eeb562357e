package dev.caliber.models;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;

/**
 * Splitter of a text into the words of BERT's uncased tokenizers: without accents and control
 * characters, in lower case, with every punctuation mark and every Chinese character as a word of
 * its own.
 */
final class BertWordSplitter {

  private static final int REPLACEMENT = 0xfffd;

  private final List<String> words = new ArrayList<>();
  private final StringBuilder word = new StringBuilder();

  private BertWordSplitter() {}

  static List<String> split(String text) {
    var found = new BertWordSplitter();
    Normalizer.normalize(text, Normalizer.Form.NFD).codePoints().forEach(found::addCodePoint);
    found.endWord();
    return found.words;
  }

  private void addCodePoint(int point) {
    if (isSpace(point)) {
      endWord();
    } else if (isPunctuation(point) || isChinese(point)) {
      endWord();
      word.appendCodePoint(point);
      endWord();
    } else if (isVisible(point)) {
      word.appendCodePoint(Character.toLowerCase(point));
    }
  }

  private void endWord() {
    if (!word.isEmpty()) {
      words.add(word.toString());
      word.setLength(0);
    }
  }

  private static boolean isSpace(int point) {
    return point == '\t' || point == '\n' || point == '\r' || Character.isSpaceChar(point);
  }

  private static boolean isVisible(int point) {
    return point != REPLACEMENT
        && switch (Character.getType(point)) {
          case Character.NON_SPACING_MARK,
              Character.CONTROL,
              Character.FORMAT,
              Character.PRIVATE_USE,
              Character.SURROGATE ->
              false;
          default -> true;
        };
  }

  private static boolean isPunctuation(int point) {
    return isAsciiMark(point)
        || switch (Character.getType(point)) {
          case Character.CONNECTOR_PUNCTUATION,
              Character.DASH_PUNCTUATION,
              Character.START_PUNCTUATION,
              Character.END_PUNCTUATION,
              Character.INITIAL_QUOTE_PUNCTUATION,
              Character.FINAL_QUOTE_PUNCTUATION,
              Character.OTHER_PUNCTUATION ->
              true;
          default -> false;
        };
  }

  /**
   * Returns whether the character is printable and neither letter nor digit: {@code $ + < = > ^ ` |
   * ~} among them.
   */
  private static boolean isAsciiMark(int point) {
    return point > ' ' && point < 0x7f && !Character.isLetterOrDigit(point);
  }

  private static boolean isChinese(int point) {
    return isWithin(point, 0x4e00, 0x9fff)
        || isWithin(point, 0x3400, 0x4dbf)
        || isWithin(point, 0x20000, 0x2a6df)
        || isWithin(point, 0x2a700, 0x2b73f)
        || isWithin(point, 0x2b740, 0x2b81f)
        || isWithin(point, 0x2b920, 0x2ceaf)
        || isWithin(point, 0xf900, 0xfaff)
        || isWithin(point, 0x2f800, 0x2fa1f);
  }

  private static boolean isWithin(int point, int first, int last) {
    return point >= first && point <= last;
  }
}
