package dev.caliber.store.search;

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
 * Times as English writes them: {@code 7 May 2023}, {@code 7th of May}, {@code May 7, 2023}, {@code
 * 2023-05-07}, {@code in May 2023}, {@code in May}, {@code in 2023}. Names of months that are other
 * words too count alone only after a preposition.
 */
final class PeriodFormat {

  private static final String MONTH =
      Stream.of(Month.values())
          .map(month -> shortened(month) + "(?:" + rest(month) + "|t)?\\.?")
          .collect(Collectors.joining("|", "\\b(", ")"));
  private static final String NUMBER = "(\\d{1,2})(?:st|nd|rd|th)?";
  private static final String YEAR = "(?:,?\\s+(?:of\\s+)?((?:19|20)\\d\\d)\\b)?";

  private static final Pattern ISO = words("\\b((?:19|20)\\d\\d)-(\\d\\d)-(\\d\\d)\\b");
  private static final Pattern DAY_FIRST =
      words("\\b" + NUMBER + "\\s+(?:of\\s+)?" + MONTH + "(?!\\p{L})" + YEAR);
  private static final Pattern MONTH_FIRST =
      words(MONTH + "\\s+(?:the\\s+)?" + NUMBER + "(?![\\d\\p{L}])" + YEAR);
  private static final Pattern MONTH_AND_YEAR =
      words(MONTH + "(?!\\p{L}),?\\s+(?:of\\s+)?((?:19|20)\\d\\d)\\b");
  private static final Pattern MONTH_ALONE =
      words(
          "\\b(?:in|of|during|by|since|until|from|last|this|next|early|late|mid|mid-)\\s*"
              + MONTH
              + "(?!\\p{L})");
  private static final Pattern YEAR_ALONE = words("\\b((?:19|20)\\d\\d)\\b");

  private PeriodFormat() {}

  private static Pattern words(String pattern) {
    return Pattern.compile(pattern, Pattern.CASE_INSENSITIVE);
  }

  private static String name(Month month) {
    return month.getDisplayName(TextStyle.FULL, Locale.ENGLISH);
  }

  private static String shortened(Month month) {
    return name(month).substring(0, SHORT);
  }

  private static String rest(Month month) {
    return name(month).substring(SHORT);
  }

  private static final int SHORT = 3;

  /** All times that a text names, as exactly as it does. */
  static List<Period> in(String text) {
    List<Period> found = new ArrayList<>();
    each(ISO, text)
        .map(m -> new Period(number(m, 1), number(m, 2), number(m, 3)))
        .forEach(found::add);
    each(DAY_FIRST, text)
        .map(m -> new Period(number(m, 3), month(m, 2), number(m, 1)))
        .forEach(found::add);
    each(MONTH_FIRST, text)
        .map(m -> new Period(number(m, 3), month(m, 1), number(m, 2)))
        .forEach(found::add);
    if (found.isEmpty()) {
      found.addAll(months(text));
    }
    if (found.isEmpty()) {
      each(YEAR_ALONE, text)
          .map(m -> new Period(number(m, 1), OptionalInt.empty(), OptionalInt.empty()))
          .forEach(found::add);
    }
    return found;
  }

  private static List<Period> months(String text) {
    List<Period> dated =
        each(MONTH_AND_YEAR, text)
            .map(m -> new Period(number(m, 2), month(m, 1), OptionalInt.empty()))
            .toList();
    return dated.isEmpty()
        ? each(MONTH_ALONE, text)
            .map(m -> new Period(OptionalInt.empty(), month(m, 1), OptionalInt.empty()))
            .toList()
        : dated;
  }

  private static Stream<MatchResult> each(Pattern pattern, String text) {
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
