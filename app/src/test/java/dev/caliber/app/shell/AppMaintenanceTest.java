package dev.caliber.app.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.app.demo.DemoDirectory;
import dev.caliber.app.shell.Shell.Ran;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.IdGenerator;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.RandomSource;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Tombstone;
import dev.caliber.store.ProgressListener;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Table;
import dev.caliber.store.jdbc.Stores;
import dev.caliber.store.maintenance.Maintenance;
import dev.caliber.testkit.ManualClock;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Tests of backup, restore, export, import and doctor on the command line. */
class AppMaintenanceTest {
  private static final int NOTES = 5;

  @TempDir Path directory;
  private static final Table<ForeignRecord> FOREIGN =
      Table.of("foreign_record", "Of another program.", ForeignRecord.class, ForeignRecord::name);

  record ForeignRecord(String name) {}

  private Shell shell;

  @BeforeEach
  void fill() throws IOException {
    shell = new Shell(directory);
    ManualClock clock = new ManualClock();
    try (RecordStore store =
        Stores.open(
            DemoDirectory.config(directory.resolve("caliber-data")),
            List.of(Tombstone.TABLE),
            clock,
            IdGenerator.of(clock, RandomSource.seeded(7)))) {
      for (int i = 1; i <= NOTES; i++) {
        Tombstone record = new Tombstone(key(i), EntityType.NOTE, "text", Instant.EPOCH);
        store.commit(
            SpaceId.DEFAULT,
            transaction -> {
              transaction.insert(Tombstone.TABLE, record);
            });
      }
    }
  }

  private static Id key(int number) {
    return Id.parse("%026d".formatted(number));
  }

  private String ok(String... args) {
    Ran ran = shell.run(args);
    assertThat(ran.code()).as(ran.toString()).isZero();
    return ran.out();
  }

  private static void assertOneLine(Ran ran, String... parts) {
    assertThat(ran.code()).as(ran.toString()).isGreaterThan(ExitCode.USAGE.number());
    assertThat(ran.err().lines()).as(ran.toString()).hasSize(1);
    assertThat(ran.err()).startsWith("caliber: CALIBER_").contains(parts);
    assertThat(ran.err()).doesNotContain("Exception", "\tat ");
  }

  private long notes(String data) {
    JsonNode stats = Json.read(ok("stats", "--json", "--data", data), JsonNode.class);
    return stats.get("spaces").get(0).get("records").get("tombstone").asLong();
  }

  @Test
  void aBackupIsRestoredIntoANewStore() throws IOException {
    assertThat(ok("backup", "b.db")).contains("5 records", "b.db");
    assertThat(ok("restore", "b.db", "--data", "other")).contains("5 records");
    assertThat(notes("other")).isEqualTo(NOTES);
  }

  @Test
  void aBackupOverwritesNothing() throws IOException {
    Files.writeString(directory.resolve("b.db"), "mine");
    assertOneLine(shell.run("backup", "b.db"), directory.resolve("b.db").toString());
    assertThat(directory.resolve("b.db")).hasContent("mine");
  }

  @Test
  void aStoreThatHoldsRecordsIsNotRestoredOnto() {
    ok("backup", "b.db");
    assertOneLine(shell.run("restore", "b.db"), directory.resolve("caliber-data").toString());
    assertThat(notes("caliber-data")).isEqualTo(NOTES);
  }

  @Test
  void aFileThatIsNoBackupIsNotRestored() throws IOException {
    Files.writeString(directory.resolve("letter.txt"), "Dear store, ".repeat(200));
    assertOneLine(
        shell.run("restore", "letter.txt", "--data", "other"),
        directory.resolve("letter.txt").toString());
    assertOneLine(shell.run("restore", "absent.db", "--data", "third"), "absent.db");
    assertThat(directory.resolve("third")).doesNotExist();
  }

  /** Writes a backup and an export of a store with a table that no command knows. */
  private void writeForeignFiles() throws IOException {
    ManualClock clock = new ManualClock();
    try (RecordStore store =
            Stores.open(
                DemoDirectory.config(directory.resolve("foreign")),
                List.of(FOREIGN),
                clock,
                IdGenerator.of(clock, RandomSource.seeded(7)));
        OutputStream export = Files.newOutputStream(directory.resolve("e.jsonl"))) {
      store.commit(
          SpaceId.DEFAULT,
          transaction -> {
            transaction.insert(FOREIGN, new ForeignRecord("one"));
          });
      Maintenance.of(store).backup(directory.resolve("b.db"), ProgressListener.NONE);
      Maintenance.of(store).export(export, Optional.empty(), ProgressListener.NONE);
    }
  }

  @Test
  void whatIsRefusedLeavesNoStoreBehind() throws IOException {
    writeForeignFiles();
    Files.writeString(directory.resolve("letter.txt"), "Dear store, ".repeat(200));
    assertOneLine(shell.run("restore", "b.db", "--data", "new/other"), "foreign_record");
    assertOneLine(shell.run("import", "e.jsonl", "--data", "new/other"), "foreign_record");
    assertOneLine(shell.run("restore", "letter.txt", "--data", "new/other"), "letter.txt");
    assertOneLine(shell.run("import", "letter.txt", "--data", "new/other"), "letter.txt");
    assertThat(directory.resolve("new")).doesNotExist();
  }

  @Test
  void aRefusalTakesAwayOnlyWhatItsRunHasMade() throws IOException {
    Files.writeString(directory.resolve("letter.txt"), "Dear store");
    Path mine = Files.createDirectory(directory.resolve("mine"));
    Files.writeString(mine.resolve("notes.txt"), "mine");
    assertOneLine(shell.run("import", "letter.txt", "--data", "mine"), "letter.txt");
    assertThat(mine).isDirectoryContaining(file -> file.endsWith("notes.txt"));
    assertThat(mine.resolve(CommandContext.STORE_FILE)).doesNotExist();
    ok("spaces", "create", "kept", "--data", "mine");
    assertOneLine(shell.run("restore", "letter.txt", "--data", "mine"), "letter.txt");
    assertThat(ok("spaces", "list", "--data", "mine")).contains("kept");
  }

  @Test
  void anExportIsImportedElsewhere() throws IOException {
    assertThat(ok("export", "e.jsonl")).contains("5 records");
    assertThat(ok("import", "e.jsonl", "--data", "other")).contains("5 created");
    assertThat(notes("other")).isEqualTo(NOTES);
    assertThat(directory.resolve("e.jsonl.partial")).doesNotExist();
    assertThat(Files.getPosixFilePermissions(directory.resolve("e.jsonl")))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void anExportWithoutAFileIsTheSameOnTheOutput() throws IOException {
    ok("export", "e.jsonl");
    Ran ran = shell.run("export", "--space", "default");
    assertThat(ran.code()).isZero();
    assertThat(ran.out().lines()).hasSizeGreaterThan(NOTES).allMatch(line -> line.startsWith("{"));
    assertThat(ran.err()).contains("Exported 5 records");
    assertThat(shell.run("export").out().lines())
        .hasSameSizeAs(Files.readAllLines(directory.resolve("e.jsonl")));
  }

  @Test
  void anExportHoldsNoKeysUnlessItIsAskedFor() {
    ok("remember", "Tea is hot", "--data", "served");
    ok("keys", "create", "ci", "--right", "read", "--data", "served");
    assertThat(shell.run("export", "--data", "served").out())
        .contains("Tea is hot")
        .doesNotContain("api_key");
    assertThat(shell.run("export", "--data", "served", "--space", "caliber.server").out())
        .contains("api_key");
  }

  @Test
  void anImportPlantsNoKeyWebhookOrKeptAnswer() throws IOException {
    ok("keys", "create", "planted", "--right", "admin", "--data", "foe");
    ok("export", "keys.jsonl", "--data", "foe", "--space", "caliber.server");
    ok("remember", "Tea is hot", "--data", "mine");
    assertOneLine(
        shell.run("import", "keys.jsonl", "--data", "mine"),
        "CALIBER_STORAGE_IMPORT_INVALID",
        "api_key",
        "the server's own space 'caliber.server'",
        "nothing was imported");
    assertThat(ok("keys", "list", "--data", "mine")).doesNotContain("planted");
    assertThat(ok("import", "keys.jsonl", "--data", "mine", "--include", "caliber.server"))
        .contains("included by name: 1 caliber.server/api_key");
    assertThat(ok("keys", "list", "--data", "mine")).contains("planted");
    assertThat(shell.run("import", "keys.jsonl", "--data", "mine", "--include", "note").err())
        .contains("caliber.server, job, kept_answer, webhook, webhook_cursor");
  }

  @Test
  void anExportOverwritesNothing() {
    ok("export", "e.jsonl");
    assertOneLine(shell.run("export", "e.jsonl"), "e.jsonl", "not changed");
  }

  @Test
  void anUnfinishedFileOfSomebodyElseIsNotTouched() throws IOException {
    Path other = Files.writeString(directory.resolve("e.jsonl.partial"), "mine");
    assertOneLine(shell.run("export", "e.jsonl"), other.toString(), "not changed");
    assertThat(other).hasContent("mine");
    assertThat(directory.resolve("e.jsonl")).doesNotExist();
  }

  @Test
  void aFailedExportLeavesNoFile() {
    assertOneLine(shell.run("export", "e.jsonl", "--space", "unknown"), "'unknown'");
    assertThat(directory).isDirectoryNotContaining(file -> file.toString().contains("e.jsonl"));
  }

  @Test
  void whatIsThereAlreadyIsRefusedSkippedOrReplacedAsAsked() {
    ok("export", "e.jsonl");
    assertOneLine(shell.run("import", "e.jsonl"), "CALIBER_STORAGE_IMPORT_INVALID", "e.jsonl");
    assertThat(ok("import", "e.jsonl", "--on-conflict", "skip")).contains("5 skipped");
    assertThat(ok("import", "e.jsonl", "--on-conflict", "replace")).contains("5 replaced");
    Ran wrong = shell.run("import", "e.jsonl", "--on-conflict", "maybe");
    assertThat(wrong.code()).isEqualTo(ExitCode.USAGE.number());
  }

  @Test
  void aMalformedLineIsNamedAndNothingIsImported() throws IOException {
    ok("export", "e.jsonl");
    Path file = directory.resolve("e.jsonl");
    List<String> lines = new ArrayList<>(Files.readAllLines(file));
    lines.set(lines.size() - 2, "{\"broken");
    Files.write(file, lines);
    ok("spaces", "create", "kept", "--data", "other");
    assertOneLine(
        shell.run("import", "e.jsonl", "--data", "other"),
        "CALIBER_STORAGE_IMPORT_INVALID",
        file + ":" + (lines.size() - 1),
        "nothing was imported");
    assertThat(notes("other")).isZero();
  }

  @Test
  void aHealthyStoreIsCalledSo() {
    assertThat(ok("doctor")).contains("Healthy: 5 records checked");
    assertThat(Json.read(ok("doctor", "--json"), JsonNode.class).get("records").asLong())
        .isEqualTo(NOTES);
  }

  @Test
  void compactingMakesTheFileSmaller() throws IOException, java.sql.SQLException {
    Path file = directory.resolve("caliber-data").resolve(CommandContext.STORE_FILE);
    try (var connection = java.sql.DriverManager.getConnection("jdbc:sqlite:" + file);
        var statement = connection.createStatement()) {
      statement.execute("CREATE TABLE ballast AS SELECT randomblob(5000000) AS bytes");
      statement.execute("DROP TABLE ballast");
    }
    long before = Files.size(file);
    assertThat(ok("compact")).contains("Store size:", " bytes before, ");
    assertThat(Files.size(file)).isLessThan(before - 4_000_000);
    assertThat(notes("caliber-data")).isEqualTo(NOTES);
  }

  @Test
  void damageIsFoundAndEndsWithOne() throws java.sql.SQLException {
    Path file = directory.resolve("caliber-data").resolve(CommandContext.STORE_FILE);
    try (var connection = java.sql.DriverManager.getConnection("jdbc:sqlite:" + file);
        var statement = connection.createStatement()) {
      statement.executeUpdate("UPDATE tombstone SET type = 'forged' WHERE key = '" + key(3) + "'");
    }
    Ran ran = shell.run("doctor");
    assertThat(ran.code()).as(ran.toString()).isEqualTo(ExitCode.FAILED.number());
    assertThat(ran.out()).contains("ERROR", key(3).toString(), "NOT healthy");
  }

  @Test
  void aBarShowsShareOrAmount() {
    assertThat(ProgressBar.progressLine("copy", 50, 100)).contains("copy [", "#", ".", "50 %");
    assertThat(ProgressBar.progressLine("copy", 300, 100)).endsWith("100 %");
    assertThat(ProgressBar.progressLine("copy", 1500, -1)).isEqualTo("copy: more than 1,024");
    assertThat(ProgressBar.progressLine("copy", 0, -1)).isEqualTo("copy: more than 0");
  }
}
