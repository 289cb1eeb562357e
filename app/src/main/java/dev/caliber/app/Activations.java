package dev.caliber.app;

import dev.caliber.memory.deployment.Deployments.Activated;
import dev.caliber.memory.deployment.StoredConfig;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** How commands speak of an activation. */
final class Activations {
  private Activations() {}

  private record Done(
      String name, int version, String hash, boolean changed, Optional<Integer> replacedVersion) {}

  /** A version as a server names it. */
  record Version(String name, int version, String hash, boolean active) {
    static Version of(StoredConfig config, boolean active) {
      return new Version(config.name(), config.version(), config.hash(), active);
    }

    String label() {
      return "%s version %d".formatted(name, version);
    }
  }

  /** What came of it, as a server says it. */
  record Answer(Version version, boolean isNew, Optional<Version> replaced, boolean changed) {
    static Answer of(Activated activated) {
      return new Answer(
          Version.of(activated.config(), true),
          false,
          activated.replaced().map(old -> Version.of(old, false)),
          activated.changed());
    }
  }

  static Answer ask(Remote remote, String path, ObjectNode input) {
    return remote.post(path, input, Answer.class);
  }

  static void print(Workbench workbench, Answer done) {
    Version version = done.version();
    String before = done.replaced().map(old -> ", instead of " + old.label()).orElse("");
    workbench
        .output()
        .result(
            new Done(
                version.name(),
                version.version(),
                version.hash(),
                done.changed(),
                done.replaced().map(Version::version)),
            "The space '%s' %s %s%s."
                .formatted(
                    workbench.space(),
                    done.changed() ? "now runs on" : "runs on this already:",
                    version.label(),
                    before));
  }
}
