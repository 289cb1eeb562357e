package dev.caliber.app;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.config.ContextConfig.WindowPersistence;
import java.util.Optional;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

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
          "Whether the window is stored: permanent or ephemeral (not stored). Default: context.persistence; not with --ttl.")
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

  Optional<WindowPersistence> persistence() {
    if (keep.isPresent() && ttl.isPresent()) {
      throw AppException.conflictingOptions(
          "--persistence cannot be combined with --ttl: both set how long the window is kept",
          "Leave out one of them.");
    }
    return ttl.map(WindowPersistenceOptions::parseDuration)
        .or(() -> keep.map(WindowPersistenceOptions::toPersistence));
  }

  /** Adds the options to the input of a server's operation. */
  void addTo(ObjectNode input) {
    ServerClient.putIfPresent(input, "keep", keep);
    ServerClient.putIfPresent(input, "ttl", ttl);
  }

  private static WindowPersistence parseDuration(String text) {
    try {
      return WindowPersistence.forDuration("--ttl", text);
    } catch (CaliberException e) {
      throw AppException.usage(e.message(), "As in 90m, 2h or 30d.");
    }
  }

  private static WindowPersistence toPersistence(PersistenceKeyword persistenceKeyword) {
    return switch (persistenceKeyword) {
      case EPHEMERAL -> new WindowPersistence.EphemeralPersistence();
      case PERMANENT -> new WindowPersistence.PermanentPersistence();
    };
  }
}
