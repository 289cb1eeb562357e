package dev.caliber.app.shell;

import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options that record the actor of a deployment or activation, and its metadata. */
public final class AuditStampOptions {
  @Mixin private ActorNameOption by = new ActorNameOption();

  @Option(
      names = "--metadata",
      paramLabel = "KEY=VALUE",
      description = "Metadata for the log, such as a revision; can be repeated.")
  private Map<String, String> metadata = new TreeMap<>();

  public String actor(CommandContext commandContext) {
    return by.name(commandContext.environment());
  }

  public Map<String, String> metadata() {
    return metadata;
  }
}
