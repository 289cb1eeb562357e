package dev.caliber.app.shell;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.KernelException;

/** Parser of the ids that a command line names. */
public final class RecordIdParser {
  private RecordIdParser() {}

  public static Id parseWindow(String text) {
    return parse(text, "window", "'caliber windows TRAJECTORY' lists the stored windows.");
  }

  public static Id parseCheckpoint(String text) {
    return parse(text, "checkpoint", "'caliber checkpoint list TRAJECTORY' lists them.");
  }

  public static Id parseArtifact(String text) {
    return parse(text, "artifact", "'caliber artifacts TRAJECTORY' lists them.");
  }

  public static Id parseNote(String text) {
    return parse(text, "note", "'caliber notes' lists them.");
  }

  private static Id parse(String text, String what, String advice) {
    try {
      return Id.parse(text);
    } catch (KernelException _) {
      throw AppException.usage("'%s' is not the id of a %s".formatted(text, what), advice);
    }
  }
}
