package dev.caliber.kernel;

import static dev.caliber.kernel.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {
  @ParameterizedTest
  @CsvSource({
    "250ms,250",
    "30s,30000",
    "5m,300000",
    "2h,7200000",
    "1d,86400000",
    "1w,604800000",
    "0s,0",
    "9223372036854775807ms,9223372036854775807"
  })
  @DisplayName("UTL-05: a whole number and a unit are a duration, and back")
  void readsAndWrites(String text, long millis) {
    assertThat(Durations.parse(text)).isEqualTo(Duration.ofMillis(millis));
    assertThat(Durations.format(Duration.ofMillis(millis))).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "5",
        "s",
        "1.5s",
        "-1s",
        "+1s",
        "1 s",
        " 1s",
        "1s ",
        "1S",
        "1y",
        "1us",
        "1m30s",
        "１s",
        "9223372036854775808ms",
        "9223372036854775807s",
        "99999999999999999999s",
        "PT5M"
      })
  @DisplayName("UTL-05: anything else is an error, not 0")
  void refusesAnythingElse(String text) {
    assertThat(refused(KernelErrorCode.INVALID_VALUE, () -> Durations.parse(text)))
        .hasMessageContaining("'" + text + "'");
  }

  @Test
  void writesTheLargestExactUnit() {
    assertThat(Durations.format(Duration.ofMinutes(90))).isEqualTo("90m");
    assertThat(Durations.format(Duration.ofDays(14))).isEqualTo("2w");
  }

  @Test
  void refusesToWriteWhatItCouldNotRead() {
    refused(KernelErrorCode.INVALID_VALUE, () -> Durations.format(Duration.ofNanos(1)));
    refused(KernelErrorCode.INVALID_VALUE, () -> Durations.format(Duration.ofMillis(-1)));
    refused(
        KernelErrorCode.INVALID_VALUE, () -> Durations.format(Duration.ofSeconds(Long.MAX_VALUE)));
  }

  @ParameterizedTest
  @CsvSource({
    "0B,0",
    "100B,100",
    "64KiB,65536",
    "1MiB,1048576",
    "2GiB,2147483648",
    "2048GiB,2199023255552"
  })
  void readsAndWritesSizes(String text, long bytes) {
    assertThat(DataSize.parse(text)).isEqualTo(new DataSize(bytes)).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "1", "B", "1KB", "1k", "1.5MiB", "-1B", "1 B", "9223372036854775807KiB"})
  void refusesOtherSizes(String text) {
    assertThat(refused(KernelErrorCode.INVALID_VALUE, () -> DataSize.parse(text)))
        .hasMessageContaining("'" + text + "'");
  }

  @Test
  void sizesHaveAnOrderAndNoNegatives() {
    assertThat(DataSize.parse("1KiB")).hasToString("1KiB").isGreaterThan(DataSize.parse("1023B"));
    refused(KernelErrorCode.INVALID_VALUE, () -> new DataSize(-1));
  }
}
