package dev.caliber.memory.pcp;

import dev.caliber.memory.context.Assembled;
import dev.caliber.memory.context.Window;
import java.util.Optional;

/**
 * A window and its text, as a caller gets it.
 *
 * @param report what validation says; empty unless {@code pcp.validation} is {@code always}
 */
public record Checked(Window window, String text, Optional<Report> report) {

  static Checked of(Assembled made, Optional<Report> report) {
    return new Checked(made.window(), made.text(), report);
  }

  public Assembled assembled() {
    return new Assembled(window, text);
  }
}
