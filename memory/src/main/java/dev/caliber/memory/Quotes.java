package dev.caliber.memory;

import dev.caliber.memory.text.PlainReader;
import dev.caliber.memory.text.Scripts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Says whether a text repeats another one: it is a part of it, or one of its sentences is a part of
 * it, word for word. A single word is repeated only by itself; case, white space and the marks
 * before and after do not count.
 *
 * <p>The texts are read when something is first compared with them. Then one pass over a text finds
 * every sentence, however many there are.
 */
final class Quotes {
  /** Beside punctuation and white space; a sharp or a per cent sign belongs to its word. */
  private static final String MARKS = "`~^|<>";

  private static final String PARTS_OF_WORDS = "#%&@/\\";

  /** Where no blank tells words apart, what is shorter may be a single word. */
  private static final int UNSPACED_PHRASE_BOUND = 5;

  private final List<String> waiting = new ArrayList<>();
  private final List<QuoteIndex> indexed = new ArrayList<>();

  void add(String text) {
    waiting.add(text);
  }

  boolean isQuotedBy(String text) {
    index();
    String plain = plain(text);
    boolean phrase = isPhrase(plain);
    return indexed.stream().anyMatch(known -> known.isIn(plain) || (phrase && known.isPart(plain)));
  }

  /** The text without the sentences that quote. */
  String removedFrom(String text) {
    return PlainReader.sentences(text).stream()
        .filter(sentence -> !isQuotedBy(sentence))
        .collect(Collectors.joining(" "));
  }

  private void index() {
    if (waiting.isEmpty()) {
      return;
    }
    List<String> sentences =
        waiting.stream()
            .flatMap(text -> PlainReader.sentences(text).stream())
            .map(Quotes::plain)
            .filter(Quotes::isPhrase)
            .toList();
    indexed.add(QuoteIndex.of(waiting.stream().map(Quotes::plain).toList(), sentences));
    waiting.clear();
  }

  private static boolean isPhrase(String plain) {
    return plain.indexOf(' ') >= 0
        || (plain.codePointCount(0, plain.length()) >= UNSPACED_PHRASE_BOUND
            && plain.codePoints().anyMatch(Scripts::isUnspaced));
  }

  /** A text of nothing but marks is those marks. */
  private static String plain(String text) {
    int from = 0;
    int until = text.length();
    while (from < until && isMark(text.codePointAt(from))) {
      from += Character.charCount(text.codePointAt(from));
    }
    while (until > from && isMark(text.codePointBefore(until))) {
      until -= Character.charCount(text.codePointBefore(until));
    }
    return spacedOnce(from == until ? text.strip() : text.substring(from, until))
        .toLowerCase(Locale.ROOT);
  }

  private static String spacedOnce(String text) {
    StringBuilder plain = new StringBuilder(text.length());
    boolean space = false;
    for (int i = 0; i < text.length(); i++) {
      char next = text.charAt(i);
      if (!isSpace(next)) {
        plain.append(next);
      } else if (!space) {
        plain.append(' ');
      }
      space = isSpace(next);
    }
    return plain.toString();
  }

  private static boolean isSpace(int character) {
    return character == ' ' || (character >= '\t' && character <= '\r');
  }

  /** What stands around words. */
  private static boolean isMark(int character) {
    return switch (Character.getType(character)) {
      case Character.CONNECTOR_PUNCTUATION,
          Character.DASH_PUNCTUATION,
          Character.START_PUNCTUATION,
          Character.END_PUNCTUATION,
          Character.INITIAL_QUOTE_PUNCTUATION,
          Character.FINAL_QUOTE_PUNCTUATION,
          Character.OTHER_PUNCTUATION ->
          PARTS_OF_WORDS.indexOf(character) < 0;
      default -> isSpace(character) || MARKS.indexOf(character) >= 0;
    };
  }
}
