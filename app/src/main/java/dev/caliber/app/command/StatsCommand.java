package dev.caliber.app.command;

import dev.caliber.app.shell.CommandContext;
import dev.caliber.app.shell.CommandOutput;
import dev.caliber.app.shell.ExitCode;
import dev.caliber.app.shell.OpenStore;
import dev.caliber.app.shell.Terminal;
import dev.caliber.app.shell.TextTable;
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
    description = "Counts the records of every table in every space, or in the space of --space.")
public final class StatsCommand implements Callable<Integer> {
  private static final long KIB = 1024;

  private final CommandContext commandContext;

  public StatsCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  private record StatsOutput(
      String place,
      Optional<Long> bytes,
      Map<String, String> tables,
      List<SpaceStatsOutput> spaces) {}

  private record SpaceStatsOutput(
      String space,
      long sequence,
      long oldestFeedSequence,
      long epoch,
      Map<String, Long> records) {}

  @Override
  public Integer call() throws IOException {
    try (OpenStore store = commandContext.open()) {
      Map<String, String> tables = new TreeMap<>();
      store.tables().forEach(table -> tables.put(table.name(), table.description()));
      List<SpaceStatsOutput> spaces = new ArrayList<>();
      for (SpaceId space :
          commandContext
              .namedSpace()
              .<Iterable<SpaceId>>map(List::of)
              .orElse(store.records().spaces())) {
        spaces.add(countRecords(store, space));
      }
      StatsOutput statsOutput =
          new StatsOutput(storeLocation(store.config()), storeSize(store.config()), tables, spaces);
      commandContext.output().printResult(statsOutput, () -> print(statsOutput));
    }
    return ExitCode.OK.number();
  }

  private static SpaceStatsOutput countRecords(OpenStore store, SpaceId space) {
    Map<String, Long> records = new TreeMap<>();
    for (Table<?> table : store.tables()) {
      records.put(table.name(), store.count(space, table));
    }
    FeedCursor head = store.feed().head(space);
    long before = store.feed().oldestCursor(space).sequence();
    return new SpaceStatsOutput(space.value(), head.sequence(), before + 1, head.epoch(), records);
  }

  private static String storeLocation(StoreConfig config) {
    return switch (config.engine()) {
      case StoreConfig.SqliteSettings sqliteSettings -> sqliteSettings.directory().toString();
      case StoreConfig.InMemorySettings _ -> "memory";
      case StoreConfig.PostgresSettings postgresSettings ->
          withoutParameters(postgresSettings.url()) + ", schema " + postgresSettings.schema();
    };
  }

  /** Removes the parameters of an address, which may hold a password. */
  public static String withoutParameters(String url) {
    int parameters = url.indexOf('?');
    return parameters < 0 ? url : url.substring(0, parameters);
  }

  /** Returns the size of the file and its log; empty for a database server. */
  private static Optional<Long> storeSize(StoreConfig config) throws IOException {
    if (!(config.engine() instanceof StoreConfig.SqliteSettings sqliteSettings)) {
      return Optional.empty();
    }
    long bytes = 0;
    try (Stream<Path> files = Files.list(sqliteSettings.directory())) {
      for (Path file : files.toList()) {
        if (String.valueOf(file.getFileName()).startsWith(CommandContext.STORE_FILE)) {
          bytes += Files.size(file);
        }
      }
    }
    return Optional.of(bytes);
  }

  private void print(StatsOutput statsOutput) {
    Terminal terminal = commandContext.terminal();
    terminal.printLine(
        statsOutput.place()
            + statsOutput.bytes().map(bytes -> ", %,d KiB".formatted(bytes / KIB)).orElse(""));
    TextTable spaces = TextTable.of("SPACE", "SEQUENCE", "FEED STARTS AT", "TABLE", "RECORDS");
    for (SpaceStatsOutput space : statsOutput.spaces()) {
      space
          .records()
          .forEach(
              (table, records) ->
                  spaces.addRow(
                      space.space(),
                      CommandOutput.formatNumber(space.sequence()),
                      CommandOutput.formatNumber(space.oldestFeedSequence()),
                      table,
                      CommandOutput.formatNumber(records)));
    }
    spaces.print(terminal);
  }
}
