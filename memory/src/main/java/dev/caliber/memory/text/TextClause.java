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
 * Clause of a text, prepared for the contradiction rules.
 *
 * @param words topic words, stemmed, without numbers and dates
 * @param antonymWords those of them that have an opposite
 * @param sentence the whole sentence of the clause
 * @param sentenceWords topic words of the whole sentence
 * @param denial what the clause denies; empty when it denies nothing
 * @param action the actor of the action that the clause reports, if it reports one
 * @param amounts each number with the word it counts
 * @param dates each date or weekday
 * @param values values of attributes that have one value at a time
 * @param hasFigures whether its numbers and dates belong to its topic, so that those of another
 *     clause can differ from them
 * @param ordinals which one of several it is about: the first, the next
 * @param signature its words without negations and numbers, if it is a whole sentence about one
 *     thing; else empty
 */
record TextClause(
    String text,
    Set<String> words,
    List<String> antonymWords,
    String sentence,
    Set<String> sentenceWords,
    Optional<ClauseDenial> denial,
    ReportedAction action,
    Set<CountedAmount> amounts,
    Set<String> dates,
    AttributeValues values,
    boolean hasFigures,
    List<String> ordinals,
    Set<String> signature) {

  /**
   * Denied content.
   *
   * @param words the subject and what is denied of it
   * @param predicate only what is denied
   * @param never whether it is denied for all time
   */
  record ClauseDenial(Set<String> words, Set<String> predicate, boolean never) {}

  /** A number and the word it counts, which may be empty. */
  record CountedAmount(String number, String unit) {}

  /** Longer clauses are skipped: the rules would take too long. */
  private static final int CLAUSE_BOUND = 1024;

  /** Clauses beyond this number are ignored. */
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

  /** "Up" and "on" are stop words, unless they are all that is said of a thing. */
  private static final Pattern RUNNING =
      Pattern.compile(
          "(?i)\\b(?:is|are|was|were|be|been|stays?|remains?|turned|switched|went|goes)"
              + "(?: (?:back|now|again|still|always))? (?<state>on|up)(?: (?:again|now))?\\W*$");

  private static final Pattern OR = Pattern.compile("(?i)(?<!\\s)\\s++\\b(?:or|nor)\\b\\s+");

  /** Questions and suppositions state nothing. */
  private static final Pattern ASKED =
      Pattern.compile(
          "(?i)^(?:(?:and|but|so|then|also|please|like|or)"
              + " )*+(?:if|whether|how|why|what|when|where|who|can|could|should"
              + "|would|will|do|does|did|is|are|have|has|let)\\b");

  /** Wishes and wondering state nothing. */
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

  /** Returns every clause of a text; a denial of alternatives yields one clause for each. */
  static List<TextClause> clausesOf(String text) {
    List<TextClause> statements = new ArrayList<>();
    for (String sentence : SentenceSplitter.split(text)) {
      addClauses(sentence, statements);
    }
    return statements.subList(0, Math.min(CLAUSES_BOUND, statements.size()));
  }

  private static void addClauses(String sentence, List<TextClause> statements) {
    Set<String> around = sentence.length() <= CLAUSE_BOUND ? topicWords(sentence) : Set.of();
    for (String clause : CLAUSE.split(sentence, -1)) {
      if (statements.size() < CLAUSES_BOUND && clause.length() <= CLAUSE_BOUND) {
        addClause(clause.strip(), new ClausePosition(sentence, around), statements);
      }
    }
  }

  /** Sentence of a clause and its topic words. */
  private record ClausePosition(String sentence, Set<String> sentenceWords) {}

  boolean isDenial() {
    return denial.isPresent();
  }

  /** Returns whether the clause refers to an earlier one by a word such as "it" or "this". */
  boolean hasPointingWord() {
    return hasPointingWord(text);
  }

  private static boolean hasPointingWord(String clause) {
    return POINTING.matcher(clause).find();
  }

  private static List<String> findOrdinals(String clause) {
    return ORDINAL
        .matcher(clause)
        .results()
        .map(match -> match.group().toLowerCase(Locale.ROOT))
        .toList();
  }

  /**
   * Returns the topic words of the whole sentence, or of this clause alone if the other is from the
   * same sentence.
   */
  Set<String> topicWordsBeside(TextClause other) {
    return sentence.equals(other.sentence) ? words : sentenceWords;
  }

  private static void addClause(
      String clause, ClausePosition clausePosition, List<TextClause> statements) {
    if (ASKED.matcher(clause).find()) {
      return;
    }
    var negator = NEGATOR.matcher(clause);
    boolean hedged = false;
    while (negator.find()) {
      String rest = clause.substring(negator.end());
      if (!HEDGE.matcher(rest).find()) {
        addDenials(clause, negator.toMatchResult(), clausePosition, statements);
        return;
      }
      hedged = true;
    }
    boolean stated =
        ReportedAction.of(clause) == ReportedAction.OWN || !WISHED.matcher(clause).find();
    if (!hedged && stated) {
      statements.add(newClause(clause, clausePosition, Optional.empty()));
    }
  }

  private static void addDenials(
      String clause,
      MatchResult negator,
      ClausePosition clausePosition,
      List<TextClause> statements) {
    boolean never = negator.group().equalsIgnoreCase(NEVER);
    String subject = clause.substring(0, negator.start());
    for (String alternative : OR.split(clause.substring(negator.end()), -1)) {
      Set<String> words = topicWords(subject + " " + alternative);
      if (!words.isEmpty()) {
        ClauseDenial clauseDenial = new ClauseDenial(words, topicWords(alternative), never);
        statements.add(newClause(clause, clausePosition, Optional.of(clauseDenial)));
      }
    }
  }

  private static TextClause newClause(
      String clause, ClausePosition clausePosition, Optional<ClauseDenial> denial) {
    Set<String> dates = new LinkedHashSet<>();
    DATE.matcher(clause)
        .results()
        .forEach(match -> dates.add(match.group().toLowerCase(Locale.ROOT)));
    Set<String> words = topicWords(clause);
    return new TextClause(
        clause,
        words,
        Antonyms.wordsWithAntonym(words),
        clausePosition.sentence(),
        clausePosition.sentenceWords(),
        denial,
        ReportedAction.of(clause),
        findAmounts(withoutDates(clause)),
        dates,
        AttributeValues.of(clause),
        FINITE.matcher(clause).find() && !hasPointingWord(clause),
        findOrdinals(clause),
        isWholeSentence(clause, words, clausePosition)
            ? ClauseSignature.signatureOf(withoutDates(clause))
            : Set.of());
  }

  /** One word identifies the topic of a clause only if the clause says nothing else. */
  private static boolean isWholeSentence(
      String clause, Set<String> words, ClausePosition clausePosition) {
    return words.stream().filter(ClauseSignature::isContentWord).count() == 1
        && clause.equals(clausePosition.sentence())
        && !hasPointingWord(clause);
  }

  /** Returns whether both clauses are equal but for their negations and numbers. */
  boolean hasSameSignature(TextClause other) {
    return !signature.isEmpty() && signature.equals(other.signature);
  }

  private static String withoutDates(String clause) {
    return DATE.matcher(clause).replaceAll(" ");
  }

  private static Set<String> topicWords(String clause) {
    Set<String> words = WordTokenizer.contentWords(withoutDates(clause));
    var running = RUNNING.matcher(clause);
    if (running.find()) {
      words.add(running.group("state").toLowerCase(Locale.ROOT));
    }
    words.removeIf(word -> NUMBER.matcher(word).matches() || NEGATOR.matcher(word).find());
    return words;
  }

  private static Set<CountedAmount> findAmounts(String clause) {
    Set<CountedAmount> amounts = new LinkedHashSet<>();
    List<String> words = WordTokenizer.allWords(clause);
    for (int i = 0; i < words.size(); i++) {
      if (NUMBER.matcher(words.get(i)).matches() && !VERSION.matcher(words.get(i)).matches()) {
        amounts.add(new CountedAmount(words.get(i), unit(words, i)));
      }
    }
    return amounts;
  }

  /** Returns the next content word; the unit of a percentage is the percent sign. */
  private static String unit(List<String> words, int number) {
    if (words.get(number).endsWith("%")) {
      return "%";
    }
    for (int i = number + 1; i < words.size(); i++) {
      if (!WordTokenizer.isStopWord(words.get(i))) {
        return WordTokenizer.stem(words.get(i));
      }
    }
    return "";
  }
}
