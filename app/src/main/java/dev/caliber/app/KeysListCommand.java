package dev.caliber.app;

import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.Timestamps;
import dev.caliber.server.access.KeyInfo;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;

/** {@code caliber keys list}. */
@Command(name = "list", header = "List the API keys, newest first, without their secrets.")
final class KeysListCommand implements Callable<Integer> {
  private final Workbench workbench;

  KeysListCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  private record Listed(List<KeyInfo> items) {}

  @Override
  public Integer call() {
    List<KeyInfo> keys = keys();
    workbench.output().results(keys, () -> table(keys).print(workbench.terminal()));
    return ExitCode.OK.number();
  }

  private List<KeyInfo> keys() {
    Optional<Remote> server = workbench.server();
    if (server.isPresent()) {
      try (Remote remote = server.get()) {
        return remote.get("/keys", Listed.class).items();
      }
    }
    try (OpenStore store = workbench.open()) {
      return workbench.keys(store).list();
    }
  }

  private static TextTable table(List<KeyInfo> keys) {
    TextTable table = TextTable.of("ID", "NAME", "RIGHT", "SPACES", "MADE", "STATE");
    for (KeyInfo key : keys) {
      table.row(
          key.id().toString(),
          key.name(),
          FilterOptions.word(key.right()),
          spaces(key),
          Timestamps.format(key.createdAt()),
          state(key));
    }
    return table;
  }

  private static String spaces(KeyInfo key) {
    return key.spaces().isEmpty()
        ? "all"
        : key.spaces().stream().map(SpaceId::value).collect(Collectors.joining(","));
  }

  private static String state(KeyInfo key) {
    return key.revokedAt()
        .map(at -> "revoked " + Timestamps.format(at))
        .or(() -> key.expiresAt().map(at -> "until " + Timestamps.format(at)))
        .orElse("good");
  }
}
