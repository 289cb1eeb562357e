package dev.caliber.models;

import java.net.http.HttpHeaders;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/**
 * Parser of the pause that a response's headers ask for: in milliseconds, in seconds, or until a
 * date.
 */
final class RetryAfterHeader {

  private static final double MILLIS = 1_000;

  private RetryAfterHeader() {}

  static Optional<Duration> requestedPause(HttpHeaders headers, InstantSource clock) {
    return headers
        .firstValue("retry-after-ms")
        .flatMap(text -> number(text, 1))
        .or(() -> headers.firstValue("retry-after").flatMap(text -> parse(text, clock)))
        .map(RetryAfterHeader::validPause);
  }

  private static Optional<Duration> parse(String text, InstantSource clock) {
    return number(text, MILLIS).or(() -> date(text, clock));
  }

  private static Optional<Duration> number(String text, double unit) {
    try {
      double millis = Double.parseDouble(text.strip()) * unit;
      return Double.isNaN(millis)
          ? Optional.empty()
          : Optional.of(Duration.ofMillis((long) Math.ceil(millis)));
    } catch (NumberFormatException _) {
      return Optional.empty(); // it may be a date
    }
  }

  private static Optional<Duration> date(String text, InstantSource clock) {
    try {
      Instant until = DateTimeFormatter.RFC_1123_DATE_TIME.parse(text.strip(), Instant::from);
      return Optional.of(Duration.between(clock.instant(), until));
    } catch (DateTimeException _) {
      return Optional.empty(); // the computed pause is used
    }
  }

  private static Duration validPause(Duration pause) {
    if (pause.isNegative()) {
      return Duration.ZERO;
    }
    return pause.compareTo(ModelsBounds.MAX_RETRY_AFTER) > 0 ? ModelsBounds.MAX_RETRY_AFTER : pause;
  }
}
