package dev.caliber.memory.text;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Attributes that have one value at a time: where somebody lives, what something is called. */
record Values(Optional<Value> attribute, Optional<Value> owned) {
  private static final Pattern ATTRIBUTE =
      Pattern.compile(
          "(?i)^(?<of>.*?)\\b(?<verb>lives? (?:in|at)|works? (?:at|for)|(?:is|are)"
              + " (?:called|named)|was born (?:in|on)|is married to|reports to|is owned"
              + " by|costs?|weighs|runs on|is based in|is located in)\\s+(?<value>.+)$");
  private static final Pattern OWNED =
      Pattern.compile(
          "(?i)^(?<of>(?:.*\\b(?:my|our|your|his|her|their|its|(?!that|it|here|there|what|who|let|he|she)\\w+['’]s)\\b.+?|the"
              + " .+? of .+?))\\s+(?<verb>is|are|was|were)\\s+(?<value>.+)$");

  record Value(Set<String> of, String verb, Set<String> words) {
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

  /** What a clause names. */
  static Values of(String clause) {
    return new Values(named(ATTRIBUTE, clause), named(OWNED, clause));
  }

  private static Optional<Value> named(Pattern pattern, String clause) {
    Matcher matcher = pattern.matcher(clause);
    return matcher.matches() ? Optional.of(Value.of(matcher)) : Optional.empty();
  }

  /** Whether both name a value of the same attribute, with no word in common. */
  boolean differFrom(Values other) {
    return differ(attribute, other.attribute) || differ(owned, other.owned);
  }

  private static boolean differ(Optional<Value> one, Optional<Value> other) {
    return one.isPresent() && other.isPresent() && one.get().differsFrom(other.get());
  }
}
