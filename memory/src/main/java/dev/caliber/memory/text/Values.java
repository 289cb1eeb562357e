package dev.caliber.memory.text;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Attributes that have one value at a time: where somebody lives, what something is called. */
final class Values {
  private static final Pattern ATTRIBUTE =
      Pattern.compile(
          "(?i)^(?<of>.*?)\\b(?<verb>lives? (?:in|at)|works? (?:at|for)|(?:is|are)"
              + " (?:called|named)|was born (?:in|on)|is married to|reports to|is owned"
              + " by|costs?|weighs|runs on|is based in|is located in)\\s+(?<value>.+)$");
  private static final Pattern OWNED =
      Pattern.compile(
          "(?i)^(?<of>(?:.*\\b(?:my|our|your|his|her|their|its|(?!that|it|here|there|what|who|let|he|she)\\w+['’]s)\\b.+?|the"
              + " .+? of .+?))\\s+(?<verb>is|are|was|were)\\s+(?<value>.+)$");

  private record Value(Set<String> of, String verb, Set<String> words) {
    static Value of(Matcher matcher) {
      return new Value(
          Words.content(matcher.group("of")),
          Words.content(matcher.group("verb")).toString(),
          Words.content(matcher.group("value")));
    }

    boolean differsFrom(Value other) {
      return of.equals(other.of)
          && verb.equals(other.verb)
          && !words.isEmpty()
          && !other.words.isEmpty()
          && words.stream().noneMatch(other.words::contains);
    }
  }

  private Values() {}

  /** Whether both clauses name a value of the same attribute, with no word in common. */
  static boolean differ(String one, String other) {
    return differ(ATTRIBUTE, one, other) || differ(OWNED, one, other);
  }

  private static boolean differ(Pattern pattern, String one, String other) {
    Matcher left = pattern.matcher(one);
    Matcher right = pattern.matcher(other);
    return left.matches() && right.matches() && Value.of(left).differsFrom(Value.of(right));
  }
}
