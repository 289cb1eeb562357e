package dev.caliber.kernel;

import static dev.caliber.kernel.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimestampsTest {
  private static final long FIRST = -62_167_219_200L;
  private static final long LAST = 253_402_300_799L;
  private static final DateTimeFormatter REFERENCE =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  @Test
  @DisplayName("ARC-11: a time has one text, of 27 characters")
  void writesOneText() {
    assertThat(Timestamps.format(Instant.parse("2026-11-15T21:12:09.123456789Z")))
        .isEqualTo("2026-11-15T21:12:09.123456Z");
    assertThat(Timestamps.format(Instant.EPOCH)).isEqualTo("1970-01-01T00:00:00.000000Z");
    assertThat(Timestamps.format(Instant.ofEpochSecond(FIRST)))
        .isEqualTo("0000-01-01T00:00:00.000000Z");
    assertThat(Timestamps.format(Instant.ofEpochSecond(LAST, 999_999_999)))
        .isEqualTo("9999-12-31T23:59:59.999999Z");
  }

  @Property
  @Label("ARC-11: the text is that of the JDK's formatter, and reads back")
  void agreesWithTheJdk(
      @ForAll @LongRange(min = FIRST, max = LAST) long second,
      @ForAll @IntRange(max = 999_999_999) int nano) {
    var time = Instant.ofEpochSecond(second, nano);
    String text = Timestamps.format(time);
    assertThat(text).hasSize(27).isEqualTo(REFERENCE.format(time));
    assertThat(Timestamps.parse(text)).isEqualTo(Timestamps.truncate(time));
  }

  @Property
  @Label("ARC-11: texts sort as times do")
  void textsSortAsTimes(
      @ForAll @LongRange(min = FIRST, max = LAST) long one,
      @ForAll @LongRange(min = FIRST, max = LAST) long other) {
    var a = Instant.ofEpochSecond(one);
    var b = Instant.ofEpochSecond(other);
    assertThat(Integer.signum(Timestamps.format(a).compareTo(Timestamps.format(b))))
        .isEqualTo(Integer.signum(a.compareTo(b)));
  }

  @Test
  void truncatesToMicroseconds() {
    assertThat(Timestamps.truncate(Instant.parse("2026-01-01T00:00:00.123456789Z")))
        .isEqualTo(Instant.parse("2026-01-01T00:00:00.123456Z"));
    assertThat(Timestamps.truncate(Instant.ofEpochSecond(-1, 999_999_999)))
        .isEqualTo(Instant.ofEpochSecond(-1, 999_999_000));
  }

  @Test
  void readsOtherTimesWithAnOffset() {
    var time = Instant.parse("2026-11-15T21:12:09Z");
    assertThat(Timestamps.parse("2026-11-15T21:12:09Z")).isEqualTo(time);
    assertThat(Timestamps.parse("2026-11-15T23:12:09+02:00")).isEqualTo(time);
    assertThat(Timestamps.parse("2026-11-15T21:12:09.000000999Z")).isEqualTo(time);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "now",
        "2026-11-15",
        "2026-11-15T21:12:09",
        "2026-02-29T00:00:00.000000Z",
        "2026-11-15T24:00:00.000000Z",
        "2026-11-15T21:60:09.000000Z",
        "2026-11-15T21:12:60.000000Z",
        "2026-11-15T21:12:0x.000000Z",
        "+10000-01-01T00:00:00Z",
        "-0001-01-01T00:00:00Z"
      })
  void refusesWhatIsNoTime(String text) {
    refused(KernelErrorCode.INVALID_VALUE, () -> Timestamps.parse(text));
  }

  @Test
  void refusesYearsOfOtherLengths() {
    refused(
        KernelErrorCode.INVALID_VALUE, () -> Timestamps.format(Instant.ofEpochSecond(FIRST - 1)));
    refused(
        KernelErrorCode.INVALID_VALUE, () -> Timestamps.format(Instant.ofEpochSecond(LAST + 1)));
    refused(KernelErrorCode.INVALID_VALUE, () -> Timestamps.format(Instant.MAX));
  }
}
