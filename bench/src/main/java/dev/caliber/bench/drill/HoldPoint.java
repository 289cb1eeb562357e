package dev.caliber.bench.drill;

import java.util.List;

/**
 * The report at which a worker stops until it is killed.
 *
 * @param word the kind of report to wait for; empty: the worker never stops
 * @param times which report of this kind it is, from 1
 * @param reports the number of further reports before the worker stops
 */
record HoldPoint(String word, int times, int reports) {
  static final HoldPoint NEVER = new HoldPoint("", 0, 0);

  static HoldPoint parse(String[] arguments) {
    int first = arguments.length - NEVER.arguments().size();
    return new HoldPoint(
        arguments[first],
        Integer.parseInt(arguments[first + 1]),
        Integer.parseInt(arguments[first + 2]));
  }

  /** Returns the last arguments of a worker's command line. */
  List<String> arguments() {
    return List.of(word, String.valueOf(times), String.valueOf(reports));
  }

  boolean isSet() {
    return !word.isEmpty();
  }
}
