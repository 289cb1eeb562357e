package dev.caliber.kernel;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;

/**
 * Text form of times: UTC, whole microseconds, {@code 2026-11-15T21:12:09.123456Z}. The text always
 * has 27 characters, so that it sorts as the time does; years range from 0000 to 9999.
 */
public final class Timestamps {
  /*
   * Formatted by hand, since every stored record needs it; DateTimeFormatter costs many times as
   * much.
   */
  private static final int LENGTH = 27;
  private static final String SHAPE = "0000-00-00T00:00:00.000000Z";
  private static final int SECONDS_PER_DAY = 86_400;
  private static final long FIRST_SECOND = -62_167_219_200L;
  private static final long LAST_SECOND = 253_402_300_799L;

  private Timestamps() {}

  /** Truncates the time to whole microseconds. */
  public static Instant truncate(Instant time) {
    return time.truncatedTo(ChronoUnit.MICROS);
  }

  /** Returns the text of 27 characters, truncated to microseconds. */
  public static String format(Instant time) {
    check(time);
    long second = time.getEpochSecond();
    var date = LocalDate.ofEpochDay(Math.floorDiv(second, SECONDS_PER_DAY));
    int ofDay = Math.floorMod(second, SECONDS_PER_DAY);
    byte[] text = SHAPE.getBytes(StandardCharsets.ISO_8859_1);
    putDigits(text, 0, 4, date.getYear());
    putDigits(text, 5, 2, date.getMonthValue());
    putDigits(text, 8, 2, date.getDayOfMonth());
    putDigits(text, 11, 2, ofDay / 3600);
    putDigits(text, 14, 2, ofDay / 60 % 60);
    putDigits(text, 17, 2, ofDay % 60);
    putDigits(text, 20, 6, time.getNano() / 1000);
    return new String(text, StandardCharsets.ISO_8859_1);
  }

  /**
   * Parses the text that {@link #format} writes and any other ISO-8601 time with an offset, to the
   * microsecond.
   */
  public static Instant parse(String text) {
    try {
      var time =
          hasShape(text) ? parseShape(text) : truncate(OffsetDateTime.parse(text).toInstant());
      check(time);
      return time;
    } catch (DateTimeException _) {
      throw KernelException.invalidValue(
          "time", "ISO-8601 with an offset, such as 2026-11-15T21:12:09.123456Z", text);
    }
  }

  private static void check(Instant time) {
    long second = time.getEpochSecond();
    if (second < FIRST_SECOND || second > LAST_SECOND) {
      throw KernelException.invalidValue("time", "a year from 0000 to 9999", time.toString());
    }
  }

  private static void putDigits(byte[] text, int start, int digits, int value) {
    int rest = value;
    for (int i = start + digits - 1; i >= start; i--) {
      text[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
  }

  private static boolean hasShape(String text) {
    if (text.length() != LENGTH) {
      return false;
    }
    for (int i = 0; i < LENGTH; i++) {
      char wanted = SHAPE.charAt(i);
      char found = text.charAt(i);
      if (wanted == '0' ? found < '0' || found > '9' : found != wanted) {
        return false;
      }
    }
    return true;
  }

  private static Instant parseShape(String text) {
    int hour = number(text, 11, 2);
    int minute = number(text, 14, 2);
    int second = number(text, 17, 2);
    if (hour > 23 || minute > 59 || second > 59) {
      throw new DateTimeException("no such time of day");
    }
    long day =
        LocalDate.of(number(text, 0, 4), number(text, 5, 2), number(text, 8, 2)).toEpochDay();
    long seconds = day * SECONDS_PER_DAY + hour * 3600L + minute * 60L + second;
    return Instant.ofEpochSecond(seconds, number(text, 20, 6) * 1000L);
  }

  private static int number(String text, int start, int digits) {
    int value = 0;
    for (int i = start; i < start + digits; i++) {
      value = value * 10 + text.charAt(i) - '0';
    }
    return value;
  }
}
