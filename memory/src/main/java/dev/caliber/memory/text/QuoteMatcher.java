package dev.caliber.memory.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Matcher for texts that quote a known text: a part of it, or one of its sentences, word for word.
 * A single word is quoted only by the same word; case, white space and punctuation around it do not
 * count.
 *
 * <p>Texts are indexed at the first comparison. Then one pass over a text finds every sentence,
 * however many there are.
 */
public final class QuoteMatcher {
  /** Marks beside punctuation and white space; a # or % belongs to its word. */
  private static final String MARKS = "`~^|<>";

  private static final String PARTS_OF_WORDS = "#%&@/\\";

  /** Minimum length of a phrase in scripts without spaces; shorter text may be a single word. */
  private static final int UNSPACED_PHRASE_BOUND = 5;

  private final List<String> waiting = new ArrayList<>();
  private final List<QuoteIndex> indexed = new ArrayList<>();

  public void add(String text) {
    waiting.add(text);
  }

  public boolean isQuotedBy(String text) {
    indexPendingTexts();
    String plain = normalize(text);
    boolean phrase = isPhrase(plain);
    return indexed.stream()
        .anyMatch(known -> known.isQuotedBy(plain) || (phrase && known.isPartOfText(plain)));
  }

  /** Returns the text without the sentences that quote. */
  public String withoutQuotingSentences(String text) {
    return RuleBasedTextAnalyzer.sentences(text).stream()
        .filter(sentence -> !isQuotedBy(sentence))
        .collect(Collectors.joining(" "));
  }

  private void indexPendingTexts() {
    if (waiting.isEmpty()) {
      return;
    }
    List<String> sentences =
        waiting.stream()
            .flatMap(text -> RuleBasedTextAnalyzer.sentences(text).stream())
            .map(QuoteMatcher::normalize)
            .filter(QuoteMatcher::isPhrase)
            .toList();
    indexed.add(QuoteIndex.of(waiting.stream().map(QuoteMatcher::normalize).toList(), sentences));
    waiting.clear();
  }

  private static boolean isPhrase(String plain) {
    return plain.indexOf(' ') >= 0
        || (plain.codePointCount(0, plain.length()) >= UNSPACED_PHRASE_BOUND
            && plain.codePoints().anyMatch(UnspacedScripts::isUnspaced));
  }

  /** Strips marks and lowers the case; a text of marks only is kept. */
  private static String normalize(String text) {
    int from = 0;
    int until = text.length();
    while (from < until && isMark(text.codePointAt(from))) {
      from += Character.charCount(text.codePointAt(from));
    }
    while (until > from && isMark(text.codePointBefore(until))) {
      until -= Character.charCount(text.codePointBefore(until));
    }
    return collapseSpaces(from == until ? text.strip() : text.substring(from, until))
        .toLowerCase(Locale.ROOT);
  }

  private static String collapseSpaces(String text) {
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

  /** Returns whether the character is a mark around words. */
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
