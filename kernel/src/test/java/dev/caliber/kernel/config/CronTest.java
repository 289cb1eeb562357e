package dev.caliber.kernel.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.Json;
import java.time.LocalDateTime;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CronTest {
  @ParameterizedTest
  @DisplayName("DSL-13: a schedule matches the minutes that its five fields name")
  @CsvSource({
    "0 0 * * *, 2026-11-15T00:00, true",
    "0 0 * * *, 2026-11-15T00:01, false",
    "*/15 8-18 * * MON-FRI, 2026-11-16T08:45, true",
    "*/15 8-18 * * MON-FRI, 2026-11-15T08:45, false",
    "5/20 * * * *, 2026-11-16T08:25, true",
    "5/20 * * * *, 2026-11-16T08:20, false",
    "0 12 1 jan *, 2027-01-01T12:00, true",
    "0 12 * * 7, 2026-11-15T12:00, true",
    "0 12 * * 0, 2026-11-15T12:00, true",
    "0 12 13 * 5, 2026-11-13T12:00, true",
    "0 12 13 * 5, 2026-11-20T12:00, true",
    "0 12 13 * 5, 2026-11-19T12:00, false",
    "0 0 29 2 *, 2028-02-29T00:00, true"
  })
  void matchesWhatItsFieldsName(String cron, LocalDateTime time, boolean matches) {
    assertThat(Cron.parse(cron).matches(time)).isEqualTo(matches);
  }

  @ParameterizedTest
  @DisplayName("DSL-15: a schedule that cannot be read says which field is wrong")
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | 5 fields",
        "* * * * | found 4",
        "* * * * * * | found 6",
        "60 * * * * | minute: expected a number from 0 to 59",
        "* 24 * * * | hour",
        "* * 0 * * | day of the month",
        "* * * 13 * | month: expected a number from 1 to 12 or a name",
        "* * * * 8 | day of the week",
        "* * * * FUN | found 'FUN'",
        "9-5 * * * * | a range from a smaller to a larger number",
        "*/0 * * * * | a step from 1 to 59",
        "1, * * * * | minute",
        "0 0 30 2 * | none of its months has its day",
        "0 0 31 4,6,9,11 * | none of its months has its day"
      })
  void saysWhatIsWrong(String cron, String message) {
    assertThatThrownBy(() -> Cron.parse(cron)).hasMessageContaining(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0 0 30 2 MON", "0 0 31 4,5 *", "* * * * *", "0  0 * * SUN"})
  void possibleDatesAreTaken(String cron) {
    assertThat(Cron.parse(cron).text()).doesNotContain("  ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "30 4 * * *    | 2026-01-01T04:30 | 2026-01-02T04:30",
        "30 4 * * *    | 2026-01-01T04:29:59 | 2026-01-01T04:30",
        "0 0 29 2 *    | 2096-03-01T00:00 | 2104-02-29T00:00",
        "*/15 9 * * MON | 2026-01-01T00:00 | 2026-01-05T09:00",
        "0 0 1 1 *     | 2026-01-01T00:00 | 2027-01-01T00:00"
      })
  void knowsTheNextTime(String cron, LocalDateTime after, LocalDateTime next) {
    assertThat(Cron.parse(cron).next(after)).contains(next);
  }

  @Test
  void isATextInJson() {
    var cron = Cron.parse("0 0 * * *");
    assertThat(Json.text(cron)).isEqualTo("\"0 0 * * *\"");
    assertThat(Json.read(Json.bytes(cron), Cron.class)).isEqualTo(cron).hasSameHashCodeAs(cron);
  }
}
