package dev.caliber.app.shell;

import dev.caliber.server.Wiring;
import dev.caliber.store.Table;
import dev.caliber.store.job.Jobs;
import java.util.List;
import java.util.stream.Stream;

/** The tables that commands count: those of all modules, and the store's own. */
final class AppTables {
  private AppTables() {}

  static List<Table<?>> all() {
    return Stream.concat(Wiring.tables().stream(), Stream.of(Jobs.TABLE)).toList();
  }
}
