package dev.caliber.memory;

import dev.caliber.memory.text.PlainReader;
import dev.caliber.memory.text.Scripts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Says whether a text repeats another one: it is a part of it, or one of its sentences is a part of
 * it, word for word. A single word is repeated only by itself; case, white space and the marks
 * before and after do not count.
 */
final class Quotes {
  private static final Pattern SPACE = Pattern.compile("\\s+");

  /** What stands around words; a sharp or a per cent sign belongs to its word. */
  private static final String MARKS = "[\\s\\p{P}`~^|<>&&[^#%&@/\\\\]]";

  private static final Pattern BEFORE = Pattern.compile("^" + MARKS + "++");
  private static final Pattern AFTER = Pattern.compile("(?<!" + MARKS + ")" + MARKS + "++$");

  /** Where no blank tells words apart, what is shorter may be a single word. */
  private static final int UNSPACED_PHRASE_BOUND = 5;

  private final List<String> texts = new ArrayList<>();
  private final List<String> sentences = new ArrayList<>();

  void add(String text) {
    texts.add(plain(text));
    PlainReader.sentences(text).stream()
        .map(Quotes::plain)
        .filter(Quotes::isPhrase)
        .forEach(sentences::add);
  }

  boolean isQuotedBy(String text) {
    String plain = plain(text);
    return texts.contains(plain) || holds(plain) || isPart(plain);
  }

  /** The text without the sentences that quote. */
  String removedFrom(String text) {
    return PlainReader.sentences(text).stream()
        .filter(sentence -> !isQuotedBy(sentence))
        .collect(Collectors.joining(" "));
  }

  private boolean holds(String plain) {
    return sentences.stream().anyMatch(sentence -> holds(plain, sentence));
  }

  /** As whole words: what ends with a 1 does not stand in what ends with a 12. */
  private static boolean holds(String plain, String sentence) {
    int at = plain.indexOf(sentence);
    while (at >= 0 && !(isEdge(plain, at) && isEdge(plain, at + sentence.length()))) {
      at = plain.indexOf(sentence, at + 1);
    }
    return at >= 0;
  }

  private static boolean isEdge(String text, int at) {
    return at == 0
        || at == text.length()
        || Scripts.mayPart(text.codePointBefore(at), text.codePointAt(at));
  }

  private boolean isPart(String plain) {
    return isPhrase(plain) && texts.stream().anyMatch(text -> text.contains(plain));
  }

  private static boolean isPhrase(String plain) {
    return plain.indexOf(' ') >= 0
        || (plain.codePointCount(0, plain.length()) >= UNSPACED_PHRASE_BOUND
            && plain.codePoints().anyMatch(Scripts::isUnspaced));
  }

  /** A text of nothing but marks is those marks. */
  private static String plain(String text) {
    String words = AFTER.matcher(BEFORE.matcher(text).replaceFirst("")).replaceFirst("");
    return SPACE
        .matcher(words.isEmpty() ? text.strip() : words)
        .replaceAll(" ")
        .toLowerCase(Locale.ROOT);
  }
}
