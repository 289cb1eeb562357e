package dev.caliber.store.search.rank;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.store.search.SearchConfig;
import java.time.LocalDate;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Periods that people name in queries. */
class PeriodFormatTest {

  private static final SearchConfig.QueryAnalysisSettings RULES =
      SearchConfig.starter().queryAnalysis();

  private static MentionedPeriod period(int year, int month, int day) {
    return new MentionedPeriod(known(year), known(month), known(day));
  }

  private static OptionalInt known(int value) {
    return value == 0 ? OptionalInt.empty() : OptionalInt.of(value);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "What did Ann do on 7 May 2023?|2023|5|7",
        "What did Ann do on the 7th of May?|0|5|7",
        "What happened on May 7, 2023?|2023|5|7",
        "what happened on sept. 21st|0|9|21",
        "What happened on 2023-05-07?|2023|5|7",
        "Where was she in October 2022?|2022|10|0",
        "Where was she in early March?|0|3|0",
        "How often did he travel in 2023?|2023|0|0"
      })
  void aTimeIsReadAsExactlyAsItIsNamed(String text, int year, int month, int day) {
    assertThat(EnglishDateParser.findPeriods(text)).containsExactly(period(year, month, day));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "What may she like?",
        "Did they march for peace?",
        "Who bought 12 decorations?",
        "What is the mayor's name?",
        ""
      })
  void otherWordsNameNoTime(String text) {
    assertThat(EnglishDateParser.findPeriods(text)).isEmpty();
  }

  @Test
  void severalTimesAreAllRead() {
    assertThat(EnglishDateParser.findPeriods("between 3 June and 5 July 2023"))
        .isEqualTo(List.of(period(0, 6, 3), period(2023, 7, 5)));
  }

  @Test
  void aDayInsideCountsFullySoonAfterInPartAndElseNothing() {
    MentionedPeriod may = period(2023, 5, 0);
    assertThat(may.matchScore(LocalDate.of(2023, 5, 1), RULES)).isEqualTo(1);
    assertThat(may.matchScore(LocalDate.of(2023, 5, 31), RULES)).isEqualTo(1);
    assertThat(may.matchScore(LocalDate.of(2023, 6, 7), RULES)).isEqualTo(RULES.periodGraceShare());
    assertThat(may.matchScore(LocalDate.of(2023, 6, 8), RULES)).isZero();
    assertThat(may.matchScore(LocalDate.of(2023, 4, 30), RULES)).isZero();
    assertThat(may.matchScore(LocalDate.of(2022, 5, 5), RULES)).isZero();
  }

  @Test
  void withoutAYearItIsThatTimeOfAnyAndSoonAfterReachesIntoTheNext() {
    MentionedPeriod last = period(0, 12, 31);
    assertThat(last.matchScore(LocalDate.of(2019, 12, 31), RULES)).isEqualTo(1);
    assertThat(last.matchScore(LocalDate.of(2020, 1, 2), RULES))
        .isEqualTo(RULES.periodGraceShare());
  }

  @Test
  void aDayThatAYearDoesNotHaveHoldsNothing() {
    assertThat(period(2023, 2, 30).matchScore(LocalDate.of(2023, 3, 2), RULES)).isZero();
  }
}
