package dev.caliber.app.shell;

import dev.caliber.kernel.Json;
import java.util.List;

/** Output of a command: text for people, or JSON with one value per line. */
public record CommandOutput(Terminal terminal, boolean json) {

  /** Prints the value as JSON, or runs {@code forPeople}. */
  public void printResult(Object value, Runnable forPeople) {
    if (json) {
      terminal.printLine(Json.text(value));
    } else {
      forPeople.run();
    }
  }

  public void printResult(Object value, String forPeople) {
    printResult(value, () -> terminal.printLine(forPeople));
  }

  /** Prints each value as JSON, or runs {@code forPeople} for all of them. */
  public void printResults(List<?> values, Runnable forPeople) {
    if (json) {
      values.forEach(value -> terminal.printLine(Json.text(value)));
    } else {
      forPeople.run();
    }
  }

  public void printTable(TextTable table) {
    table.print(terminal);
  }

  public static String formatNumber(long value) {
    return "%,d".formatted(value);
  }
}
