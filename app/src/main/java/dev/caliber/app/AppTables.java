package dev.caliber.app;

import dev.caliber.agents.Agents;
import dev.caliber.memory.Memory;
import dev.caliber.memory.context.ContextAssembler;
import dev.caliber.memory.deployment.Deployments;
import dev.caliber.store.Jobs;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.Table;
import dev.caliber.store.search.SearchIndex;
import dev.caliber.store.search.Searchable;
import java.util.List;
import java.util.stream.Stream;

/** The tables that commands open a store with. A room that declares tables adds them here. */
final class AppTables {
  private AppTables() {}

  /** What is declared at opening; the store adds its own. Only the demo's stores get its tables. */
  static List<Table<?>> declared(StoreConfig config) {
    return Stream.concat(ofRooms(), isDemo(config) ? DemoTables.ALL.stream() : Stream.empty())
        .toList();
  }

  private static Stream<Table<?>> ofRooms() {
    return Stream.of(
            SearchIndex.tables(),
            Deployments.tables(),
            Memory.tables(),
            ContextAssembler.tables(),
            Agents.tables())
        .flatMap(List::stream);
  }

  /** What can be searched of them. */
  static List<Searchable<?>> searchable(StoreConfig config) {
    return Stream.concat(
            Memory.searchables().stream(),
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
