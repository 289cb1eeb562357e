package dev.caliber.app.command;

import dev.caliber.app.shell.CommandContext;
import dev.caliber.app.shell.CommandGroup;
import dev.caliber.app.shell.ExitCode;
import dev.caliber.app.shell.FilterOptions;
import dev.caliber.app.shell.OperationCommand;
import dev.caliber.app.shell.OperationInput;
import dev.caliber.app.shell.RecordTable;
import dev.caliber.kernel.Durations;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.Timestamps;
import dev.caliber.server.access.ApiKeyInfo;
import dev.caliber.server.access.ApiKeys.CreatedApiKey;
import dev.caliber.server.operation.AccessRight;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import tools.jackson.databind.JsonNode;

/** The commands {@code caliber spaces} and {@code caliber keys}. */
public record ServerCommands(CommandContext commandContext) {

  public CommandLine spaces() {
    return CommandGroup.of(
        "spaces",
        "List and create spaces, one for each application or team.",
        listSpaces(),
        createSpace());
  }

  public CommandLine keys() {
    return CommandGroup.of(
        "keys",
        "Create, list and revoke the API keys of a server.",
        createKey(),
        listKeys(),
        revokeKey());
  }

  private record SpaceOutput(String space, long sequence, long epoch) {}

  private CommandLine listSpaces() {
    return OperationCommand.named(
            commandContext, "list", "List the spaces, each with its last commit.")
        .lists(
            "list_spaces",
            SpaceOutput.class,
            RecordTable.of(SpaceOutput.class)
                .column("SPACE", SpaceOutput::space)
                .column("SEQUENCE", SpaceOutput::sequence)
                .column("EPOCH", SpaceOutput::epoch));
  }

  private record SpaceCreateOutput(String space, boolean isNew) {}

  private CommandLine createSpace() {
    return OperationCommand.named(commandContext, "create", "Create a space.")
        .description("Creates the store, too, if there is none. An existing space is not changed.")
        .parameter(
            "NAME",
            "space",
            SpaceId::new,
            "a to z, 0 to 9, dot, underscore and dash; at most 64; no dash first.")
        .creatingStore()
        .runs(
            (operations, input) -> {
              String name = input.json().path("space").asString();
              boolean isNew =
                  operations.list("list_spaces", OperationInput.empty(), SpaceOutput.class).stream()
                      .noneMatch(known -> known.space().equals(name));
              JsonNode _ = operations.run("create_space", input);
              String text = isNew ? "Created the space '%s'." : "The space '%s' exists already.";
              commandContext
                  .output()
                  .printResult(new SpaceCreateOutput(name, isNew), text.formatted(name));
              return ExitCode.OK;
            });
  }

  private CommandLine createKey() {
    OptionSpec right =
        OptionSpec.builder("--right")
            .type(AccessRight.class)
            .paramLabel("RIGHT")
            .required(true)
            .description("read, write or admin; each includes the ones before it.")
            .build();
    OptionSpec spaces =
        OptionSpec.builder("--spaces")
            .type(List.class)
            .auxiliaryTypes(SpaceId.class)
            .paramLabel("SPACE")
            .splitRegex(",")
            .description("Only for these spaces; can be repeated. Default: all spaces.")
            .converters(SpaceId::new)
            .build();
    return OperationCommand.named(
            commandContext, "create", "Create an API key, and show its secret once.")
        .description(
            "The store keeps only a hash of the secret. Send it as 'Authorization: Bearer KEY';"
                + " commands take it from CALIBER_API_KEY.")
        .parameter("NAME", "name", name -> name, "The key's name, which logs show for its user.")
        .argument(right, "right")
        .argument(spaces, "spaces")
        .option(
            "--ttl",
            "TIME",
            "ttl",
            text -> Durations.format(Durations.parse("--ttl", text)),
            "How long it is valid, as in 30d. Default: until it is revoked.")
        .option(
            "--agent",
            "AGENT",
            "agent",
            "Requests with this key act as this agent, with its grants: SPACE/NAME, or only NAME"
                + " for a key of one space (--spaces) in which the agent is registered.")
        .option(
            "--subject",
            "NAME",
            "subject",
            "Limit the key to one subject: requests see that subject's records and records without"
                + " a subject, and what they write belongs to that subject. Not with the right"
                + " admin.")
        .creatingStore()
        .runs(
            (operations, input) -> {
              CreatedApiKey made = operations.call("create_key", input, CreatedApiKey.class);
              commandContext.output().printResult(made, () -> print(made));
              return ExitCode.OK;
            });
  }

  private void print(CreatedApiKey made) {
    commandContext.terminal().printLine(made.secret());
    commandContext
        .terminal()
        .printNote(
            "The secret is shown only now. To revoke the key, use its id %s."
                .formatted(made.key().id()));
  }

  private CommandLine listKeys() {
    return OperationCommand.named(
            commandContext, "list", "List the API keys, newest first, without their secrets.")
        .lists(
            "list_keys",
            ApiKeyInfo.class,
            RecordTable.of(ApiKeyInfo.class)
                .column("ID", ApiKeyInfo::id)
                .column("NAME", ApiKeyInfo::name)
                .column("RIGHT", key -> FilterOptions.lowerCaseName(key.right()))
                .column("SPACES", ServerCommands::spaces)
                .column("CREATED", ApiKeyInfo::createdAt)
                .column("STATE", ServerCommands::state));
  }

  private static String spaces(ApiKeyInfo key) {
    return key.spaces().isEmpty()
        ? "all"
        : key.spaces().stream().map(SpaceId::value).collect(Collectors.joining(","));
  }

  private static String state(ApiKeyInfo key) {
    return key.revokedAt()
        .map(at -> "revoked " + Timestamps.format(at))
        .or(() -> key.expiresAt().map(at -> "until " + Timestamps.format(at)))
        .orElse("good");
  }

  private CommandLine revokeKey() {
    return OperationCommand.named(
            commandContext,
            "revoke",
            "Revoke a key: requests with it, and its logins, are refused from now on.")
        .parameter("ID", "id", Id::parse, "The key's id, as 'caliber keys list' shows it.")
        .prints(
            "revoke_key", ApiKeyInfo.class, key -> "Revoked the key '%s'.".formatted(key.name()));
  }
}
