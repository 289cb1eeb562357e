package dev.caliber.models;

import java.net.http.HttpHeaders;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/** How long an answer's headers ask to wait: in milliseconds, in seconds, or until a date. */
final class RetryAfter {

  private static final double MILLIS = 1_000;

  private RetryAfter() {}

  static Optional<Duration> of(HttpHeaders headers, InstantSource clock) {
    return headers
        .firstValue("retry-after-ms")
        .flatMap(text -> number(text, 1))
        .or(() -> headers.firstValue("retry-after").flatMap(text -> parse(text, clock)))
        .map(RetryAfter::sane);
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
      return Optional.empty(); // a date, perhaps
    }
  }

  private static Optional<Duration> date(String text, InstantSource clock) {
    try {
      Instant until = DateTimeFormatter.RFC_1123_DATE_TIME.parse(text.strip(), Instant::from);
      return Optional.of(Duration.between(clock.instant(), until));
    } catch (DateTimeException _) {
      return Optional.empty(); // the computed pause will do
    }
  }

  private static Duration sane(Duration pause) {
    if (pause.isNegative()) {
      return Duration.ZERO;
    }
    return pause.compareTo(ModelsBounds.MAX_RETRY_AFTER) > 0 ? ModelsBounds.MAX_RETRY_AFTER : pause;
  }
}
