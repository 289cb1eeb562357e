package dev.caliber.testkit;

import static dev.caliber.testkit.Animal.ANIMALS;
import static dev.caliber.testkit.Picture.PICTURES;

import dev.caliber.kernel.Hashing;
import dev.caliber.store.ExportReport;
import dev.caliber.store.JobRequest;
import dev.caliber.store.Jobs;
import dev.caliber.store.Maintenance;
import dev.caliber.store.Progress;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;

/** A filled store, other places on the same engine, and a way around the store with plain SQL. */
public abstract class MaintenanceFixture extends StoreFixture {

  @TempDir protected Path files;

  private int others;

  /** Another place on the engine under test. */
  protected abstract StoreConfig.EngineConfig otherPlace();

  /** Changes this test's store behind its back. */
  protected abstract void raw(String sql);

  protected final RecordStore filled() {
    RecordStore store = open(ANIMALS, PICTURES);
    fill(store);
    return store;
  }

  /** A store on the engine under test that holds nothing. */
  protected final RecordStore empty() {
    StoreConfig.EngineConfig place = otherPlace();
    return open(config -> config.withEngine(place), ANIMALS, PICTURES);
  }

  /** A store on SQLite that holds nothing, whatever the engine under test. */
  protected final RecordStore emptySqlite() {
    Path directory = files.resolve("sqlite-" + others++);
    return open(config -> config.withEngine(Engines.sqlite(directory)), ANIMALS, PICTURES);
  }

  /** Two spaces, every kind of column, binaries, a job, several commits. */
  protected static void fill(RecordStore store) {
    store.createSpace(OTHER);
    for (int i = 0; i < 3; i++) {
      Animal animal = Animal.of("cat" + i, "Tom \u00e9\uD83D\uDC31 " + i).withLegs(i);
      store.write(
          SPACE,
          transaction -> {
            transaction.put(ANIMALS, animal.inHerd("h"));
            return true;
          });
    }
    store.write(
        SPACE,
        transaction -> {
          byte[] pixels = {0, -1, 10, 13, 127};
          transaction.insert(
              PICTURES, new Picture("p", "ann", "sea", pixels, new float[] {1, -0.5f}));
          Jobs.schedule(transaction, JobRequest.of("mail", "{\"to\":1}", clockStart()).once("x"));
          return true;
        });
    store.write(
        OTHER,
        transaction -> {
          transaction.insert(ANIMALS, Animal.of("cat0", "Other").withWeight(-0.0));
          transaction.insert(PICTURES, new Picture("q", "bob", "", new byte[0], new float[0]));
          return true;
        });
  }

  private static java.time.Instant clockStart() {
    return ManualClock.START;
  }

  protected static Maintenance of(RecordStore store) {
    return Maintenance.of(store);
  }

  protected static String export(RecordStore store) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ExportReport report = of(store).export(out, Optional.empty(), Progress.NONE);
    String text = out.toString(StandardCharsets.UTF_8);
    if (!text.contains(report.sha256())) {
      throw new AssertionError("The footer lacks the report's checksum");
    }
    return text;
  }

  /** The records' lines of an export. */
  protected static List<String> records(RecordStore store) {
    List<String> lines = export(store).lines().toList();
    return lines.subList(1, lines.size() - 1);
  }

  /** The records' lines without their revisions, which an import gives anew. */
  protected static List<String> contents(RecordStore store) {
    return records(store).stream().map(l -> l.replaceAll("\"revision\":\\d+,", "")).toList();
  }

  /** An export with a right footer around these lines. */
  protected static String framed(List<String> lines) {
    String before = "{\"caliber\":\"export\",\"format\":1}\n" + joined(lines);
    String sha256 = Hashing.hex(Hashing.sha256(before.getBytes(StandardCharsets.UTF_8)));
    return before
        + "{\"end\":true,\"records\":%d,\"sha256\":\"%s\"}\n".formatted(lines.size(), sha256);
  }

  private static String joined(List<String> lines) {
    return lines.isEmpty() ? "" : String.join("\n", lines) + "\n";
  }

  protected final Path file(String name, String text) {
    return file(name, text.getBytes(StandardCharsets.UTF_8));
  }

  protected final Path file(String name, byte[] bytes) {
    try {
      return Files.write(files.resolve(name), bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
