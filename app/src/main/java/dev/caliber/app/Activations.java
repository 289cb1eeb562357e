package dev.caliber.app;

import dev.caliber.memory.deployment.Deployments.Activated;
import dev.caliber.memory.deployment.StoredConfig;
import java.util.Optional;

/** How commands speak of an activation. */
final class Activations {
  private Activations() {}

  private record Done(
      String name, int version, String hash, boolean changed, Optional<Integer> replacedVersion) {}

  static void print(Workbench workbench, Activated activated) {
    StoredConfig config = activated.config();
    String before = activated.replaced().map(old -> ", instead of " + old.label()).orElse("");
    workbench
        .output()
        .result(
            new Done(
                config.name(),
                config.version(),
                config.hash(),
                activated.changed(),
                activated.replaced().map(StoredConfig::version)),
            "The space '%s' %s %s%s."
                .formatted(
                    workbench.space(),
                    activated.changed() ? "now runs on" : "runs on this already:",
                    config.label(),
                    before));
  }
}
