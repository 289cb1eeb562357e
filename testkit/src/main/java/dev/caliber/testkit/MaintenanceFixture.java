package dev.caliber.testkit;

import static dev.caliber.testkit.Animal.ANIMALS;
import static dev.caliber.testkit.Picture.PICTURES;

import dev.caliber.kernel.FieldHash;
import dev.caliber.store.ProgressListener;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.job.JobRequest;
import dev.caliber.store.job.Jobs;
import dev.caliber.store.maintenance.ExportReport;
import dev.caliber.store.maintenance.Maintenance;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;

/** Fixture with a filled store, further locations on the same engine, and access with plain SQL. */
public abstract class MaintenanceFixture extends StoreFixture {

  @TempDir protected Path files;

  private int others;

  /** Returns another location on the engine under test. */
  protected final StoreConfig.EngineSettings otherEngine() {
    return testEngine().newLocation(files.resolve("other-" + others++));
  }

  /** Changes this test's store without the store's knowledge. */
  protected final void executeRawSql(String sql) {
    switch (engine()) {
      case StoreConfig.SqliteSettings sqlite ->
          RawSql.executeSqlite(sqlite.directory().resolve("caliber.db"), sql);
      case StoreConfig.PostgresSettings postgres -> RawSql.executePostgres(postgres, sql);
      case StoreConfig.InMemorySettings _ ->
          throw new UnsupportedOperationException("It cannot be reached from outside");
    }
  }

  protected final RecordStore filledStore() {
    RecordStore store = open(ANIMALS, PICTURES);
    fill(store);
    return store;
  }

  /** Returns an empty store on the engine under test. */
  protected final RecordStore emptyStore() {
    StoreConfig.EngineSettings place = otherEngine();
    return open(config -> config.withEngine(place), ANIMALS, PICTURES);
  }

  /** Returns an empty store on SQLite, whatever the engine under test. */
  protected final RecordStore emptySqliteStore() {
    Path directory = files.resolve("sqlite-" + others++);
    return open(config -> config.withEngine(TestEngines.sqlite(directory)), ANIMALS, PICTURES);
  }

  /** Fills two spaces: every kind of column, binaries, a job, several commits. */
  protected static void fill(RecordStore store) {
    store.createSpace(OTHER);
    for (int i = 0; i < 3; i++) {
      Animal animal = Animal.of("cat" + i, "Tom \u00e9\uD83D\uDC31 " + i).withLegs(i);
      store.commit(
          SPACE,
          transaction -> {
            transaction.put(ANIMALS, animal.withHerd("h"));
          });
    }
    store.commit(
        SPACE,
        transaction -> {
          byte[] pixels = {0, -1, 10, 13, 127};
          transaction.insert(
              PICTURES, new Picture("p", "ann", "sea", pixels, new float[] {1, -0.5f}));
          Jobs.schedule(
              transaction,
              JobRequest.of("mail", "{\"to\":1}", clockStart()).withDeduplicationKey("x"));
        });
    store.commit(
        OTHER,
        transaction -> {
          transaction.insert(ANIMALS, Animal.of("cat0", "Other").withWeight(-0.0));
          transaction.insert(PICTURES, new Picture("q", "bob", "", new byte[0], new float[0]));
        });
  }

  private static java.time.Instant clockStart() {
    return ManualClock.START;
  }

  protected static Maintenance maintenanceOf(RecordStore store) {
    return Maintenance.of(store);
  }

  protected static String export(RecordStore store) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ExportReport report = maintenanceOf(store).export(out, Optional.empty(), ProgressListener.NONE);
    String text = out.toString(StandardCharsets.UTF_8);
    if (!text.contains(report.sha256())) {
      throw new AssertionError("The footer lacks the report's checksum");
    }
    return text;
  }

  /** Returns the record lines of an export. */
  protected static List<String> exportedRecords(RecordStore store) {
    List<String> lines = export(store).lines().toList();
    return lines.subList(1, lines.size() - 1);
  }

  /** Returns the record lines without their revisions, which an import assigns anew. */
  protected static List<String> exportedContents(RecordStore store) {
    return exportedRecords(store).stream()
        .map(l -> l.replaceAll("\"revision\":\\d+,", ""))
        .toList();
  }

  /** Returns an export of these lines with a correct footer. */
  protected static String withFooter(List<String> lines) {
    String before = "{\"caliber\":\"export\",\"format\":1}\n" + joined(lines);
    String sha256 = FieldHash.hex(FieldHash.sha256(before.getBytes(StandardCharsets.UTF_8)));
    return before
        + "{\"end\":true,\"records\":%d,\"sha256\":\"%s\"}\n".formatted(lines.size(), sha256);
  }

  private static String joined(List<String> lines) {
    return lines.isEmpty() ? "" : String.join("\n", lines) + "\n";
  }

  protected final Path writeFile(String name, String text) {
    return writeFile(name, text.getBytes(StandardCharsets.UTF_8));
  }

  protected final Path writeFile(String name, byte[] bytes) {
    try {
      return Files.write(files.resolve(name), bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
