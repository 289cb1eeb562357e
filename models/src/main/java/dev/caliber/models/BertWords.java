package dev.caliber.models;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;

/**
 * The words that BERT's uncased tokenizers see in a text: without accents and control characters,
 * in lower case, with every mark of punctuation and every Chinese character as a word of its own.
 */
final class BertWords {

  private static final int REPLACEMENT = 0xfffd;

  private final List<String> words = new ArrayList<>();
  private final StringBuilder word = new StringBuilder();

  private BertWords() {}

  static List<String> of(String text) {
    var found = new BertWords();
    Normalizer.normalize(text, Normalizer.Form.NFD).codePoints().forEach(found::add);
    found.end();
    return found.words;
  }

  private void add(int point) {
    if (isSpace(point)) {
      end();
    } else if (isPunctuation(point) || isChinese(point)) {
      end();
      word.appendCodePoint(point);
      end();
    } else if (isSeen(point)) {
      word.appendCodePoint(Character.toLowerCase(point));
    }
  }

  private void end() {
    if (!word.isEmpty()) {
      words.add(word.toString());
      word.setLength(0);
    }
  }

  private static boolean isSpace(int point) {
    return point == '\t' || point == '\n' || point == '\r' || Character.isSpaceChar(point);
  }

  private static boolean isSeen(int point) {
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

  /** What is printed and neither letter nor digit: {@code $ + < = > ^ ` | ~} among them. */
  private static boolean isAsciiMark(int point) {
    return point > ' ' && point < 0x7f && !Character.isLetterOrDigit(point);
  }

  private static boolean isChinese(int point) {
    return within(point, 0x4e00, 0x9fff)
        || within(point, 0x3400, 0x4dbf)
        || within(point, 0x20000, 0x2a6df)
        || within(point, 0x2a700, 0x2b73f)
        || within(point, 0x2b740, 0x2b81f)
        || within(point, 0x2b920, 0x2ceaf)
        || within(point, 0xf900, 0xfaff)
        || within(point, 0x2f800, 0x2fa1f);
  }

  private static boolean within(int point, int first, int last) {
    return point >= first && point <= last;
  }
}
