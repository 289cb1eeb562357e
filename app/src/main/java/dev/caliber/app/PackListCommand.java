package dev.caliber.app;

import dev.caliber.client.CaliberClient;
import dev.caliber.kernel.Timestamps;
import dev.caliber.memory.deployment.ConfigSourceKind;
import dev.caliber.memory.deployment.DeployedConfigStatus;
import dev.caliber.memory.deployment.Deployments;
import dev.caliber.memory.deployment.Deployments.ConfigListQuery;
import dev.caliber.memory.deployment.StoredConfig;
import dev.caliber.store.Page;
import dev.caliber.store.PageCursor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code caliber pack list}. */
@Command(
    name = "list",
    header = "List the versions that a space has, and which one is active.",
    description = "The newest version of each name first.")
final class PackListCommand implements Callable<Integer> {
  private static final int SHORT_HASH = 12;
  private static final int PAGE_BOUND = 100;

  private final CommandContext commandContext;

  @Option(names = "--name", paramLabel = "NAME", description = "Only versions of this name.")
  private Optional<String> name = Optional.empty();

  PackListCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  private record PackVersionOutput(
      String name,
      int version,
      DeployedConfigStatus status,
      ConfigSourceKind kind,
      Instant createdAt,
      String createdBy,
      String hash) {
    static PackVersionOutput of(StoredConfig config) {
      return new PackVersionOutput(
          config.name(),
          config.version(),
          config.status(),
          config.kind(),
          config.createdAt(),
          config.createdBy(),
          config.hash());
    }
  }

  @Override
  public Integer call() {
    List<PackVersionOutput> versions =
        commandContext.askServerOrStore(this::askServer, this::readStore);
    commandContext.output().printResults(versions, () -> print(versions));
    return ExitCode.OK.number();
  }

  private List<PackVersionOutput> askServer(ServerClient serverClient) {
    String only = name.map(one -> "?name=" + CaliberClient.encodePathSegment(one)).orElse("");
    return serverClient.list("/deployments" + only, PackVersionOutput.class);
  }

  private List<PackVersionOutput> readStore() {
    List<PackVersionOutput> versions = new ArrayList<>();
    try (OpenStore store = commandContext.open()) {
      Deployments deployments = Deployments.of(store.records());
      Optional<PageCursor> cursor = Optional.empty();
      do {
        Page<StoredConfig> page =
            deployments.list(commandContext.space(), new ConfigListQuery(name, PAGE_BOUND, cursor));
        page.records().forEach(config -> versions.add(PackVersionOutput.of(config)));
        cursor = page.next();
      } while (cursor.isPresent());
    }
    return versions;
  }

  private void print(List<PackVersionOutput> versions) {
    TextTable table = TextTable.of("NAME", "VERSION", "STATUS", "KIND", "STORED", "BY", "HASH");
    versions.forEach(
        packVersionOutput ->
            table.addRow(
                packVersionOutput.name(),
                Integer.toString(packVersionOutput.version()),
                packVersionOutput.status().name(),
                packVersionOutput.kind().name(),
                Timestamps.format(packVersionOutput.createdAt()),
                packVersionOutput.createdBy(),
                packVersionOutput.hash().substring(0, SHORT_HASH)));
    commandContext.output().printTable(table);
  }
}
