package dev.caliber.testkit;

import static dev.caliber.testkit.Animal.ANIMALS;
import static dev.caliber.testkit.Picture.PICTURES;
import static dev.caliber.testkit.RecordStoreContract.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.CaliberException;
import dev.caliber.store.FeedCursor;
import dev.caliber.store.ProgressListener;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreErrorCode;
import dev.caliber.store.job.Jobs;
import dev.caliber.store.maintenance.BackupReport;
import dev.caliber.store.maintenance.CompactReport;
import dev.caliber.store.maintenance.ExportReport;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Contract of backup, restore and export on every engine. */
@EachEngine(
    value = {EngineKind.SQLITE, EngineKind.POSTGRES},
    schemaPerTest = true)
class MaintenanceContract extends MaintenanceFixture {

  @Test
  void aBackupRestoresEverything() {
    RecordStore store = filledStore();
    Path file = files.resolve("b.db");
    List<String> phases = new ArrayList<>();
    BackupReport report = maintenanceOf(store).backup(file, (phase, _, _) -> phases.add(phase));
    assertThat(report.records()).isEqualTo(7);
    assertThat(report.bytes()).isPositive();
    assertThat(phases).contains("backup");

    RecordStore copy = emptyStore();
    assertThat(maintenanceOf(copy).restore(file, ProgressListener.NONE).records()).isEqualTo(7);
    assertThat(exportedRecords(copy)).isEqualTo(exportedRecords(store)).hasSize(7);
    assertThat(copy.spaces()).containsExactly(SPACE, OTHER);
    assertThat(maintenanceOf(copy).examine(ProgressListener.NONE).findings()).isEmpty();
    Picture picture = copy.read(SPACE, s -> s.get(PICTURES, "p"));
    assertThat(picture.pixels()).containsExactly(0, -1, 10, 13, 127);
    assertThat(copy.<Long>read(SPACE, s -> s.count(Query.over(Jobs.TABLE)))).isEqualTo(1);
  }

  @Test
  void aRestoredSpaceGoesOnInANewEpochWithoutAFeed() {
    RecordStore store = filledStore();
    FeedCursor before = store.changes().head(SPACE);
    maintenanceOf(store).backup(files.resolve("b.db"), ProgressListener.NONE);
    RecordStore copy = emptyStore();
    maintenanceOf(copy).restore(files.resolve("b.db"), ProgressListener.NONE);
    FeedCursor after = copy.changes().head(SPACE);
    assertThat(after.sequence()).isEqualTo(before.sequence());
    assertThat(after.epoch()).isGreaterThan(before.epoch());
    assertThat(copy.changes().oldestCursor(SPACE)).isEqualTo(after);
    assertRefused(StoreErrorCode.FEED_TRUNCATED, () -> copy.changes().read(SPACE, before, 10));
    long revision = copy.write(SPACE, t -> put(t, Animal.of("new", "New")));
    assertThat(revision).isEqualTo(before.sequence() + 1);
    assertThat(copy.changes().read(SPACE, after, 10).getFirst().host())
        .isNotEqualTo(store.changes().read(SPACE, new FeedCursor(1, 0), 1).getFirst().host());
    assertThat(maintenanceOf(copy).examine(ProgressListener.NONE).findings()).isEmpty();
  }

  @Test
  void aBackupOfManyRowsIsWhole() {
    RecordStore store = emptyStore();
    for (int rows : List.of(400, 401)) { // whole pages, and one row more
      store.write(
          SPACE,
          transaction -> {
            for (int i = 0; i < rows; i++) {
              transaction.put(ANIMALS, Animal.of("animal" + i, "x"));
            }
            return true;
          });
      Path file = files.resolve("b%d.db".formatted(rows));
      assertThat(maintenanceOf(store).backup(file, ProgressListener.NONE).records())
          .isEqualTo(rows);
    }
    RecordStore copy = emptyStore();
    maintenanceOf(copy).restore(files.resolve("b401.db"), ProgressListener.NONE);
    assertThat(exportedRecords(copy)).isEqualTo(exportedRecords(store)).hasSize(401);
  }

  @Test
  void aBackupIsASingleFileThatOpensAsAStore() throws IOException {
    RecordStore store = filledStore();
    Path directory = Files.createDirectory(files.resolve("as-store"));
    maintenanceOf(store).backup(directory.resolve("caliber.db"), ProgressListener.NONE);
    try (var listed = Files.list(directory)) {
      assertThat(listed).containsExactly(directory.resolve("caliber.db"));
    }
    RecordStore opened =
        open(config -> config.withEngine(TestEngines.sqlite(directory)), ANIMALS, PICTURES);
    assertThat(exportedRecords(opened)).isEqualTo(exportedRecords(store));
    assertThat(opened.changes().head(SPACE)).isEqualTo(store.changes().head(SPACE));
    assertThat(opened.changes().read(SPACE, new FeedCursor(1, 0), 10))
        .isEqualTo(store.changes().read(SPACE, new FeedCursor(1, 0), 10));
    assertThat(maintenanceOf(opened).examine(ProgressListener.NONE).findings()).isEmpty();
  }

  @Test
  void aStoreMovesToSqliteAndBack() {
    RecordStore store = filledStore();
    maintenanceOf(store).backup(files.resolve("1.db"), ProgressListener.NONE);
    RecordStore sqlite = emptySqliteStore();
    maintenanceOf(sqlite).restore(files.resolve("1.db"), ProgressListener.NONE);
    maintenanceOf(sqlite).backup(files.resolve("2.db"), ProgressListener.NONE);
    RecordStore back = emptyStore();
    maintenanceOf(back).restore(files.resolve("2.db"), ProgressListener.NONE);
    assertThat(exportedRecords(sqlite)).isEqualTo(exportedRecords(store));
    assertThat(exportedRecords(back)).isEqualTo(exportedRecords(store));
  }

  @Test
  void aBackupUnderWritersIsOneState() throws InterruptedException {
    RecordStore store = open(ANIMALS, PICTURES);
    AtomicBoolean stop = new AtomicBoolean();
    CountDownLatch begun = new CountDownLatch(200);
    List<Thread> writers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      writers.add(
          Thread.ofPlatform()
              .name("writer-" + i)
              .start(
                  () -> {
                    while (!stop.get()) {
                      writeStep(store);
                      begun.countDown();
                    }
                  }));
    }
    try {
      begun.await();
      for (int i = 0; i < 3; i++) {
        maintenanceOf(store).backup(files.resolve(i + ".db"), ProgressListener.NONE);
      }
    } finally {
      stop.set(true);
      for (Thread writer : writers) {
        writer.join();
      }
    }
    for (int i = 0; i < 3; i++) {
      RecordStore copy = emptySqliteStore();
      maintenanceOf(copy).restore(files.resolve(i + ".db"), ProgressListener.NONE);
      long head = copy.changes().head(SPACE).sequence();
      assertThat(head).isGreaterThanOrEqualTo(200);
      assertThat(legsOf(copy, "left")).isEqualTo(head);
      assertThat(legsOf(copy, "right")).isEqualTo(head);
      assertThat(copy.<Long>read(SPACE, s -> s.count(Query.over(ANIMALS)))).isEqualTo(head + 2);
    }
  }

  private static void writeStep(RecordStore store) {
    store.write(
        SPACE,
        t -> {
          put(t, Animal.of("left", "L").withLegs(t.revision()));
          put(t, Animal.of("right", "R").withLegs(t.revision()));
          return put(t, Animal.of("n" + t.revision(), "N"));
        });
  }

  private static long legsOf(RecordStore store, String id) {
    return store.read(SPACE, s -> s.get(ANIMALS, id)).legs();
  }

  private static long put(dev.caliber.store.Transaction transaction, Animal animal) {
    transaction.put(ANIMALS, animal);
    return transaction.revision();
  }

  @Test
  void aBackupRefusesAnExistingFileAndLeavesNothingBehind() throws IOException {
    RecordStore store = filledStore();
    Path there = writeFile("there.db", "precious");
    assertRefused(
        StoreErrorCode.FILE_EXISTS,
        () -> maintenanceOf(store).backup(there, ProgressListener.NONE),
        there.toString());
    assertThat(there).hasContent("precious");
    Path claimed = writeFile("claimed.db.partial", "");
    assertRefused(
        StoreErrorCode.FILE_EXISTS,
        () -> maintenanceOf(store).backup(files.resolve("claimed.db"), ProgressListener.NONE),
        claimed.toString());
    assertRefused(
        StoreErrorCode.FILE_IO_FAILED,
        () -> maintenanceOf(store).backup(files.resolve("no/such/dir.db"), ProgressListener.NONE),
        "dir.db.partial");
    executeRawSql("ALTER TABLE store_table RENAME TO gone");
    assertThatThrownBy(
            () -> maintenanceOf(store).backup(files.resolve("failed.db"), ProgressListener.NONE))
        .isInstanceOf(CaliberException.class);
    try (var left = Files.list(files)) {
      assertThat(left.map(Path::getFileName).map(Path::toString))
          .doesNotContain("failed.db", "failed.db.partial", "failed.db-journal");
    }
  }

  @Test
  void aRestoreRefusesAStoreWithRecords() {
    RecordStore store = filledStore();
    maintenanceOf(store).backup(files.resolve("b.db"), ProgressListener.NONE);
    List<String> before = exportedRecords(store);
    assertRefused(
        StoreErrorCode.STORE_NOT_EMPTY,
        () -> maintenanceOf(store).restore(files.resolve("b.db"), ProgressListener.NONE),
        "holds records",
        "nothing was restored");
    assertThat(exportedRecords(store)).isEqualTo(before);
    assertThat(store.changes().head(SPACE).epoch()).isEqualTo(1);
  }

  @Test
  void aRestoreRefusesWhatIsNoStore() {
    RecordStore store = emptyStore();
    assertRestoreRefused(
        store, StoreErrorCode.STORE_UNREADABLE, files.resolve("none"), "no such file");
    assertRestoreRefused(store, StoreErrorCode.STORE_UNREADABLE, files, "not a file");
    assertRestoreRefused(
        store,
        StoreErrorCode.STORE_UNREADABLE,
        writeFile("text", "hello, this is no database at all".repeat(99)),
        "not a SQLite database");
    assertRestoreRefused(
        store, StoreErrorCode.STORE_UNREADABLE, writeFile("empty", ""), "not a Caliber store");
    RawSql.executeSqlite(files.resolve("foreign"), "CREATE TABLE t (a)");
    assertRestoreRefused(
        store, StoreErrorCode.STORE_UNREADABLE, files.resolve("foreign"), "not a Caliber store");
    maintenanceOf(store).backup(files.resolve("newer"), ProgressListener.NONE);
    RawSql.executeSqlite(files.resolve("newer"), "PRAGMA user_version = 99");
    assertRestoreRefused(store, StoreErrorCode.STORE_TOO_NEW, files.resolve("newer"), "99");
  }

  @Test
  void aRestoreOfADamagedBackupChangesNothing() {
    RecordStore store = filledStore();
    Path file = files.resolve("b.db");
    maintenanceOf(store).backup(file, ProgressListener.NONE);
    RawSql.executeSqlite(file, "UPDATE picture SET pixels = x'00' WHERE \"key\" = 'p'");
    RecordStore copy = emptyStore();
    assertRestoreRefused(copy, StoreErrorCode.CORRUPT, file, "picture 'p'", "nothing was restored");
    assertThat(exportedRecords(copy)).isEmpty();
    assertThat(copy.changes().head(SPACE)).isEqualTo(new FeedCursor(1, 0));
    assertThat(copy.spaces()).containsExactly(SPACE);
  }

  @Test
  void aRestoreRefusesTablesAndSchemasThatItDoesNotKnow() {
    RecordStore store = filledStore();
    Path file = files.resolve("b.db");
    maintenanceOf(store).backup(file, ProgressListener.NONE);
    var place = otherEngine();
    RecordStore small = open(config -> config.withEngine(place), ANIMALS);
    assertRestoreRefused(small, StoreErrorCode.STORE_UNREADABLE, file, "'picture'");
    RawSql.executeSqlite(file, "UPDATE store_table SET schema = 9 WHERE name = 'animal'");
    assertRestoreRefused(emptyStore(), StoreErrorCode.STORE_TOO_NEW, file, "'animal'", "9");
  }

  private static void assertRestoreRefused(
      RecordStore store, StoreErrorCode code, Path file, String... words) {
    assertRefused(code, () -> maintenanceOf(store).restore(file, ProgressListener.NONE), words);
  }

  @Test
  void anExportOfOneSpaceHoldsThatSpaceOnly() {
    RecordStore store = filledStore();
    var out = new ByteArrayOutputStream();
    assertThat(
            maintenanceOf(store).export(out, Optional.of(OTHER), ProgressListener.NONE).records())
        .isEqualTo(2);
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("\"space\":\"other\"")
        .doesNotContain("default");
    assertRefused(
        StoreErrorCode.SPACE_NOT_FOUND,
        () ->
            maintenanceOf(store)
                .export(
                    out,
                    Optional.of(new dev.caliber.kernel.SpaceId("nowhere")),
                    ProgressListener.NONE));
  }

  @Test
  void anExportLeavesOutWhatItIsToldTo() {
    RecordStore store = filledStore();
    var out = new ByteArrayOutputStream();
    ExportReport report =
        maintenanceOf(store).export(out, Optional.empty(), Set.of(OTHER), ProgressListener.NONE);
    assertThat(report.records()).isPositive();
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("\"space\":\"default\"")
        .doesNotContain("\"space\":\"other\"");
  }

  @Test
  void anExportSaysWhatItCouldNotDo() {
    RecordStore store = filledStore();
    assertRefused(
        StoreErrorCode.FILE_IO_FAILED,
        () ->
            maintenanceOf(store)
                .export(new FullDiskStream(), Optional.empty(), ProgressListener.NONE),
        "the export");
    executeRawSql("UPDATE animal SET body = replace(body, 'Other', 'Altered')");
    assertRefused(StoreErrorCode.CORRUPT, () -> export(store), "'cat0'", "'other'");
  }

  /** Stream that fails on every write. */
  private static final class FullDiskStream extends OutputStream {
    @Override
    public void write(int b) throws IOException {
      throw new IOException("No space left on device");
    }
  }

  @Test
  void aTableThatIsNotDeclaredIsBackedUpAndReportedByAnExport() {
    RecordStore store = filledStore();
    List<String> all = exportedRecords(store);
    store.close();
    RecordStore small = open(ANIMALS);
    var out = OutputStream.nullOutputStream();
    assertThat(maintenanceOf(small).export(out, Optional.empty(), ProgressListener.NONE).leftOut())
        .containsExactly("picture");
    maintenanceOf(small).backup(files.resolve("b.db"), ProgressListener.NONE);
    RecordStore copy = emptyStore();
    maintenanceOf(copy).restore(files.resolve("b.db"), ProgressListener.NONE);
    assertThat(exportedRecords(copy)).isEqualTo(all);
  }

  @Test
  void compactingGivesTheRoomOfDeletedRecordsBack() {
    RecordStore store = filledStore();
    List<String> kept = exportedRecords(store);
    for (int commit = 0; commit < 10; commit++) {
      int first = commit * 100;
      store.commit(
          SPACE,
          transaction -> {
            for (int i = first; i < first + 100; i++) {
              transaction.insert(ANIMALS, Animal.of("n" + i, "N".repeat(2000)));
            }
          });
    }
    store.commit(
        SPACE,
        transaction -> {
          for (int i = 0; i < 1000; i++) {
            transaction.delete(ANIMALS, "n" + i);
          }
        });
    CompactReport report = maintenanceOf(store).compact(ProgressListener.NONE);
    assertThat(report.bytesAfter()).isLessThan(report.bytesBefore() / 2);
    assertThat(exportedRecords(store)).isEqualTo(kept);
    assertThat(maintenanceOf(store).examine(ProgressListener.NONE).isHealthy()).isTrue();
    store.write(SPACE, t -> t.update(ANIMALS, "cat0", animal -> animal.withLegs(9)));
  }

  @Test
  void aStoreOfAnUnreleasedVersionIsRefused() {
    filledStore().close();
    executeRawSql("UPDATE store_meta SET value = '2' WHERE name = 'format'");
    assertRefused(StoreErrorCode.STORE_UNREADABLE, () -> open(ANIMALS, PICTURES));
  }

  @Test
  void whatIsSecretIsNotExported() {
    RecordStore store = filledStore();
    assertThat(exportText(store)).contains(ANIMALS.name());
    store.close();
    assertThat(exportText(open(ANIMALS.withoutExport()))).doesNotContain(ANIMALS.name());
  }

  private String exportText(RecordStore store) {
    var out = new ByteArrayOutputStream();
    maintenanceOf(store).export(out, Optional.empty(), ProgressListener.NONE);
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void aClosedStoreIsNotMaintained() {
    RecordStore store = filledStore();
    store.close();
    assertRefused(StoreErrorCode.CLOSED, () -> export(store));
    assertRefused(StoreErrorCode.CLOSED, () -> maintenanceOf(store).examine(ProgressListener.NONE));
    assertRefused(
        StoreErrorCode.CLOSED,
        () -> maintenanceOf(store).backup(files.resolve("b.db"), ProgressListener.NONE));
    assertThat(files.resolve("b.db")).doesNotExist();
  }
}
