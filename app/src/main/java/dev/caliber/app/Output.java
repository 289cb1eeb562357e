package dev.caliber.app;

import dev.caliber.kernel.Json;
import java.util.List;

/** How a command hands over its result: as text for people, or as JSON, one value a line. */
record Output(Terminal terminal, boolean json) {

  /** Prints the one or the other. */
  void result(Object value, Runnable forPeople) {
    if (json) {
      terminal.line(Json.text(value));
    } else {
      forPeople.run();
    }
  }

  void result(Object value, String forPeople) {
    result(value, () -> terminal.line(forPeople));
  }

  /** Prints each value, or all of them for people. */
  void results(List<?> values, Runnable forPeople) {
    if (json) {
      values.forEach(value -> terminal.line(Json.text(value)));
    } else {
      forPeople.run();
    }
  }

  void table(TextTable table) {
    table.print(terminal);
  }

  static String number(long value) {
    return "%,d".formatted(value);
  }
}
