package dev.caliber.memory.pcp;

import dev.caliber.memory.context.AssembledWindow;
import dev.caliber.memory.context.window.Window;
import java.util.Optional;

/**
 * Window and its text, as returned to a caller.
 *
 * @param report the validation; empty unless {@code pcp.validation} is {@code always}
 */
public record ValidatedWindow(Window window, String text, Optional<ValidationReport> report) {

  static ValidatedWindow of(AssembledWindow made, Optional<ValidationReport> report) {
    return new ValidatedWindow(made.window(), made.text(), report);
  }

  public AssembledWindow assembledWindow() {
    return new AssembledWindow(window, text);
  }
}
