package dev.caliber.testkit.crash;

import static dev.caliber.testkit.crash.FaultFixture.SPACE;
import static dev.caliber.testkit.crash.FaultFixture.count;
import static dev.caliber.testkit.crash.FaultFixture.find;
import static dev.caliber.testkit.crash.FaultFixture.head;
import static dev.caliber.testkit.crash.FaultFixture.insert;
import static dev.caliber.testkit.crash.FaultFixture.open;
import static dev.caliber.testkit.crash.FaultFixture.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.RandomSource;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Durability;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.StoreErrorCode;
import dev.caliber.testkit.Animal;
import dev.caliber.testkit.Seed;
import dev.caliber.testkit.TestEngines;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that are damaged, or belong to another application or process. */
final class SqliteFaultTest {

  private static final long SEED = Seed.VALUE;
  private static final int ROWS = 300;
  private static final int PAGE = 4096;
  private static final int FLIPS = 150;

  @TempDir Path directory;
  private StoreConfig.SqliteSettings engine;
  private Path file;

  @BeforeEach
  void place() {
    engine = TestEngines.sqlite(directory);
    file = directory.resolve("caliber.db");
  }

  @Test
  void aSecondProcessIsRefusedAndToldWhoHoldsTheStore() {
    DrillTarget target = DrillTarget.sqlite(directory, Durability.FULL, SEED);
    try (DrillProcess other = DrillProcess.start(target)) {
      other.awaitAcknowledgements(1);
      refused(
          () -> open(engine),
          List.of(StoreErrorCode.STORE_IN_USE),
          "process " + other.pid(),
          directory.toString());
    }
    open(engine).close();
  }

  @Test
  void aSecondOpeningInOneProcessIsRefusedAndTheFirstKeepsItsLock() throws IOException {
    try (RecordStore store = open(engine)) {
      refused(() -> open(engine), List.of(StoreErrorCode.STORE_IN_USE), "this process");
      assertThat(isLockedByUs(directory.resolve("caliber.lock"))).isTrue();
      assertThat(store.spaces()).contains(SpaceId.DEFAULT);
    }
    assertThat(isLockedByUs(directory.resolve("caliber.lock"))).isFalse();
  }

  /** Returns whether the kernel sees this process's lock. */
  private static boolean isLockedByUs(Path lock) throws IOException {
    String ours =
        " %d .*:%s ".formatted(ProcessHandle.current().pid(), Files.getAttribute(lock, "unix:ino"));
    return Files.readAllLines(Path.of("/proc/locks")).stream()
        .anyMatch(line -> line.contains("POSIX") && line.matches(".*" + ours + ".*"));
  }

  @Test
  void aDamagedBodyIsNeverReturnedAndItsNeighboursStayReadable() throws IOException {
    fill();
    byte[] bytes = Files.readAllBytes(file);
    int at = indexOf(bytes, "name of a150");
    bytes[at]++;
    Files.write(file, bytes);
    try (RecordStore store = open(engine)) {
      refused(() -> find(store, "a150"), List.of(StoreErrorCode.CORRUPT), "animal 'a150'");
      assertThat(find(store, "a149")).contains(animal("a149"));
      assertThat(find(store, "a151")).contains(animal("a151"));
      insert(store, "new", "still writable");
      assertThat(find(store, "new")).isPresent();
    }
  }

  @Test
  void aFlippedBitAnywhereGivesACodedErrorOrTheRightRecordButNeverAWrongOne() throws IOException {
    fill();
    byte[] whole = Files.readAllBytes(file);
    RandomSource randomSource = RandomSource.seeded(SEED);
    for (int i = 0; i < FLIPS; i++) {
      int at = randomSource.nextInt(whole.length);
      int bit = randomSource.nextInt(Byte.SIZE);
      byte[] damaged = whole.clone();
      damaged[at] ^= (byte) (1 << bit);
      Files.write(file, damaged);
      try (RecordStore store = open(engine)) {
        for (int row = 0; row < ROWS; row++) {
          String id = id(row);
          Optional<Animal> found = find(store, id);
          assertThat(found.orElse(animal(id)))
              .as("seed %d, byte %d, bit %d", SEED, at, bit)
              .isEqualTo(animal(id));
        }
      } catch (CaliberException e) {
        assertThat(e.toLine()).doesNotContain("\n");
      }
      Files.deleteIfExists(directory.resolve("caliber.db-wal"));
      Files.deleteIfExists(directory.resolve("caliber.db-shm"));
    }
  }

  @Test
  void aDamagedHeaderIsRefused() throws IOException {
    fill();
    byte[] bytes = Files.readAllBytes(file);
    Arrays.fill(bytes, 0, 16, (byte) 'x');
    Files.write(file, bytes);
    refused(
        () -> open(engine),
        List.of(StoreErrorCode.STORE_UNREADABLE, StoreErrorCode.CORRUPT),
        file.toString());
    assertThat(Arrays.equals(Files.readAllBytes(file), bytes)).isTrue();
  }

  @Test
  void aTruncatedFileGivesACodedErrorAndNeverAWrongRecord() throws IOException {
    fill();
    byte[] whole = Files.readAllBytes(file);
    for (int pages = whole.length / PAGE - 1; pages > 0; pages -= 3) {
      Files.write(file, Arrays.copyOf(whole, pages * PAGE + 17));
      refused(
          () -> {
            try (RecordStore store = open(engine)) {
              for (int row = 0; row < ROWS; row++) {
                assertThat(find(store, id(row))).contains(animal(id(row)));
              }
              insert(store, "after", "the end");
            }
          },
          List.of(StoreErrorCode.CORRUPT, StoreErrorCode.STORE_UNREADABLE),
          file.toString());
    }
  }

  @Test
  void aTextFileIsRefusedAndLeftAlone() throws IOException {
    Files.writeString(file, "Dear diary, ".repeat(100), StandardCharsets.UTF_8);
    byte[] before = Files.readAllBytes(file);
    refused(
        () -> open(engine),
        List.of(StoreErrorCode.STORE_UNREADABLE),
        file.toString(),
        "not a SQLite database");
    assertThat(Arrays.equals(Files.readAllBytes(file), before)).isTrue();
    refused(
        () -> open(TestEngines.sqlite(file)),
        List.of(StoreErrorCode.STORE_UNREADABLE),
        file.toString(),
        "not a directory");
  }

  @Test
  void anotherProgramsDatabaseIsRefusedAndLeftAlone() throws IOException, SQLException {
    sql("CREATE TABLE recipes (name TEXT)");
    byte[] before = Files.readAllBytes(file);
    refused(
        () -> open(engine),
        List.of(StoreErrorCode.STORE_UNREADABLE),
        file.toString(),
        "not a store");
    assertThat(Arrays.equals(Files.readAllBytes(file), before)).isTrue();
  }

  @Test
  void aStoreOfANewerFormatIsRefusedAndLeftAlone() throws SQLException {
    fill();
    sql("PRAGMA user_version = 98");
    refused(
        () -> open(engine), List.of(StoreErrorCode.STORE_TOO_NEW), file.toString(), "is 98", "3");
    sql("PRAGMA user_version = 1");
    sql("UPDATE store_meta SET value = '99' WHERE name = 'format'");
    refused(() -> open(engine), List.of(StoreErrorCode.STORE_TOO_NEW), file.toString(), "is 99");
    sql("UPDATE store_meta SET value = 'three' WHERE name = 'format'");
    refused(() -> open(engine), List.of(StoreErrorCode.STORE_UNREADABLE), "'three'");
    sql("UPDATE store_meta SET value = '2' WHERE name = 'format'");
    refused(
        () -> open(engine),
        List.of(StoreErrorCode.STORE_UNREADABLE),
        file.toString(),
        "unreleased version");
    sql("UPDATE store_meta SET value = '3' WHERE name = 'format'");
    try (RecordStore store = open(engine)) {
      assertThat(count(store)).isEqualTo(ROWS);
    }
  }

  @Test
  void upkeepThatIsRefusedDoesNotStopTheWriter() {
    try (RecordStore store = open(engine)) {
      refused(
          () -> store.changes().trim(new SpaceId("nowhere")),
          List.of(StoreErrorCode.SPACE_NOT_FOUND),
          "nowhere");
      insert(store, "a", "after all");
      assertThat(find(store, "a")).isPresent();
    }
  }

  @Test
  void anErrorOfTheVirtualMachineInAWriteDoesNotStopTheWriter() {
    try (RecordStore store = open(engine)) {
      org.assertj.core.api.Assertions.assertThatThrownBy(
              () ->
                  store.write(
                      SPACE,
                      transaction -> {
                        transaction.insert(Animal.ANIMALS, Animal.of("lost", "lost"));
                        throw new StackOverflowError("as if");
                      }))
          .isInstanceOf(StackOverflowError.class);
      insert(store, "a", "after all");
      assertThat(count(store)).isEqualTo(1);
      assertThat(head(store)).isEqualTo(1);
    }
  }

  private void fill() {
    try (RecordStore store = open(engine)) {
      for (int row = 0; row < ROWS; row++) {
        insert(store, id(row), "name of " + id(row));
      }
    }
  }

  private static String id(int row) {
    return "a" + row;
  }

  private static Animal animal(String id) {
    return Animal.of(id, "name of " + id);
  }

  private void sql(String text) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      statement.execute(text);
    }
  }

  private static int indexOf(byte[] bytes, String text) {
    // Latin-1 maps each byte to one character, so positions agree.
    int at = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("\"name\":\"" + text);
    assertThat(at).isPositive();
    return at + "\"name\":\"n".length();
  }
}
