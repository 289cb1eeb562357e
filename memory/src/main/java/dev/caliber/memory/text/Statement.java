package dev.caliber.memory.text;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * One clause of a text as the contradiction rules see it.
 *
 * @param words what it speaks of, stemmed, without numbers and dates
 * @param states those of them that have an opposite
 * @param sentence the words of its whole sentence
 * @param around what its whole sentence speaks of
 * @param denial what it says is not so; empty when it denies nothing
 * @param deed whose deed it tells of, if it tells of something that was or is being done
 * @param amounts each number with the word it counts
 * @param dates each date or weekday
 * @param values what it says of attributes that have one value
 * @param hasFigures whether its numbers and dates belong to what it names, so that others can
 *     differ from them
 * @param ordinals which one of several it speaks of: the first, the next
 * @param gist all that it says but for what it denies or counts, if it is a whole sentence about
 *     one thing; else nothing
 */
record Statement(
    String text,
    Set<String> words,
    List<String> states,
    String sentence,
    Set<String> around,
    Optional<Denial> denial,
    Deed deed,
    Set<Amount> amounts,
    Set<String> dates,
    Values values,
    boolean hasFigures,
    List<String> ordinals,
    Set<String> gist) {

  /**
   * What is denied.
   *
   * @param words of whom or what, and what it is not
   * @param predicate only what it is not
   * @param never whether it is denied for all time
   */
  record Denial(Set<String> words, Set<String> predicate, boolean never) {}

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
              + "|\\d{1,2}(?::\\d{2})? ?(?:am|pm)|\\d{1,2}:\\d{2})\\b");
  private static final Pattern NUMBER = Pattern.compile("[$€£]?\\d+(?:[.,]\\d+)*+%?|\\d+/\\d+");
  private static final Pattern VERSION = Pattern.compile("\\d+\\.\\d+\\..*");
  private static final String NEVER = "never";
  private static final Pattern CLAUSE =
      Pattern.compile(
          "(?i)[,;:()]\\s+|(?<!\\s)\\s++[-–—]+\\s+|(?<!\\s)\\s++\\b(?:but|so|since|because|although|though|however"
              + "|which|whereas|considering|given that)\\b\\s+");
  private static final Pattern NEGATOR =
      Pattern.compile(
          "(?i)(?<!\\bmight )(?<!\\bmay )(?<!\\bcould )\\b(?:never|not|no"
              + " longer|cannot|without|neither|nor|no)\\b(?! only| just)|n['’]t\\b");
  private static final Pattern POINTING =
      Pattern.compile("(?i)\\b(?:it|it['’]s|this|that|which|them|these|those)\\b");
  private static final Pattern FINITE =
      Pattern.compile(
          "(?i)\\b(?:is|are|was|were|has|have|had|will|costs|takes|needs|runs|holds|contains|weighs"
              + "|lasts|starts|ends|begins|\\w+ed|got|spent|set|made)\\b|['’](?:s|ve|re|m)\\b");
  private static final Pattern ORDINAL =
      Pattern.compile("(?i)\\b(?:first|second|third|fourth|last|next|previous|other|another)\\b");

  /** Up and on are empty words, unless they are all that is said of a thing. */
  private static final Pattern RUNNING =
      Pattern.compile(
          "(?i)\\b(?:is|are|was|were|be|been|stays?|remains?|turned|switched|went|goes)"
              + "(?: (?:back|now|again|still|always))? (?<state>on|up)(?: (?:again|now))?\\W*$");

  private static final Pattern OR = Pattern.compile("(?i)(?<!\\s)\\s++\\b(?:or|nor)\\b\\s+");

  /** Asking and supposing state nothing. */
  private static final Pattern ASKED =
      Pattern.compile(
          "(?i)^(?:(?:and|but|so|then|also|please|like|or)"
              + " )*+(?:if|whether|how|why|what|when|where|who|can|could|should"
              + "|would|will|do|does|did|is|are|have|has|let)\\b");

  /** Wishing and wondering neither. */
  private static final Pattern WISHED =
      Pattern.compile(
          "(?i)\\b(?:want|need|like|hope|wish|plan|planning|going|try|trying|aim|aiming|hoping)"
              + " to\\b|\\bmake sure\\b|\\b(?:can|could|would) you\\b|\\bwonder(?:ing)?\\b");

  /** Not sure, don't know: a denial of one's own certainty says nothing of the thing. */
  private static final Pattern HEDGE =
      Pattern.compile(
          "(?i)^\\W*(?:really |quite |too |entirely |fully"
              + " )?(?:sure|certain|know|understand|understanding|think|want|get|see|mind|need|believe|remember|care|familiar|clear|confident|make"
              + " sense)\\b");

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
        add(clause.strip(), new Place(sentence, around), statements);
      }
    }
  }

  /** Where a clause stands. */
  private record Place(String sentence, Set<String> around) {}

  boolean isDenial() {
    return denial.isPresent();
  }

  /** Whether it says something of a thing by pointing at what was said before. */
  boolean isPointing() {
    return isPointing(text);
  }

  private static boolean isPointing(String clause) {
    return POINTING.matcher(clause).find();
  }

  private static List<String> ordinals(String clause) {
    return ORDINAL
        .matcher(clause)
        .results()
        .map(match -> match.group().toLowerCase(Locale.ROOT))
        .toList();
  }

  /** What the whole sentence speaks of, or this clause alone beside another of its sentence. */
  Set<String> beside(Statement other) {
    return sentence.equals(other.sentence) ? words : around;
  }

  private static void add(String clause, Place place, List<Statement> statements) {
    if (ASKED.matcher(clause).find()) {
      return;
    }
    var negator = NEGATOR.matcher(clause);
    boolean hedged = false;
    while (negator.find()) {
      String rest = clause.substring(negator.end());
      if (!HEDGE.matcher(rest).find()) {
        deny(clause, negator.toMatchResult(), place, statements);
        return;
      }
      hedged = true;
    }
    boolean stated = Deed.of(clause) == Deed.OWN || !WISHED.matcher(clause).find();
    if (!hedged && stated) {
      statements.add(read(clause, place, Optional.empty()));
    }
  }

  private static void deny(
      String clause, MatchResult negator, Place place, List<Statement> statements) {
    boolean never = negator.group().equalsIgnoreCase(NEVER);
    String subject = clause.substring(0, negator.start());
    for (String alternative : OR.split(clause.substring(negator.end()), -1)) {
      Set<String> words = speaking(subject + " " + alternative);
      if (!words.isEmpty()) {
        Denial denial = new Denial(words, speaking(alternative), never);
        statements.add(read(clause, place, Optional.of(denial)));
      }
    }
  }

  private static Statement read(String clause, Place place, Optional<Denial> denial) {
    Set<String> dates = new LinkedHashSet<>();
    DATE.matcher(clause)
        .results()
        .forEach(match -> dates.add(match.group().toLowerCase(Locale.ROOT)));
    Set<String> words = speaking(clause);
    return new Statement(
        clause,
        words,
        States.in(words),
        place.sentence(),
        place.around(),
        denial,
        Deed.of(clause),
        amounts(withoutDates(clause)),
        dates,
        Values.of(clause),
        FINITE.matcher(clause).find() && !isPointing(clause),
        ordinals(clause),
        isWhole(clause, words, place) ? Gist.of(withoutDates(clause)) : Set.of());
  }

  /** One word tells what a clause is about only where nothing else is said. */
  private static boolean isWhole(String clause, Set<String> words, Place place) {
    return words.stream().filter(Gist::isSaid).count() == 1
        && clause.equals(place.sentence())
        && !isPointing(clause);
  }

  /** Whether both say the same, but for what they deny or count. */
  boolean isLike(Statement other) {
    return !gist.isEmpty() && gist.equals(other.gist);
  }

  private static String withoutDates(String clause) {
    return DATE.matcher(clause).replaceAll(" ");
  }

  private static Set<String> speaking(String clause) {
    Set<String> words = Words.content(withoutDates(clause));
    var running = RUNNING.matcher(clause);
    if (running.find()) {
      words.add(running.group("state").toLowerCase(Locale.ROOT));
    }
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
