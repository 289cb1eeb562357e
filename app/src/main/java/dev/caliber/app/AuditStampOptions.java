package dev.caliber.app;

import dev.caliber.memory.deployment.AuditStamp;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options that record who deploys or activates, and with which metadata. */
final class AuditStampOptions {
  @Mixin private ActorNameOption by = new ActorNameOption();

  @Option(
      names = "--metadata",
      paramLabel = "KEY=VALUE",
      description = "Metadata for the log, such as a revision; can be repeated.")
  private Map<String, String> metadata = new TreeMap<>();

  AuditStamp stamp(ProcessEnvironment processEnvironment) {
    return AuditStamp.of(by.name(processEnvironment), metadata);
  }
}
