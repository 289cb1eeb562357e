package dev.caliber.memory.text;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * One clause of a text as the contradiction rules see it.
 *
 * @param words what it speaks of, stemmed, without numbers and dates
 * @param around what its whole sentence speaks of
 * @param denied what it says is not so; empty when it denies nothing
 * @param never whether it denies for all time
 * @param amounts each number with the word it counts
 * @param dates each date or weekday
 */
record Statement(
    String text,
    Set<String> words,
    Set<String> around,
    Set<String> denied,
    boolean never,
    Set<Amount> amounts,
    Set<String> dates) {

  /** A number and what it counts, which may be nothing. */
  record Amount(String number, String of) {}

  /** What is longer is no clause, and rules on it would take too long. */
  private static final int CLAUSE_BOUND = 1024;

  /** Of a text with more clauses, the first ones are read. */
  private static final int CLAUSES_BOUND = 32;

  private static final String MONTH =
      "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
          + "|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)";
  private static final Pattern DATE =
      Pattern.compile(
          "(?i)\\b(?:\\d{4}-\\d{2}-\\d{2}|"
              + MONTH
              + "\\.? \\d{1,2}(?:st|nd|rd|th)?(?:,? \\d{4})?|\\d{1,2}(?:st|nd|rd|th)? "
              + MONTH
              + "(?: \\d{4})?|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
              + "|\\d{1,2}(?::\\d{2})? ?(?:am|pm))\\b");
  private static final Pattern NUMBER = Pattern.compile("[$€£]?\\d+(?:[.,]\\d+)*+%?|\\d+/\\d+");
  private static final Pattern VERSION = Pattern.compile("\\d+\\.\\d+\\..*");
  private static final String NEVER = "never";
  private static final Pattern CLAUSE =
      Pattern.compile(
          "(?i)[,;:()]\\s+|(?<!\\s)\\s++[-–—]+\\s+|(?<!\\s)\\s++\\b(?:but|so|since|because|although|though|however"
              + "|which|whereas|considering|given that)\\b\\s+");
  private static final Pattern NEGATOR =
      Pattern.compile(
          "(?i)\\b(?:never|not|no longer|cannot|without|neither|nor|no)\\b(?! only| just)|n['’]t\\b");
  private static final Pattern OR = Pattern.compile("(?i)(?<!\\s)\\s++\\b(?:or|nor)\\b\\s+");

  /** Asking, wishing, supposing and wondering state nothing. */
  private static final Pattern UNSTATED =
      Pattern.compile(
          "(?i)^(?:(?:and|then|also|please) )*(?:if|whether|how|why|what|when|where|who|can|could|should|would"
              + "|will|do|does|did|is|are|have|has|let)\\b|\\b(?:want|need|like|hope|wish|plan|planning|going) to\\b"
              + "|\\bmake sure\\b|\\b(?:can|could|would) you\\b|\\bwonder(?:ing)?\\b");

  /** Not sure, don't know: a denial of one's own certainty says nothing of the thing. */
  private static final Pattern HEDGE =
      Pattern.compile(
          "(?i)^\\W*(?:really |quite |too |entirely |fully )?(?:sure|certain|know|understand|understanding|think"
              + "|want|get|see|mind|need|believe|remember|care|familiar|clear|confident|make sense)\\b");

  /** Every clause of a text; a denial of this or that denies each. */
  static List<Statement> of(String text) {
    List<Statement> statements = new ArrayList<>();
    for (String sentence : Sentences.of(text)) {
      clauses(sentence, statements);
    }
    return statements.subList(0, Math.min(CLAUSES_BOUND, statements.size()));
  }

  private static void clauses(String sentence, List<Statement> statements) {
    Set<String> around = sentence.length() <= CLAUSE_BOUND ? speaking(sentence) : Set.of();
    for (String clause : CLAUSE.split(sentence, -1)) {
      if (statements.size() < CLAUSES_BOUND && clause.length() <= CLAUSE_BOUND) {
        add(clause.strip(), around, statements);
      }
    }
  }

  boolean isDenial() {
    return !denied.isEmpty();
  }

  private static void add(String clause, Set<String> around, List<Statement> statements) {
    var negator = NEGATOR.matcher(clause);
    if (!negator.find()) {
      if (!UNSTATED.matcher(clause).find()) {
        statements.add(read(clause, around, Set.of(), false));
      }
      return;
    }
    String rest = clause.substring(negator.end());
    if (HEDGE.matcher(rest).find()) {
      return;
    }
    boolean never = negator.group().equalsIgnoreCase(NEVER);
    String subject = clause.substring(0, negator.start());
    for (String alternative : OR.split(rest, -1)) {
      statements.add(read(clause, around, speaking(subject + " " + alternative), never));
    }
  }

  private static Statement read(
      String clause, Set<String> around, Set<String> denied, boolean never) {
    Set<String> dates = new LinkedHashSet<>();
    DATE.matcher(clause)
        .results()
        .forEach(match -> dates.add(match.group().toLowerCase(Locale.ROOT)));
    return new Statement(
        clause, speaking(clause), around, denied, never, amounts(withoutDates(clause)), dates);
  }

  private static String withoutDates(String clause) {
    return DATE.matcher(clause).replaceAll(" ");
  }

  private static Set<String> speaking(String clause) {
    Set<String> words = Words.content(withoutDates(clause));
    words.removeIf(word -> NUMBER.matcher(word).matches() || NEGATOR.matcher(word).find());
    return words;
  }

  private static Set<Amount> amounts(String clause) {
    Set<Amount> amounts = new LinkedHashSet<>();
    List<String> words = Words.plain(clause);
    for (int i = 0; i < words.size(); i++) {
      if (NUMBER.matcher(words.get(i)).matches() && !VERSION.matcher(words.get(i)).matches()) {
        amounts.add(new Amount(words.get(i), unit(words, i)));
      }
    }
    return amounts;
  }

  /** The next word that carries meaning; a percentage counts itself. */
  private static String unit(List<String> words, int number) {
    if (words.get(number).endsWith("%")) {
      return "%";
    }
    for (int i = number + 1; i < words.size(); i++) {
      if (!Words.isEmpty(words.get(i))) {
        return Words.stem(words.get(i));
      }
    }
    return "";
  }
}
