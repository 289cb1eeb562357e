package dev.caliber.memory.text;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Words of a clause without negations and numbers. Two clauses with equal signatures have one
 * topic, however few words they contain. Pronouns and common verbs count here, although they are
 * not content words: to have coffee is not to like it.
 */
final class ClauseSignature {
  private static final Pattern NUMBER = Pattern.compile("\\p{N}.*");
  private static final Pattern NOT = Pattern.compile("n't$");
  private static final Set<String> EMPTY =
      Set.of(
          ("a an the am is are was were be been being do does did not no never nor neither without"
                  + " any some very really just also actually currently now already too much lot"
                  + " lots longer yes")
              .split(" ", -1));

  private ClauseSignature() {}

  static Set<String> signatureOf(String clause) {
    Set<String> gist = new LinkedHashSet<>();
    for (String word : WordTokenizer.allWords(clause)) {
      addWord(word, gist);
    }
    return gist;
  }

  /** Returns whether a word is more than a filler. */
  static boolean isContentWord(String word) {
    return !EMPTY.contains(word);
  }

  private static void addWord(String word, Set<String> gist) {
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
    if (isContentWord(first) && !NUMBER.matcher(first).matches()) {
      gist.add(baseForm(first));
    }
  }

  private static String baseForm(String word) {
    return switch (word) {
      case "have", "has", "had", "having" -> "have";
      default -> WordTokenizer.stem(word);
    };
  }
}
