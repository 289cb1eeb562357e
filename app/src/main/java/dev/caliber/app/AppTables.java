package dev.caliber.app;

import dev.caliber.store.Jobs;
import dev.caliber.store.Table;
import java.util.List;
import java.util.stream.Stream;

/** The tables that commands open a store with. A room that declares tables adds them here. */
final class AppTables {
  private AppTables() {}

  /** What is declared at opening; the store adds its own. */
  static List<Table<?>> declared() {
    return DemoTables.ALL;
  }

  /** All of them, the store's own included, for counting. */
  static List<Table<?>> all() {
    return Stream.concat(declared().stream(), Stream.of(Jobs.TABLE)).toList();
  }
}
