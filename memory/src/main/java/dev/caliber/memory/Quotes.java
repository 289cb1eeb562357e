package dev.caliber.memory;

import dev.caliber.memory.text.PlainReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Says whether a text repeats another one: it is a part of it, or one of its sentences is a part of
 * it. A single word is repeated only by itself; case and white space do not count.
 */
final class Quotes {
  private static final Pattern SPACE = Pattern.compile("\\s+");

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
    return sentences.stream().anyMatch(plain::contains);
  }

  private boolean isPart(String plain) {
    return isPhrase(plain) && texts.stream().anyMatch(text -> text.contains(plain));
  }

  private static boolean isPhrase(String plain) {
    return plain.indexOf(' ') >= 0;
  }

  private static String plain(String text) {
    return SPACE.matcher(text.strip()).replaceAll(" ").toLowerCase(Locale.ROOT);
  }
}
