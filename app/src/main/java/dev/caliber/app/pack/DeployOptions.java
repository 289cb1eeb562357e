package dev.caliber.app.pack;

import dev.caliber.app.shell.AuditStampOptions;
import dev.caliber.app.shell.CommandContext;
import dev.caliber.app.shell.OperationInput;
import dev.caliber.app.shell.StoreOperations;
import dev.caliber.app.shell.StoreUse;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options and work of every deployment: one commit stores the version and activates it. */
final class DeployOptions {
  @Option(names = "--no-activate", description = "Only store it; activate it later.")
  private boolean store;

  @Mixin private AuditStampOptions stamp = new AuditStampOptions();

  private record DeployOutput(
      String name,
      int version,
      String hash,
      boolean isNew,
      boolean active,
      Optional<String> replaced) {
    static DeployOutput of(ActivationResponse answer) {
      return new DeployOutput(
          answer.version().name(),
          answer.version().version(),
          answer.version().hash(),
          answer.isNew(),
          answer.version().active(),
          answer.replaced().map(ActivationResponse.DeployedVersion::label));
    }
  }

  /**
   * Deploys in the space of the call, and prints the result.
   *
   * @param content the name, and the source or the files of a pack
   */
  void deploy(CommandContext commandContext, OperationInput content) {
    content.with("activate", !store).with("metadata", stamp.metadata());
    try (StoreOperations operations =
        commandContext.operations(StoreUse.CREATED_IF_MISSING, stamp.actor(commandContext))) {
      DeployOutput output =
          DeployOutput.of(operations.call("deploy", content, ActivationResponse.class));
      commandContext.output().printResult(output, summary(output, commandContext.space().value()));
    }
  }

  private static String summary(DeployOutput output, String space) {
    String stored = output.isNew() ? "Stored %s version %d" : "%s version %d was already stored";
    String now =
        output.active() ? "; space '%s' now runs on it".formatted(space) : "; it is not active";
    String before = output.replaced().map(label -> ", instead of " + label).orElse("");
    return stored.formatted(output.name(), output.version()) + now + before + ".";
  }
}
