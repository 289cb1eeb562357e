package dev.caliber.memory.text;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Values of attributes that have one value at a time, such as a home or a name. */
record AttributeValues(Optional<AttributeValue> attribute, Optional<AttributeValue> possession) {
  private static final Pattern ATTRIBUTE =
      Pattern.compile(
          "(?i)^(?<of>.*?)\\b(?<verb>lives? (?:in|at)|works? (?:at|for)|(?:is|are)"
              + " (?:called|named)|was born (?:in|on)|is married to|reports to|is owned"
              + " by|costs?|weighs|runs on|is based in|is located in)\\s+(?<value>.+)$");
  private static final Pattern OWNED =
      Pattern.compile(
          "(?i)^(?<of>(?:.*\\b(?:my|our|your|his|her|their|its|(?!that|it|here|there|what|who|let|he|she)\\w+['’]s)\\b.+?|the"
              + " .+? of .+?))\\s+(?<verb>is|are|was|were)\\s+(?<value>.+)$");

  record AttributeValue(Set<String> owner, String verb, Set<String> words) {
    static AttributeValue of(Matcher matcher) {
      return new AttributeValue(
          WordTokenizer.contentWords(matcher.group("of")),
          WordTokenizer.contentWords(matcher.group("verb")).toString(),
          WordTokenizer.contentWords(matcher.group("value")));
    }

    boolean differsFrom(AttributeValue other) {
      return owner.equals(other.owner)
          && verb.equals(other.verb)
          && !words.isEmpty()
          && !other.words.isEmpty()
          && words.stream().noneMatch(other.words::contains);
    }
  }

  static AttributeValues of(String clause) {
    return new AttributeValues(matchValue(ATTRIBUTE, clause), matchValue(OWNED, clause));
  }

  private static Optional<AttributeValue> matchValue(Pattern pattern, String clause) {
    Matcher matcher = pattern.matcher(clause);
    return matcher.matches() ? Optional.of(AttributeValue.of(matcher)) : Optional.empty();
  }

  /** Returns whether both name a value of one attribute and the values have no word in common. */
  boolean hasDifferentValue(AttributeValues other) {
    return areDifferent(attribute, other.attribute) || areDifferent(possession, other.possession);
  }

  private static boolean areDifferent(
      Optional<AttributeValue> one, Optional<AttributeValue> other) {
    return one.isPresent() && other.isPresent() && one.get().differsFrom(other.get());
  }
}
