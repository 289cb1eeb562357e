package dev.caliber.kernel.config;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.caliber.kernel.KernelException;
import java.time.LocalDateTime;
import java.time.Month;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Schedule in the usual five fields: minute, hour, day of the month, month, day of the week. A
 * field is {@code *}, a number, a name ({@code JAN}, {@code MON}), a range, a step or a list of
 * those; 0 and 7 are Sunday. When both days are restricted, either is enough. Times are UTC.
 */
public final class Cron {
  private static final int FIELDS = 5;
  private static final int SUNDAY = 7;
  private static final int YEARS_WITH_EVERY_DATE = 8;

  private final String text;
  private final long minutes;
  private final long hours;
  private final long days;
  private final long months;
  private final long weekdays;
  private final boolean either;

  private Cron(String[] parts) {
    this.text = String.join(" ", parts);
    this.minutes = CronField.MINUTE.mask(parts[0]);
    this.hours = CronField.HOUR.mask(parts[1]);
    this.days = CronField.DAY.mask(parts[2]);
    this.months = CronField.MONTH.mask(parts[3]);
    long weekdays = CronField.WEEKDAY.mask(parts[4]);
    this.weekdays = (weekdays | weekdays >>> SUNDAY) & 0x7f;
    this.either = !parts[2].startsWith("*") && !parts[4].startsWith("*");
  }

  /** Parses an expression; the message of the error states what is wrong with it. */
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public static Cron parse(String text) {
    String[] parts = text.strip().split("[ \t]+", -1);
    if (parts.length != FIELDS) {
      throw KernelException.invalidValue(
          "cron",
          "expected 5 fields (minute hour day month weekday), found "
              + (text.isBlank() ? 0 : parts.length));
    }
    var cron = new Cron(parts);
    cron.requirePossibleDate(parts[4].startsWith("*"));
    return cron;
  }

  /** Returns whether the schedule includes the minute of this time. */
  public boolean matches(LocalDateTime time) {
    return has(minutes, time.getMinute())
        && has(hours, time.getHour())
        && has(months, time.getMonthValue())
        && matchesDay(time);
  }

  /**
   * Returns the first minute after this time that the schedule includes; empty if there is none
   * within the eight years in which every date occurs.
   */
  public Optional<LocalDateTime> next(LocalDateTime after) {
    LocalDateTime time = after.truncatedTo(ChronoUnit.MINUTES).plusMinutes(1);
    LocalDateTime end = time.plusYears(YEARS_WITH_EVERY_DATE);
    while (time.isBefore(end) && !matches(time)) {
      time = skipToPossible(time);
    }
    return Optional.of(time).filter(found -> found.isBefore(end));
  }

  /** Skips times that cannot match: a whole month, day or hour at a time. */
  private LocalDateTime skipToPossible(LocalDateTime time) {
    if (!has(months, time.getMonthValue())) {
      return time.toLocalDate().withDayOfMonth(1).plusMonths(1).atStartOfDay();
    }
    if (!matchesDay(time)) {
      return time.toLocalDate().plusDays(1).atStartOfDay();
    }
    return has(hours, time.getHour())
        ? time.plusMinutes(1)
        : time.truncatedTo(ChronoUnit.HOURS).plusHours(1);
  }

  private boolean matchesDay(LocalDateTime time) {
    boolean day = has(days, time.getDayOfMonth());
    boolean weekday = has(weekdays, time.getDayOfWeek().getValue() % SUNDAY);
    return either ? day || weekday : day && weekday;
  }

  /** Returns the expression with its fields one blank apart. */
  @JsonValue
  public String text() {
    return text;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Cron cron && cron.text.equals(text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }

  private void requirePossibleDate(boolean anyWeekday) {
    for (Month month : Month.values()) {
      boolean possible =
          has(months, month.getValue())
              && (!anyWeekday || Long.numberOfTrailingZeros(days) <= month.maxLength());
      if (possible) {
        return;
      }
    }
    throw KernelException.invalidValue(
        "cron", "the schedule never runs, because none of its months has its day: '" + text + "'");
  }

  private static boolean has(long mask, int bit) {
    return (mask >>> bit & 1) == 1;
  }
}
