package dev.caliber.testkit;

import static dev.caliber.testkit.Animal.ANIMALS;
import static dev.caliber.testkit.Picture.PICTURES;
import static dev.caliber.testkit.RecordStoreContract.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.CaliberException;
import dev.caliber.store.BackupReport;
import dev.caliber.store.CompactReport;
import dev.caliber.store.ExportReport;
import dev.caliber.store.FeedCursor;
import dev.caliber.store.Jobs;
import dev.caliber.store.Progress;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreErrorCode;
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

/** What backup, restore and export do on every engine. */
public abstract class MaintenanceContract extends MaintenanceFixture {

  @Test
  void aBackupRestoresEverything() {
    RecordStore store = filled();
    Path file = files.resolve("b.db");
    List<String> phases = new ArrayList<>();
    BackupReport report = of(store).backup(file, (phase, _, _) -> phases.add(phase));
    assertThat(report.records()).isEqualTo(7);
    assertThat(report.bytes()).isPositive();
    assertThat(phases).contains("backup");

    RecordStore copy = empty();
    assertThat(of(copy).restore(file, Progress.NONE).records()).isEqualTo(7);
    assertThat(records(copy)).isEqualTo(records(store)).hasSize(7);
    assertThat(copy.spaces()).containsExactly(SPACE, OTHER);
    assertThat(of(copy).examine(Progress.NONE).findings()).isEmpty();
    Picture picture = copy.read(SPACE, s -> s.get(PICTURES, "p"));
    assertThat(picture.pixels()).containsExactly(0, -1, 10, 13, 127);
    assertThat(copy.<Long>read(SPACE, s -> s.count(Query.over(Jobs.TABLE)))).isEqualTo(1);
  }

  @Test
  void aRestoredSpaceGoesOnInANewEpochWithoutAFeed() {
    RecordStore store = filled();
    FeedCursor before = store.changes().head(SPACE);
    of(store).backup(files.resolve("b.db"), Progress.NONE);
    RecordStore copy = empty();
    of(copy).restore(files.resolve("b.db"), Progress.NONE);
    FeedCursor after = copy.changes().head(SPACE);
    assertThat(after.sequence()).isEqualTo(before.sequence());
    assertThat(after.epoch()).isGreaterThan(before.epoch());
    assertThat(copy.changes().oldest(SPACE)).isEqualTo(after);
    refused(StoreErrorCode.FEED_TRUNCATED, () -> copy.changes().read(SPACE, before, 10));
    long revision = copy.write(SPACE, t -> put(t, Animal.of("new", "New")));
    assertThat(revision).isEqualTo(before.sequence() + 1);
    assertThat(copy.changes().read(SPACE, after, 10).getFirst().host())
        .isNotEqualTo(store.changes().read(SPACE, new FeedCursor(1, 0), 1).getFirst().host());
    assertThat(of(copy).examine(Progress.NONE).findings()).isEmpty();
  }

  @Test
  void aBackupOfManyRowsIsWhole() {
    RecordStore store = empty();
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
      assertThat(of(store).backup(file, Progress.NONE).records()).isEqualTo(rows);
    }
    RecordStore copy = empty();
    of(copy).restore(files.resolve("b401.db"), Progress.NONE);
    assertThat(records(copy)).isEqualTo(records(store)).hasSize(401);
  }

  @Test
  void aBackupIsASingleFileThatOpensAsAStore() throws IOException {
    RecordStore store = filled();
    Path directory = Files.createDirectory(files.resolve("as-store"));
    of(store).backup(directory.resolve("caliber.db"), Progress.NONE);
    try (var listed = Files.list(directory)) {
      assertThat(listed).containsExactly(directory.resolve("caliber.db"));
    }
    RecordStore opened =
        open(config -> config.withEngine(Engines.sqlite(directory)), ANIMALS, PICTURES);
    assertThat(records(opened)).isEqualTo(records(store));
    assertThat(opened.changes().head(SPACE)).isEqualTo(store.changes().head(SPACE));
    assertThat(opened.changes().read(SPACE, new FeedCursor(1, 0), 10))
        .isEqualTo(store.changes().read(SPACE, new FeedCursor(1, 0), 10));
    assertThat(of(opened).examine(Progress.NONE).findings()).isEmpty();
  }

  @Test
  void aStoreMovesToSqliteAndBack() {
    RecordStore store = filled();
    of(store).backup(files.resolve("1.db"), Progress.NONE);
    RecordStore sqlite = emptySqlite();
    of(sqlite).restore(files.resolve("1.db"), Progress.NONE);
    of(sqlite).backup(files.resolve("2.db"), Progress.NONE);
    RecordStore back = empty();
    of(back).restore(files.resolve("2.db"), Progress.NONE);
    assertThat(records(sqlite)).isEqualTo(records(store));
    assertThat(records(back)).isEqualTo(records(store));
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
                      step(store);
                      begun.countDown();
                    }
                  }));
    }
    try {
      begun.await();
      for (int i = 0; i < 3; i++) {
        of(store).backup(files.resolve(i + ".db"), Progress.NONE);
      }
    } finally {
      stop.set(true);
      for (Thread writer : writers) {
        writer.join();
      }
    }
    for (int i = 0; i < 3; i++) {
      RecordStore copy = emptySqlite();
      of(copy).restore(files.resolve(i + ".db"), Progress.NONE);
      long head = copy.changes().head(SPACE).sequence();
      assertThat(head).isGreaterThanOrEqualTo(200);
      assertThat(legs(copy, "left")).isEqualTo(head);
      assertThat(legs(copy, "right")).isEqualTo(head);
      assertThat(copy.<Long>read(SPACE, s -> s.count(Query.over(ANIMALS)))).isEqualTo(head + 2);
    }
  }

  private static void step(RecordStore store) {
    store.write(
        SPACE,
        t -> {
          put(t, Animal.of("left", "L").withLegs(t.revision()));
          put(t, Animal.of("right", "R").withLegs(t.revision()));
          return put(t, Animal.of("n" + t.revision(), "N"));
        });
  }

  private static long legs(RecordStore store, String id) {
    return store.read(SPACE, s -> s.get(ANIMALS, id)).legs();
  }

  private static long put(dev.caliber.store.Transaction transaction, Animal animal) {
    transaction.put(ANIMALS, animal);
    return transaction.revision();
  }

  @Test
  void aBackupRefusesAnExistingFileAndLeavesNothingBehind() throws IOException {
    RecordStore store = filled();
    Path there = file("there.db", "precious");
    refused(
        StoreErrorCode.FILE_EXISTS, () -> of(store).backup(there, Progress.NONE), there.toString());
    assertThat(there).hasContent("precious");
    Path claimed = file("claimed.db.partial", "");
    refused(
        StoreErrorCode.FILE_EXISTS,
        () -> of(store).backup(files.resolve("claimed.db"), Progress.NONE),
        claimed.toString());
    refused(
        StoreErrorCode.FILE_FAILED,
        () -> of(store).backup(files.resolve("no/such/dir.db"), Progress.NONE),
        "dir.db.partial");
    raw("ALTER TABLE store_table RENAME TO gone");
    assertThatThrownBy(() -> of(store).backup(files.resolve("failed.db"), Progress.NONE))
        .isInstanceOf(CaliberException.class);
    try (var left = Files.list(files)) {
      assertThat(left.map(Path::getFileName).map(Path::toString))
          .doesNotContain("failed.db", "failed.db.partial", "failed.db-journal");
    }
  }

  @Test
  void aRestoreRefusesAStoreWithRecords() {
    RecordStore store = filled();
    of(store).backup(files.resolve("b.db"), Progress.NONE);
    List<String> before = records(store);
    refused(
        StoreErrorCode.STORE_NOT_EMPTY,
        () -> of(store).restore(files.resolve("b.db"), Progress.NONE),
        "holds records",
        "nothing was restored");
    assertThat(records(store)).isEqualTo(before);
    assertThat(store.changes().head(SPACE).epoch()).isEqualTo(1);
  }

  @Test
  void aRestoreRefusesWhatIsNoStore() {
    RecordStore store = empty();
    restoreRefused(store, StoreErrorCode.STORE_UNREADABLE, files.resolve("none"), "no such file");
    restoreRefused(store, StoreErrorCode.STORE_UNREADABLE, files, "not a file");
    restoreRefused(
        store,
        StoreErrorCode.STORE_UNREADABLE,
        file("text", "hello, this is no database at all".repeat(99)),
        "not a SQLite database");
    restoreRefused(
        store, StoreErrorCode.STORE_UNREADABLE, file("empty", ""), "not a Caliber store");
    RawSql.sqlite(files.resolve("foreign"), "CREATE TABLE t (a)");
    restoreRefused(
        store, StoreErrorCode.STORE_UNREADABLE, files.resolve("foreign"), "not a Caliber store");
    of(store).backup(files.resolve("newer"), Progress.NONE);
    RawSql.sqlite(files.resolve("newer"), "PRAGMA user_version = 99");
    restoreRefused(store, StoreErrorCode.STORE_TOO_NEW, files.resolve("newer"), "99");
  }

  @Test
  void aRestoreOfADamagedBackupChangesNothing() {
    RecordStore store = filled();
    Path file = files.resolve("b.db");
    of(store).backup(file, Progress.NONE);
    RawSql.sqlite(file, "UPDATE picture SET pixels = x'00' WHERE \"key\" = 'p'");
    RecordStore copy = empty();
    restoreRefused(copy, StoreErrorCode.CORRUPT, file, "picture 'p'", "nothing was restored");
    assertThat(records(copy)).isEmpty();
    assertThat(copy.changes().head(SPACE)).isEqualTo(new FeedCursor(1, 0));
    assertThat(copy.spaces()).containsExactly(SPACE);
  }

  @Test
  void aRestoreRefusesTablesAndSchemasThatItDoesNotKnow() {
    RecordStore store = filled();
    Path file = files.resolve("b.db");
    of(store).backup(file, Progress.NONE);
    var place = otherPlace();
    RecordStore small = open(config -> config.withEngine(place), ANIMALS);
    restoreRefused(small, StoreErrorCode.STORE_UNREADABLE, file, "'picture'");
    RawSql.sqlite(file, "UPDATE store_table SET schema = 9 WHERE name = 'animal'");
    restoreRefused(empty(), StoreErrorCode.STORE_TOO_NEW, file, "'animal'", "9");
  }

  private static void restoreRefused(
      RecordStore store, StoreErrorCode code, Path file, String... words) {
    refused(code, () -> of(store).restore(file, Progress.NONE), words);
  }

  @Test
  void anExportOfOneSpaceHoldsThatSpaceOnly() {
    RecordStore store = filled();
    var out = new ByteArrayOutputStream();
    assertThat(of(store).export(out, Optional.of(OTHER), Progress.NONE).records()).isEqualTo(2);
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("\"space\":\"other\"")
        .doesNotContain("default");
    refused(
        StoreErrorCode.SPACE_NOT_FOUND,
        () ->
            of(store)
                .export(
                    out, Optional.of(new dev.caliber.kernel.SpaceId("nowhere")), Progress.NONE));
  }

  @Test
  void anExportLeavesOutWhatItIsToldTo() {
    RecordStore store = filled();
    var out = new ByteArrayOutputStream();
    ExportReport report = of(store).export(out, Optional.empty(), Set.of(OTHER), Progress.NONE);
    assertThat(report.records()).isPositive();
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("\"space\":\"default\"")
        .doesNotContain("\"space\":\"other\"");
  }

  @Test
  void anExportSaysWhatItCouldNotDo() {
    RecordStore store = filled();
    refused(
        StoreErrorCode.FILE_FAILED,
        () -> of(store).export(new FullDisk(), Optional.empty(), Progress.NONE),
        "the export");
    raw("UPDATE animal SET body = replace(body, 'Other', 'Altered')");
    refused(StoreErrorCode.CORRUPT, () -> export(store), "'cat0'", "'other'");
  }

  /** Takes nothing. */
  private static final class FullDisk extends OutputStream {
    @Override
    public void write(int b) throws IOException {
      throw new IOException("No space left on device");
    }
  }

  @Test
  void aTableThatIsNotDeclaredIsBackedUpAndReportedByAnExport() {
    RecordStore store = filled();
    List<String> all = records(store);
    store.close();
    RecordStore small = open(ANIMALS);
    var out = OutputStream.nullOutputStream();
    assertThat(of(small).export(out, Optional.empty(), Progress.NONE).leftOut())
        .containsExactly("picture");
    of(small).backup(files.resolve("b.db"), Progress.NONE);
    RecordStore copy = empty();
    of(copy).restore(files.resolve("b.db"), Progress.NONE);
    assertThat(records(copy)).isEqualTo(all);
  }

  @Test
  void compactingGivesTheRoomOfDeletedRecordsBack() {
    RecordStore store = filled();
    List<String> kept = records(store);
    for (int commit = 0; commit < 10; commit++) {
      int first = commit * 100;
      store.write(
          SPACE,
          transaction -> {
            for (int i = first; i < first + 100; i++) {
              transaction.insert(ANIMALS, Animal.of("n" + i, "N".repeat(2000)));
            }
            return true;
          });
    }
    store.write(
        SPACE,
        transaction -> {
          for (int i = 0; i < 1000; i++) {
            transaction.delete(ANIMALS, "n" + i);
          }
          return true;
        });
    CompactReport report = of(store).compact(Progress.NONE);
    assertThat(report.bytesAfter()).isLessThan(report.bytesBefore() / 2);
    assertThat(records(store)).isEqualTo(kept);
    assertThat(of(store).examine(Progress.NONE).isHealthy()).isTrue();
    store.write(SPACE, t -> t.update(ANIMALS, "cat0", animal -> animal.withLegs(9)));
  }

  @Test
  void openingAStoreOfAnEarlierVersionRaisesItsNumberSoThatThatVersionRefusesIt() {
    filled().close();
    String format = "SELECT value FROM store_meta WHERE name = 'format'";
    List<List<String>> own = RawSql.rows(engine(), format);
    raw("UPDATE store_meta SET value = '1' WHERE name = 'format'");
    open(ANIMALS, PICTURES).close();
    assertThat(RawSql.rows(engine(), format)).isEqualTo(own).isNotEqualTo(List.of(List.of("1")));
  }

  @Test
  void whatIsSecretIsNotExported() {
    RecordStore store = filled();
    assertThat(exported(store)).contains(ANIMALS.name());
    store.close();
    assertThat(exported(open(ANIMALS.secret()))).doesNotContain(ANIMALS.name());
  }

  private String exported(RecordStore store) {
    var out = new ByteArrayOutputStream();
    of(store).export(out, Optional.empty(), Progress.NONE);
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void aClosedStoreIsNotMaintained() {
    RecordStore store = filled();
    store.close();
    refused(StoreErrorCode.CLOSED, () -> export(store));
    refused(StoreErrorCode.CLOSED, () -> of(store).examine(Progress.NONE));
    refused(StoreErrorCode.CLOSED, () -> of(store).backup(files.resolve("b.db"), Progress.NONE));
    assertThat(files.resolve("b.db")).doesNotExist();
  }
}
