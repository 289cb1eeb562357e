package dev.caliber.app;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.config.ContextConfig.Persistence;
import java.util.Optional;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/** How long a window is kept, where that is not as the settings say. */
final class KeepOptions {
  /** For how long, where that is not a time. */
  private enum Keep {
    EPHEMERAL,
    PERMANENT
  }

  @Option(
      names = "--keep",
      paramLabel = "HOW",
      description =
          "permanent: for good; ephemeral: not at all. Without it and --ttl: context.persistence.")
  private Optional<Keep> keep = Optional.empty();

  @Option(
      names = "--ttl",
      paramLabel = "TIME",
      description = "Keep the window for this time, such as 2h or 30d.")
  private Optional<String> ttl = Optional.empty();

  boolean isEmpty() {
    return keep.isEmpty() && ttl.isEmpty();
  }

  /** Whether the window is given, and not kept. */
  boolean isEphemeral() {
    return keep.filter(Keep.EPHEMERAL::equals).isPresent();
  }

  Optional<Persistence> persistence() {
    if (keep.isPresent() && ttl.isPresent()) {
      throw AppException.optionsDoNotFit(
          "--keep and --ttl both say how long the window is kept", "Leave out one of them.");
    }
    return ttl.map(KeepOptions::time).or(() -> keep.map(KeepOptions::named));
  }

  /** The same for a server. */
  void put(ObjectNode input) {
    Remote.put(input, "keep", keep);
    Remote.put(input, "ttl", ttl);
  }

  private static Persistence time(String text) {
    try {
      return Persistence.lasting("--ttl", text);
    } catch (CaliberException e) {
      throw AppException.usage(e.message(), "As in 90m, 2h or 30d.");
    }
  }

  private static Persistence named(Keep keep) {
    return switch (keep) {
      case EPHEMERAL -> new Persistence.Ephemeral();
      case PERMANENT -> new Persistence.Permanent();
    };
  }
}
