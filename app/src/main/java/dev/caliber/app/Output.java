package dev.caliber.app;

import dev.caliber.kernel.Json;

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

  void table(TextTable table) {
    table.print(terminal);
  }

  static String number(long value) {
    return "%,d".formatted(value);
  }
}
