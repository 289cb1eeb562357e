package dev.caliber.app;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.FeedCursor;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;

/** {@code caliber stats}. */
@Command(
    name = "stats",
    header = "Show what is in the store: tables, records, feed, size.",
    description = "Counts the records of every table in every space, or in the one that is named.")
final class StatsCommand implements Callable<Integer> {
  private static final long KIB = 1024;

  private final Workbench workbench;

  StatsCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  private record Stats(
      String place, Optional<Long> bytes, Map<String, String> tables, List<SpaceStats> spaces) {}

  private record SpaceStats(
      String space, long lastCommit, long oldestKept, long epoch, Map<String, Long> records) {}

  @Override
  public Integer call() throws IOException {
    try (OpenStore store = workbench.open()) {
      Map<String, String> tables = new TreeMap<>();
      store.tables().forEach(table -> tables.put(table.name(), table.description()));
      List<SpaceStats> spaces = new ArrayList<>();
      for (SpaceId space :
          workbench
              .namedSpace()
              .<Iterable<SpaceId>>map(List::of)
              .orElse(store.records().spaces())) {
        spaces.add(count(store, space));
      }
      Stats stats = new Stats(place(store.config()), bytes(store.config()), tables, spaces);
      workbench.output().result(stats, () -> print(stats));
    }
    return ExitCode.OK.number();
  }

  private static SpaceStats count(OpenStore store, SpaceId space) {
    Map<String, Long> records = new TreeMap<>();
    for (Table<?> table : store.tables()) {
      records.put(table.name(), store.count(space, table));
    }
    FeedCursor head = store.feed().head(space);
    long before = store.feed().oldest(space).sequence();
    return new SpaceStats(space.value(), head.sequence(), before + 1, head.epoch(), records);
  }

  private static String place(StoreConfig config) {
    return switch (config.engine()) {
      case StoreConfig.Sqlite sqlite -> sqlite.directory().toString();
      case StoreConfig.InMemory _ -> "memory";
      case StoreConfig.Postgres postgres ->
          withoutParameters(postgres.url()) + ", schema " + postgres.schema();
    };
  }

  /** Parameters of the address may hold a password. */
  static String withoutParameters(String url) {
    int parameters = url.indexOf('?');
    return parameters < 0 ? url : url.substring(0, parameters);
  }

  /** The file and its log; a server's files are not ours to look at. */
  private static Optional<Long> bytes(StoreConfig config) throws IOException {
    if (!(config.engine() instanceof StoreConfig.Sqlite sqlite)) {
      return Optional.empty();
    }
    long bytes = 0;
    try (Stream<Path> files = Files.list(sqlite.directory())) {
      for (Path file : files.toList()) {
        if (String.valueOf(file.getFileName()).startsWith(Workbench.STORE_FILE)) {
          bytes += Files.size(file);
        }
      }
    }
    return Optional.of(bytes);
  }

  private void print(Stats stats) {
    Terminal terminal = workbench.terminal();
    terminal.line(
        stats.place() + stats.bytes().map(bytes -> ", %,d KiB".formatted(bytes / KIB)).orElse(""));
    TextTable spaces = TextTable.of("SPACE", "LAST COMMIT", "FEED KEPT FROM", "TABLE", "RECORDS");
    for (SpaceStats space : stats.spaces()) {
      space
          .records()
          .forEach(
              (table, records) ->
                  spaces.row(
                      space.space(),
                      Output.number(space.lastCommit()),
                      Output.number(space.oldestKept()),
                      table,
                      Output.number(records)));
    }
    spaces.print(terminal);
  }
}
