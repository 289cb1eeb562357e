package dev.caliber.store.search.rank;

import dev.caliber.store.search.SearchConfig;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.Month;
import java.time.Year;
import java.time.YearMonth;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * Day, month or year that a query names. Without a year it is that time of any year.
 *
 * @param month empty for a whole year
 * @param day empty for a whole month
 */
record MentionedPeriod(OptionalInt year, OptionalInt month, OptionalInt day) {

  /**
   * Returns 1 for a day inside, a share for one soon after, since people report what has happened,
   * else 0.
   */
  double matchScore(LocalDate date, SearchConfig.QueryAnalysisSettings rules) {
    IntStream years =
        year.isPresent()
            ? IntStream.of(year.getAsInt())
            : IntStream.of(date.getYear() - 1, date.getYear());
    return years.mapToDouble(each -> matchScore(each, date, rules)).max().orElse(0);
  }

  private double matchScore(int inYear, LocalDate date, SearchConfig.QueryAnalysisSettings rules) {
    Optional<LocalDate> first = firstDay(inYear);
    if (first.isEmpty() || date.isBefore(first.get())) {
      return 0;
    }
    long late = ChronoUnit.DAYS.between(lastDay(inYear, first.get()), date);
    return late <= 0 ? 1 : late <= rules.periodGrace().toDays() ? rules.periodGraceShare() : 0;
  }

  /** Returns the first day; empty for a day that the year does not have. */
  private Optional<LocalDate> firstDay(int inYear) {
    try {
      return Optional.of(LocalDate.of(inYear, month.orElse(1), day.orElse(1)));
    } catch (DateTimeException _) {
      return Optional.empty();
    }
  }

  private LocalDate lastDay(int inYear, LocalDate first) {
    if (day.isPresent()) {
      return first;
    }
    return month.isPresent()
        ? YearMonth.from(first).atEndOfMonth()
        : Year.of(inYear).atMonth(Month.DECEMBER).atEndOfMonth();
  }
}
