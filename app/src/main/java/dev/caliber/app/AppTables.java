package dev.caliber.app;

import dev.caliber.server.Wiring;
import dev.caliber.store.Jobs;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.Table;
import dev.caliber.store.search.Searchable;
import java.util.List;
import java.util.stream.Stream;

/** The tables that commands open a store with: those of all rooms, and of the demo. */
final class AppTables {
  private AppTables() {}

  /** What is declared at opening; the store adds its own. Only the demo's stores get its tables. */
  static List<Table<?>> declared(StoreConfig config) {
    return Stream.concat(
            Wiring.tables().stream(),
            isDemo(config) ? DemoTables.ALL.stream() : Stream.<Table<?>>empty())
        .toList();
  }

  /** What can be searched of them. */
  static List<Searchable<?>> searchable(StoreConfig config) {
    return Stream.concat(
            Wiring.searchables().stream(),
            isDemo(config) ? DemoTables.SEARCHABLE.stream() : Stream.empty())
        .toList();
  }

  private static boolean isDemo(StoreConfig config) {
    return config.engine() instanceof StoreConfig.Sqlite sqlite
        && DemoDirectory.isMarked(sqlite.directory());
  }

  /** With the store's own, for counting. */
  static List<Table<?>> withOwn(List<Table<?>> declared) {
    return Stream.concat(declared.stream(), Stream.of(Jobs.TABLE)).toList();
  }
}
