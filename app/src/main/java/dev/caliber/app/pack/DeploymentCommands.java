package dev.caliber.app.pack;

import dev.caliber.app.shell.CommandContext;
import dev.caliber.app.shell.CommandGroup;
import dev.caliber.app.shell.ExitCode;
import dev.caliber.app.shell.OperationCommand;
import dev.caliber.app.shell.OperationInput;
import dev.caliber.app.shell.RecordTable;
import dev.caliber.app.shell.StoreOperations;
import dev.caliber.kernel.Json;
import dev.caliber.lang.TextMateGrammar;
import dev.caliber.lang.pack.manifest.PackSchema;
import dev.caliber.memory.deployment.ConfigSourceKind;
import dev.caliber.memory.deployment.DeployedConfigStatus;
import java.time.Instant;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Model.PositionalParamSpec;
import tools.jackson.databind.JsonNode;

/** The commands {@code caliber pack} and {@code caliber dsl}. */
public record DeploymentCommands(CommandContext commandContext) {
  private static final int SHORT_HASH = 12;

  public CommandLine packs() {
    return CommandGroup.of(
        "pack",
        "Check, compare and deploy packs.",
        new PackValidateCommand(commandContext),
        new PackComposeCommand(commandContext),
        new PackDiffCommand(commandContext),
        new PackLockCommand(commandContext),
        new PackDeployCommand(commandContext),
        listVersions(),
        activateVersion(),
        rollBack(),
        printSchema());
  }

  public CommandLine sources() {
    return CommandGroup.of(
        "dsl",
        "Check, format and deploy sources of the configuration language.",
        new DslCheckCommand(commandContext),
        new DslFormatCommand(commandContext),
        new DslDeployCommand(commandContext),
        printGrammar());
  }

  private record PackVersionOutput(
      String name,
      int version,
      DeployedConfigStatus status,
      ConfigSourceKind kind,
      Instant createdAt,
      String createdBy,
      String hash) {}

  private CommandLine listVersions() {
    return OperationCommand.named(
            commandContext, "list", "List the versions that a space has, and which one is active.")
        .description("The newest version of each name first.")
        .option("--name", "NAME", "name", "Only versions of this name.")
        .lists(
            "list_deployments",
            PackVersionOutput.class,
            RecordTable.of(PackVersionOutput.class)
                .column("NAME", PackVersionOutput::name)
                .column("VERSION", PackVersionOutput::version)
                .column("STATUS", PackVersionOutput::status)
                .column("KIND", PackVersionOutput::kind)
                .column("STORED", PackVersionOutput::createdAt)
                .column("BY", PackVersionOutput::createdBy)
                .column("HASH", one -> one.hash().substring(0, SHORT_HASH)));
  }

  private CommandLine activateVersion() {
    PositionalParamSpec version =
        PositionalParamSpec.builder()
            .index("1")
            .type(Integer.class)
            .paramLabel("VERSION")
            .arity("1")
            .description("The version's number, from 1 on.")
            .build();
    return OperationCommand.named(
            commandContext, "activate", "Activate a stored version in a space.")
        .description("Running processes use it a moment later, without a restart.")
        .parameter(
            "NAME", "name", name -> name, "The version's name, as 'caliber pack list' shows it.")
        .argument(version, "version")
        .stamp()
        .runs((operations, input) -> activate(operations, "activate_deployment", input));
  }

  private CommandLine rollBack() {
    PositionalParamSpec version =
        PositionalParamSpec.builder()
            .index("0")
            .type(Integer.class)
            .paramLabel("VERSION")
            .arity("0..1")
            .description("The version to return to.")
            .build();
    return OperationCommand.named(
            commandContext,
            "rollback",
            "Return a space to an earlier version of its active name, byte for byte.")
        .description(
            "Without a version: the newest earlier one that was active in the space. Two rollbacks"
                + " go back two versions.")
        .argument(version, "version")
        .stamp()
        .runs((operations, input) -> activate(operations, "rollback_deployment", input));
  }

  private record ActivationOutput(
      String name, int version, String hash, boolean changed, Optional<Integer> replacedVersion) {}

  private ExitCode activate(StoreOperations operations, String operation, OperationInput input) {
    ActivationResponse done = operations.call(operation, input, ActivationResponse.class);
    ActivationResponse.DeployedVersion version = done.version();
    commandContext
        .output()
        .printResult(
            new ActivationOutput(
                version.name(),
                version.version(),
                version.hash(),
                done.changed(),
                done.replaced().map(ActivationResponse.DeployedVersion::version)),
            "The space '%s' %s %s%s."
                .formatted(
                    commandContext.space(),
                    done.changed() ? "now runs on" : "already runs on",
                    version.label(),
                    done.replaced().map(old -> ", instead of " + old.label()).orElse("")));
    return ExitCode.OK;
  }

  private CommandLine printSchema() {
    return OperationCommand.named(
            commandContext,
            "schema",
            "Print the JSON Schema of cal.toml, for completion and checks in editors.")
        .description(
            "Keep it beside the pack, not in it: everything in its directory is part of a pack."
                + " Editors with Taplo find it by a first line '#:schema ../cal.schema.json' in"
                + " cal.toml.")
        .examples("  caliber pack schema > cal.schema.json")
        .runsAlone(_ -> printJson(PackSchema.json()));
  }

  private CommandLine printGrammar() {
    return OperationCommand.named(
            commandContext,
            "grammar",
            "Print the TextMate grammar of the language, for syntax colouring in editors.")
        .description("Generated from the keywords of the compiler.")
        .examples("  caliber dsl grammar > caliber.tmLanguage.json")
        .runsAlone(_ -> printJson(TextMateGrammar.json()));
  }

  private ExitCode printJson(String json) {
    commandContext.output().printResult(Json.read(json, JsonNode.class), json.stripTrailing());
    return ExitCode.OK;
  }
}
