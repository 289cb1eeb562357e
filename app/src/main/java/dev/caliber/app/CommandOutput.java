package dev.caliber.app;

import dev.caliber.kernel.Json;
import java.util.List;

/** Output of a command: text for people, or JSON with one value per line. */
record CommandOutput(Terminal terminal, boolean json) {

  /** Prints the value as JSON, or runs {@code forPeople}. */
  void printResult(Object value, Runnable forPeople) {
    if (json) {
      terminal.printLine(Json.text(value));
    } else {
      forPeople.run();
    }
  }

  void printResult(Object value, String forPeople) {
    printResult(value, () -> terminal.printLine(forPeople));
  }

  /** Prints each value as JSON, or runs {@code forPeople} for all of them. */
  void printResults(List<?> values, Runnable forPeople) {
    if (json) {
      values.forEach(value -> terminal.printLine(Json.text(value)));
    } else {
      forPeople.run();
    }
  }

  void printTable(TextTable table) {
    table.print(terminal);
  }

  static String formatNumber(long value) {
    return "%,d".formatted(value);
  }
}
