package dev.caliber.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.store.ImportMode;
import dev.caliber.store.ImportRules;
import dev.caliber.store.Progress;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A store without a file has one session for everything, maintenance included. */
final class MemoryMaintenanceTest extends MaintenanceFixture {
  @Override
  protected StoreConfig.EngineConfig engine() {
    return Engines.memory();
  }

  @Override
  protected StoreConfig.EngineConfig otherPlace() {
    return Engines.memory();
  }

  @Override
  protected void raw(String sql) {
    throw new UnsupportedOperationException("Nobody else can reach it");
  }

  @Test
  void isMaintainedLikeAnyOther() {
    RecordStore store = filled();
    Path file = files.resolve("b.db");
    of(store).backup(file, Progress.NONE);
    RecordStore restored = empty();
    of(restored).restore(file, Progress.NONE);
    assertThat(records(restored)).isEqualTo(records(store)).hasSize(7);
    RecordStore imported = empty();
    ImportRules rules = new ImportRules(ImportMode.FAIL, Set.of("job"));
    of(imported).importFrom(file("e.jsonl", export(store)), rules, Progress.NONE);
    assertThat(contents(imported)).isEqualTo(contents(store));
    assertThat(of(imported).examine(Progress.NONE).findings()).isEmpty();
  }
}
