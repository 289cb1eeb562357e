package dev.caliber.kernel.config;

import dev.caliber.kernel.KernelException;
import java.util.List;
import java.util.Locale;

/** One of the five fields of a schedule, parsed into a bit for each value. */
enum CronField {
  MINUTE("minute", 0, 59, ""),
  HOUR("hour", 0, 23, ""),
  DAY("day of the month", 1, 31, ""),
  MONTH("month", 1, 12, "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC"),
  WEEKDAY("day of the week", 0, 7, "SUN MON TUE WED THU FRI SAT");

  private final String title;
  private final int least;
  private final int most;
  private final String names;

  CronField(String title, int least, int most, String names) {
    this.title = title;
    this.least = least;
    this.most = most;
    this.names = names;
  }

  long mask(String text) {
    long mask = 0;
    for (String part : text.split(",", -1)) {
      mask |= partMask(part);
    }
    return mask;
  }

  private long partMask(String part) {
    int slash = part.indexOf('/');
    String range = slash < 0 ? part : part.substring(0, slash);
    int step = slash < 0 ? 1 : step(part.substring(slash + 1));
    int dash = range.indexOf('-');
    int first = least;
    int last = most;
    if (!range.equals("*")) {
      first = value(dash < 0 ? range : range.substring(0, dash));
      last = dash >= 0 ? value(range.substring(dash + 1)) : slash < 0 ? first : most;
    }
    if (last < first) {
      throw invalidField("a range from a smaller to a larger number", part);
    }
    long mask = 0;
    for (int value = first; value <= last; value += step) {
      mask |= 1L << value;
    }
    return mask;
  }

  private int value(String text) {
    int name = List.of(names.split(" ", -1)).indexOf(text.toUpperCase(Locale.ROOT));
    if (name >= 0 && !names.isEmpty()) {
      return name + least;
    }
    int number = number(text);
    if (number < least || number > most) {
      throw invalidField(
          "a number from " + least + " to " + most + (names.isEmpty() ? "" : " or a name"), text);
    }
    return number;
  }

  private int step(String text) {
    int step = number(text);
    if (step < 1 || step > most) {
      throw invalidField("a step from 1 to " + most, text);
    }
    return step;
  }

  /** Returns the number of one or two digits, or -1. */
  private static int number(String text) {
    boolean digits =
        !text.isEmpty() && text.length() <= 2 && text.chars().allMatch(CronField::isDigit);
    return digits ? Integer.parseInt(text) : -1;
  }

  private static boolean isDigit(int character) {
    return character >= '0' && character <= '9';
  }

  private KernelException invalidField(String wanted, String found) {
    return KernelException.invalidValue("cron, " + title, wanted, found);
  }
}
