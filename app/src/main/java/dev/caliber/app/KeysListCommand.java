package dev.caliber.app;

import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.Timestamps;
import dev.caliber.server.access.ApiKeyInfo;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;

/** {@code caliber keys list}. */
@Command(name = "list", header = "List the API keys, newest first, without their secrets.")
final class KeysListCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  KeysListCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  private record KeyPage(List<ApiKeyInfo> items) {}

  @Override
  public Integer call() {
    List<ApiKeyInfo> keys = keys();
    commandContext.output().printResults(keys, () -> table(keys).print(commandContext.terminal()));
    return ExitCode.OK.number();
  }

  private List<ApiKeyInfo> keys() {
    Optional<ServerClient> server = commandContext.runningServer();
    if (server.isPresent()) {
      try (ServerClient serverClient = server.get()) {
        return serverClient.get("/keys", KeyPage.class).items();
      }
    }
    try (OpenStore store = commandContext.open()) {
      return commandContext.keys(store).listKeys();
    }
  }

  private static TextTable table(List<ApiKeyInfo> keys) {
    TextTable table = TextTable.of("ID", "NAME", "RIGHT", "SPACES", "CREATED", "STATE");
    for (ApiKeyInfo key : keys) {
      table.addRow(
          key.id().toString(),
          key.name(),
          FilterOptions.lowerCaseName(key.right()),
          spaces(key),
          Timestamps.format(key.createdAt()),
          state(key));
    }
    return table;
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
}
