package dev.caliber.app;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.config.ContextConfig.WindowPersistence;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options for how long a window is kept, instead of the setting. */
final class WindowPersistenceOptions {
  /** Values of {@code --persistence}. */
  private enum PersistenceKeyword {
    EPHEMERAL,
    PERMANENT
  }

  @Option(
      names = "--persistence",
      paramLabel = "HOW",
      description =
          "permanent or ephemeral (not stored). Default without --ttl: context.persistence.")
  private Optional<PersistenceKeyword> keep = Optional.empty();

  @Option(
      names = "--ttl",
      paramLabel = "TIME",
      description = "Keep the window for this time, such as 2h or 30d.")
  private Optional<String> ttl = Optional.empty();

  boolean isEmpty() {
    return keep.isEmpty() && ttl.isEmpty();
  }

  /** Returns whether the window is printed but not stored. */
  boolean isEphemeral() {
    return keep.filter(PersistenceKeyword.EPHEMERAL::equals).isPresent();
  }

  /** Refuses two options for one thing, and a wrong duration. */
  void requireConsistent() {
    if (keep.isPresent() && ttl.isPresent()) {
      throw AppException.conflictingOptions(
          "--persistence cannot be combined with --ttl: both set how long the window is kept",
          "Leave out one of them.");
    }
    ttl.ifPresent(WindowPersistenceOptions::parseDuration);
  }

  /** Adds the options to the input of an operation. */
  void addTo(OperationInput input) {
    input.with("keep", keep).with("ttl", ttl);
  }

  private static WindowPersistence parseDuration(String text) {
    try {
      return WindowPersistence.forDuration("--ttl", text);
    } catch (CaliberException e) {
      throw AppException.usage(e.message(), "As in 90m, 2h or 30d.");
    }
  }
}
