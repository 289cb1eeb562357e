package dev.caliber.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.store.ProgressListener;
import dev.caliber.store.RecordStore;
import dev.caliber.store.maintenance.ImportMode;
import dev.caliber.store.maintenance.ImportRules;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Maintenance of a store without a file, which has one session for everything. */
@EachEngine(EngineKind.MEMORY)
final class MemoryMaintenanceTest extends MaintenanceFixture {
  @Test
  void isMaintainedLikeAnyOther() {
    RecordStore store = filledStore();
    Path file = files.resolve("b.db");
    maintenanceOf(store).backup(file, ProgressListener.NONE);
    RecordStore restored = emptyStore();
    maintenanceOf(restored).restore(file, ProgressListener.NONE);
    assertThat(exportedRecords(restored)).isEqualTo(exportedRecords(store)).hasSize(7);
    RecordStore imported = emptyStore();
    ImportRules rules = new ImportRules(ImportMode.FAIL, Set.of("job"));
    maintenanceOf(imported)
        .importFrom(writeFile("e.jsonl", export(store)), rules, ProgressListener.NONE);
    assertThat(exportedContents(imported)).isEqualTo(exportedContents(store));
    assertThat(maintenanceOf(imported).examine(ProgressListener.NONE).findings()).isEmpty();
  }
}
