package dev.caliber.app;

import dev.caliber.client.CaliberClient;
import dev.caliber.kernel.Timestamps;
import dev.caliber.memory.deployment.ConfigStatus;
import dev.caliber.memory.deployment.Deployments;
import dev.caliber.memory.deployment.Deployments.Listing;
import dev.caliber.memory.deployment.SourceKind;
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
    header = "List the versions that a space has, and which one it runs on.",
    description = "The newest version of each name first.")
final class PackListCommand implements Callable<Integer> {
  private static final int SHORT_HASH = 12;
  private static final int PAGE_BOUND = 100;

  private final Workbench workbench;

  @Option(names = "--name", paramLabel = "NAME", description = "Only versions of this name.")
  private Optional<String> name = Optional.empty();

  PackListCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  private record Version(
      String name,
      int version,
      ConfigStatus status,
      SourceKind kind,
      Instant createdAt,
      String createdBy,
      String hash) {
    static Version of(StoredConfig config) {
      return new Version(
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
    List<Version> versions = workbench.ask(this::ask, this::read);
    workbench.output().results(versions, () -> print(versions));
    return ExitCode.OK.number();
  }

  private List<Version> ask(Remote remote) {
    String only = name.map(one -> "?name=" + CaliberClient.encoded(one)).orElse("");
    return remote.list("/deployments" + only, Version.class);
  }

  private List<Version> read() {
    List<Version> versions = new ArrayList<>();
    try (OpenStore store = workbench.open()) {
      Deployments deployments = Deployments.of(store.records());
      Optional<PageCursor> cursor = Optional.empty();
      do {
        Page<StoredConfig> page =
            deployments.list(workbench.space(), new Listing(name, PAGE_BOUND, cursor));
        page.records().forEach(config -> versions.add(Version.of(config)));
        cursor = page.next();
      } while (cursor.isPresent());
    }
    return versions;
  }

  private void print(List<Version> versions) {
    TextTable table = TextTable.of("NAME", "VERSION", "STATUS", "KIND", "STORED", "BY", "HASH");
    versions.forEach(
        version ->
            table.row(
                version.name(),
                Integer.toString(version.version()),
                version.status().name(),
                version.kind().name(),
                Timestamps.format(version.createdAt()),
                version.createdBy(),
                version.hash().substring(0, SHORT_HASH)));
    workbench.output().table(table);
  }
}
