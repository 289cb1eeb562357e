package dev.caliber.app;

import dev.caliber.kernel.Durations;
import dev.caliber.kernel.SpaceId;
import dev.caliber.server.access.ApiKeys;
import dev.caliber.server.operation.AccessRight;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/** {@code caliber keys create}. */
@Command(
    name = "create",
    header = "Create an API key, and show its secret once.",
    description =
        "The store keeps only a hash of the secret. Send it as 'Authorization: Bearer KEY';"
            + " commands take it from CALIBER_API_KEY.")
final class KeysCreateCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  @Parameters(paramLabel = "NAME", description = "The key's name, which logs show for its user.")
  private String name = "";

  @Option(
      names = "--right",
      paramLabel = "RIGHT",
      required = true,
      description = "read, write or admin; each includes the ones before it.")
  private AccessRight accessRight = AccessRight.READ;

  @Option(
      names = "--spaces",
      paramLabel = "SPACE",
      split = ",",
      description = "Only for these spaces; can be repeated. Default: all spaces.")
  private List<String> spaces = List.of();

  @Option(
      names = "--ttl",
      paramLabel = "TIME",
      description = "How long it is valid, as in 30d. Default: until it is revoked.")
  private Optional<String> ttl = Optional.empty();

  @Option(
      names = "--agent",
      paramLabel = "AGENT",
      description =
          "Requests with this key act as this agent, with its grants: SPACE/NAME, or only NAME for"
              + " a key of one space (--spaces) in which the agent is registered.")
  private Optional<String> agent = Optional.empty();

  @Option(
      names = "--subject",
      paramLabel = "NAME",
      description =
          "Limit the key to one subject: requests see that subject's records and records without a"
              + " subject, and what they write belongs to that subject. Not with the right admin.")
  private Optional<String> subject = Optional.empty();

  KeysCreateCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  @Override
  public Integer call() {
    Optional<ServerClient> server = commandContext.runningServer();
    if (server.isPresent()) {
      try (ServerClient serverClient = server.get()) {
        printResult(serverClient.post("/keys", input(), ApiKeys.CreatedApiKey.class));
      }
    } else {
      try (OpenStore store = commandContext.openOrCreate()) {
        printResult(commandContext.keys(store).createKey(newKey()));
      }
    }
    return ExitCode.OK.number();
  }

  private ObjectNode input() {
    ObjectNode input = ServerClient.newInput().put("name", name).put("right", accessRight.name());
    ServerClient.putIfPresent(input, "spaces", Optional.of(spaces).filter(some -> !some.isEmpty()));
    ServerClient.putIfPresent(input, "ttl", ttl);
    ServerClient.putIfPresent(input, "agent", agent);
    ServerClient.putIfPresent(input, "subject", subject);
    return input;
  }

  private ApiKeys.NewApiKey newKey() {
    return new ApiKeys.NewApiKey(
        name,
        accessRight,
        spaces.stream().map(SpaceId::new).toList(),
        ttl.map(text -> Durations.parse("--ttl", text)),
        agent,
        subject);
  }

  private void printResult(ApiKeys.CreatedApiKey made) {
    commandContext.output().printResult(made, () -> print(made));
  }

  private void print(ApiKeys.CreatedApiKey made) {
    commandContext.terminal().printLine(made.secret());
    commandContext
        .terminal()
        .printNote(
            "The secret is shown only now. To revoke the key, use its id %s."
                .formatted(made.key().id()));
  }
}
