package dev.caliber.store.search.rank;

import java.time.Month;
import java.time.format.TextStyle;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Parser of dates in English text: {@code 7 May 2023}, {@code 7th of May}, {@code May 7, 2023},
 * {@code 2023-05-07}, {@code in May 2023}, {@code in May}, {@code in 2023}. Names of months that
 * are other words too count alone only after a preposition.
 */
final class EnglishDateParser {

  private static final String MONTH =
      Stream.of(Month.values())
          .map(month -> shortened(month) + "(?:" + nameRest(month) + "|t)?\\.?")
          .collect(Collectors.joining("|", "\\b(", ")"));
  private static final String NUMBER = "(\\d{1,2})(?:st|nd|rd|th)?";
  private static final String YEAR = "(?:,?\\s+(?:of\\s+)?((?:19|20)\\d\\d)\\b)?";

  private static final Pattern ISO = compilePattern("\\b((?:19|20)\\d\\d)-(\\d\\d)-(\\d\\d)\\b");
  private static final Pattern DAY_FIRST =
      compilePattern("\\b" + NUMBER + "\\s+(?:of\\s+)?" + MONTH + "(?!\\p{L})" + YEAR);
  private static final Pattern MONTH_FIRST =
      compilePattern(MONTH + "\\s+(?:the\\s+)?" + NUMBER + "(?![\\d\\p{L}])" + YEAR);
  private static final Pattern MONTH_AND_YEAR =
      compilePattern(MONTH + "(?!\\p{L}),?\\s+(?:of\\s+)?((?:19|20)\\d\\d)\\b");
  private static final Pattern MONTH_ALONE =
      compilePattern(
          "\\b(?:in|of|during|by|since|until|from|last|this|next|early|late|mid|mid-)\\s*"
              + MONTH
              + "(?!\\p{L})");
  private static final Pattern YEAR_ALONE = compilePattern("\\b((?:19|20)\\d\\d)\\b");

  private EnglishDateParser() {}

  private static Pattern compilePattern(String pattern) {
    return Pattern.compile(pattern, Pattern.CASE_INSENSITIVE);
  }

  private static String name(Month month) {
    return month.getDisplayName(TextStyle.FULL, Locale.ENGLISH);
  }

  private static String shortened(Month month) {
    return name(month).substring(0, SHORT);
  }

  private static String nameRest(Month month) {
    return name(month).substring(SHORT);
  }

  private static final int SHORT = 3;

  /** Returns all periods that a text names, as exactly as it names them. */
  static List<MentionedPeriod> findPeriods(String text) {
    List<MentionedPeriod> found = new ArrayList<>();
    matches(ISO, text)
        .map(m -> new MentionedPeriod(number(m, 1), number(m, 2), number(m, 3)))
        .forEach(found::add);
    matches(DAY_FIRST, text)
        .map(m -> new MentionedPeriod(number(m, 3), month(m, 2), number(m, 1)))
        .forEach(found::add);
    matches(MONTH_FIRST, text)
        .map(m -> new MentionedPeriod(number(m, 3), month(m, 1), number(m, 2)))
        .forEach(found::add);
    if (found.isEmpty()) {
      found.addAll(findMonths(text));
    }
    if (found.isEmpty()) {
      matches(YEAR_ALONE, text)
          .map(m -> new MentionedPeriod(number(m, 1), OptionalInt.empty(), OptionalInt.empty()))
          .forEach(found::add);
    }
    return found;
  }

  private static List<MentionedPeriod> findMonths(String text) {
    List<MentionedPeriod> dated =
        matches(MONTH_AND_YEAR, text)
            .map(m -> new MentionedPeriod(number(m, 2), month(m, 1), OptionalInt.empty()))
            .toList();
    return dated.isEmpty()
        ? matches(MONTH_ALONE, text)
            .map(m -> new MentionedPeriod(OptionalInt.empty(), month(m, 1), OptionalInt.empty()))
            .toList()
        : dated;
  }

  private static Stream<MatchResult> matches(Pattern pattern, String text) {
    return pattern.matcher(text).results();
  }

  private static OptionalInt number(MatchResult match, int group) {
    @Nullable String digits = match.group(group);
    return digits == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(digits));
  }

  private static OptionalInt month(MatchResult match, int group) {
    String start = match.group(group).substring(0, SHORT).toLowerCase(Locale.ROOT);
    return Stream.of(Month.values())
        .filter(month -> shortened(month).toLowerCase(Locale.ROOT).equals(start))
        .mapToInt(Month::getValue)
        .findFirst();
  }
}
