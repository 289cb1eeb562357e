package dev.caliber.memory.text;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * All that a clause says but for what it denies or counts: two clauses with the same gist speak of
 * the same, be their words ever so few. Who is meant and what is done count here, where the words
 * that carry meaning leave them out: to have coffee is not to like it.
 */
final class Gist {
  private static final Pattern NUMBER = Pattern.compile("\\p{N}.*");
  private static final Pattern NOT = Pattern.compile("n't$");
  private static final Set<String> EMPTY =
      Set.of(
          ("a an the am is are was were be been being do does did not no never nor neither without"
                  + " any some very really just also actually currently now already too much lot"
                  + " lots longer yes")
              .split(" ", -1));

  private Gist() {}

  static Set<String> of(String clause) {
    Set<String> gist = new LinkedHashSet<>();
    for (String word : Words.plain(clause)) {
      add(word, gist);
    }
    return gist;
  }

  /** Whether a word is more than a turn of speech. */
  static boolean isSaid(String word) {
    return !EMPTY.contains(word);
  }

  private static void add(String word, Set<String> gist) {
    String base =
        switch (word) {
          case "can't", "cannot" -> "can";
          case "won't" -> "will";
          default -> NOT.matcher(word).replaceFirst("");
        };
    int apostrophe = base.indexOf('\'');
    String first = apostrophe > 0 ? base.substring(0, apostrophe) : base;
    if (base.endsWith("'ve")) {
      gist.add("have");
    }
    if (isSaid(first) && !NUMBER.matcher(first).matches()) {
      gist.add(form(first));
    }
  }

  private static String form(String word) {
    return switch (word) {
      case "have", "has", "had", "having" -> "have";
      default -> Words.stem(word);
    };
  }
}
