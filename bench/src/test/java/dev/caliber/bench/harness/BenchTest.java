package dev.caliber.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.bench.Main;
import dev.caliber.bench.store.CaliberContender;
import dev.caliber.kernel.IdGenerator;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.RandomSource;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.jdbc.Stores;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** Tests that the bench prints every figure; the values are not tested. */
class BenchTest {

  private static final Map<String, String> TINY =
      Map.of(MeasurementSettings.SAMPLES, "2", MeasurementSettings.SAMPLE_TIME, "20ms");

  @TempDir Path directory;

  private record Run(int status, String out, String err) {}

  private static Run bench(Map<String, String> environment, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status =
        Main.run(arguments, environment, new PrintWriter(out, true), new PrintWriter(err, true));
    return new Run(status, out.toString(), err.toString());
  }

  @Test
  @DisplayName("the server's rates, event streams, overhead and soak are measured")
  void everySectionOfTheServerPrintsItsFigures() {
    Run run =
        bench(
            TINY,
            "server",
            "--quick",
            "--soak=500ms",
            "--subscribers=5",
            "--no-postgres",
            "--work=" + directory.resolve("work"));

    assertThat(run.status).as(run.err).isZero();
    assertThat(run.out)
        .contains("remember", "recall", "assemble", "a commit is received by the last")
        .contains("the server alone listens, median", "the server alone has its model, median")
        .contains("HTTP to a call", "end to first fifth");
  }

  @Test
  @DisplayName("HNSW-04: recall against the exact scan is measured, beside raw Lucene and others")
  void everySectionOfSearchPrintsItsFigures() {
    Run run =
        bench(
            TINY,
            "search",
            "--documents=300",
            "--sizes=100,200",
            "--work=" + directory.resolve("work"));

    assertThat(run.status).as(run.err).isZero();
    assertThat(run.out)
        .contains("recall@10, Caliber", "Caliber to Lucene", "filtered, time to unfiltered")
        .contains("plain exact scan", "LangChain4j in memory", "all channels, p50")
        .contains("bytes on disk per document", "growth from 100 documents to 200 documents");
  }

  @Test
  void everySectionOfMemoryPrintsItsFigures() {
    Run run =
        bench(
            TINY,
            "memory",
            "--engine=sqlite",
            "--turns=400",
            "--trajectories=100",
            "--work=" + directory.resolve("work"));

    assertThat(run.status).as(run.err).isZero();
    assertThat(run.out)
        .contains("SQLite: one writer", "SQLite: 16 writers", "turns to the store's own commits")
        .contains("existing content", "new content", "bytes on disk per turn")
        .contains("append, cost at the end to the start", "read of 50 turns, cost at the end")
        .contains("InMemoryChatMemoryStore", "LangChain4j window of 100 on Caliber's store");
    assertThat(run.out + run.err).contains("server-memory");
  }

  @Test
  @DisplayName("OBS-11: assembling a window is measured with and without embedding and under load")
  void assemblingPrintsItsFigures() {
    Run run = bench(TINY, "assemble", "--quick", "--notes=20");
    assertThat(run.status).as(run.err).isZero();
    assertThat(run.out)
        .contains("20 notes, 1,000 turns, 8,000 tokens", "while the index is merged, dry run, p50")
        .contains("without embedding, dry run, p50", "without embedding, window kept, p99")
        .contains("with embedding, dry run, p50", "16 callers while notes are written")
        .contains("notes written meanwhile");
  }

  @Test
  void everySectionOfAgentsPrintsItsFigures() {
    Run run =
        bench(
            TINY,
            "agents",
            "--engine=sqlite",
            "--registered=30",
            "--work=" + directory.resolve("work"));

    assertThat(run.status).as(run.err).isZero();
    assertThat(run.out)
        .contains("SQLite: one agent", "SQLite: 16 agents", "SQLite: 256 agents")
        .contains("leases to the store's own commits", "messages to the store's own commits")
        .contains(
            "requests for one resource to the store's own commits",
            "leases granted on that resource")
        .contains("messages to a type to the store's own commits")
        .contains("30 registered agents", "heartbeats", "a search for silent agents")
        .contains("a heartbeat every 10s and a search every 1s");
  }

  @Test
  @Tag("long")
  @Tag("browser")
  @DisplayName("Studio's first page and long lists are measured, and each page has its picture")
  void studioIsMeasuredAndPictured() {
    Path pictures = directory.resolve("pictures");
    Run run = bench(Map.of(), "studio", "--quick", "--screenshots=" + pictures);
    assertThat(run.status).as(run.err).isZero();
    assertThat(run.out)
        .contains("first page is usable", "until rows show", "frame while scrolling");
    assertThat(pictures).isDirectoryContaining("glob:**/window-laptop-dark.png");
    assertThat(pictures).isDirectoryContaining("glob:**/coordination-phone.png");
  }

  @Test
  @DisplayName("OBS-11: every section of the store's bench prints its figures")
  void everySectionPrintsItsFigures() throws IOException {
    Path json = directory.resolve("figures.json");

    Run run =
        bench(
            TINY,
            "store",
            "--engine=sqlite",
            "--records=600",
            "--work=" + directory.resolve("work"),
            "--json=" + json);

    assertThat(run.status).as(run.err).isZero();
    assertThat(run.out)
        .contains("SQLite, 600 records: one writer", "commits, Caliber to raw")
        .contains("SQLite, 600 records: point reads", "reads, Caliber to raw")
        .contains("scans of 50 entries", "of a session, Caliber to raw", "of an author, Caliber")
        .contains("16 writers to 1 writer", "the disk's flushes, 16 threads", "longest commit")
        .contains("feed delivery", "from the return, p99")
        .contains("cores:", "file system:", "JDK:")
        .doesNotContain(directory.toString());
    ObjectNode report = Json.read(Files.readString(json), ObjectNode.class);
    assertThat(report.get("figures").size()).isGreaterThan(30);
    report
        .get("figures")
        .forEach(figure -> assertThat(figure.get("value").asDouble()).isNotNegative());
    assertThat(files(directory.resolve("work"))).isEmpty();
  }

  @Test
  @DisplayName("OBS-11: every section of the language's bench prints its figures")
  void theBenchOfTheLanguagePrintsItsFigures() {
    Run run = bench(TINY, "lang");

    assertThat(run.status).as(run.err).isZero();
    assertThat(run.out)
        .contains("lines parsed only", "lines parsed, checked and compiled")
        .contains("prompts read, Caliber", "time of Caliber to commonmark alone")
        .contains("a pack of 100 agents", "time of Caliber to tomlj and commonmark alone");
  }

  @Test
  @DisplayName("OBS-11: the environment sets how many samples are taken and for how long")
  void theEnvironmentSetsTheSamples() {
    Run run =
        bench(
            Map.of(MeasurementSettings.SAMPLES, "3", MeasurementSettings.SAMPLE_TIME, "15ms"),
            "scale",
            "--engine=sqlite",
            "--sizes=100,200",
            "--work=" + directory);

    assertThat(run.status).as(run.err).isZero();
    assertThat(run.out).contains("BENCH_SAMPLE_SIZE=3 BENCH_MEAS_TIME=15ms ./caliber bench scale");
    assertThat(run.out).contains("growth from 100 records to 200 records");
    assertThat(run.err).contains("sample 3 of 3").doesNotContain("sample 4");
    assertThat(MeasurementSettings.from(Map.of(), false).environmentAssignments())
        .isEqualTo("BENCH_SAMPLE_SIZE=10 BENCH_MEAS_TIME=2s");
    assertThat(
            MeasurementSettings.from(Map.of(MeasurementSettings.SAMPLE_TIME, "3"), true)
                .environmentAssignments())
        .isEqualTo("BENCH_SAMPLE_SIZE=3 BENCH_MEAS_TIME=3s");
  }

  @Test
  @DisplayName("OBS-11: a sample lasts as long as configured")
  void aSampleLastsAsLongAsItWasTold() {
    MeasurementSettings measurementSettings =
        MeasurementSettings.from(
            Map.of(MeasurementSettings.SAMPLES, "2", MeasurementSettings.SAMPLE_TIME, "50ms"),
            false);
    InterleavedMeasurement interleavedMeasurement =
        new InterleavedMeasurement(InterleavedMeasurement.FINE)
            .addContender("nothing", time -> Load.runAlone(time, _ -> {}));

    interleavedMeasurement.run(
        measurementSettings, new ProgressPrinter(new PrintWriter(new StringWriter())));

    assertThat(interleavedMeasurement.totalOf("nothing").nanos())
        .isGreaterThanOrEqualTo(measurementSettings.sampleTime().multipliedBy(2).toNanos());
  }

  @Test
  @DisplayName("OBS-11: the storage probe reads an existing store and changes nothing in it")
  void theProbeChangesNothing() throws IOException {
    Path data = directory.resolve("data");
    try (RecordStore store = open(data)) {
      EntryGenerator entryGenerator =
          new EntryGenerator(300, IdGenerator.of(Stopwatch.clock(), RandomSource.seeded(1)));
      store.commit(
          SpaceId.DEFAULT,
          transaction -> {
            entryGenerator
                .nextBatch(300)
                .forEach(benchEntry -> transaction.insert(BenchEntry.TABLE, benchEntry));
          });
    }
    Map<String, String> before = files(data);

    Run run = bench(TINY, "store", "--probe", "--data=" + data);

    assertThat(run.status).as(run.err).isZero();
    assertThat(run.out)
        .contains("storage probe: table entry", "rows sampled", "point reads, p99")
        .doesNotContain(data.toString());
    assertThat(files(data)).isEqualTo(before);
  }

  @Test
  @DisplayName("OBS-11: the storage probe reads a store that is in use")
  void theProbeReadsAStoreInUse() {
    Path data = directory.resolve("data");
    try (RecordStore store = open(data)) {
      EntryGenerator entryGenerator =
          new EntryGenerator(10, IdGenerator.of(Stopwatch.clock(), RandomSource.seeded(1)));
      new CaliberContender(store, SpaceId.DEFAULT).commit(entryGenerator.newEntry());

      Run run = bench(TINY, "store", "--probe", "--data=" + data);

      assertThat(run.status).as(run.err).isZero();
      assertThat(run.out).contains("storage probe: table entry");
    }
  }

  @Test
  void misuseIsOneClearLine() {
    assertThat(bench(Map.of(MeasurementSettings.SAMPLES, "many"), "store", "--quick").err)
        .contains("BENCH_SAMPLE_SIZE: expected a whole number from 1 to 1000, found 'many'")
        .hasLineCount(1);
    assertThat(bench(Map.of(MeasurementSettings.SAMPLE_TIME, "0s"), "store", "--quick").err)
        .contains("BENCH_MEAS_TIME: expected a time from 1ms to 10m")
        .hasLineCount(1);
    assertThat(bench(TINY, "store", "--probe").err).contains("--data").hasLineCount(1);
    assertThat(bench(TINY, "store", "--probe", "--data=" + directory).err)
        .contains("caliber.db")
        .hasLineCount(1);
    assertThat(bench(TINY, "scale", "--sizes=200,100").err).contains("rising").hasLineCount(1);
    assertThat(bench(TINY, "store", "--json=" + directory.resolve("no/such/file")).err)
        .contains("--json")
        .hasLineCount(1);
  }

  @Test
  void anEntryHasAboutSixHundredBytes() {
    EntryGenerator entryGenerator =
        new EntryGenerator(1_000, IdGenerator.of(Stopwatch.clock(), RandomSource.seeded(1)));
    double average =
        entryGenerator.nextBatch(1_000).stream()
            .mapToInt(e -> Json.bytes(e).length)
            .average()
            .orElse(0);

    assertThat(average).isBetween(570.0, 630.0);
  }

  @Test
  void percentilesAreThoseOfAllValues() {
    MeasuredSamples measuredSamples = new MeasuredSamples();
    for (int i = 2_000; i >= 1; i--) {
      measuredSamples.add(i);
    }

    assertThat(measuredSamples.percentile(0.5)).isEqualTo(1_000);
    assertThat(measuredSamples.percentile(0.99)).isEqualTo(1_980);
    assertThat(measuredSamples.max()).isEqualTo(2_000);
    assertThat(new MeasuredSamples().max()).isZero();
  }

  @Test
  void thePageKeepsWhatPeopleWrote() throws IOException {
    Files.createDirectories(directory.resolve("bench"));
    Files.writeString(directory.resolve("bench/pom.xml"), "");
    BenchmarksPage page = BenchmarksPage.find(Files.createDirectories(directory.resolve("a/b")));
    Path file = directory.resolve("docs/benchmarks.md");

    page.replace("store", "first\n");
    Files.writeString(file, Files.readString(file) + "\nBy hand.\n");
    page.replace("scale", "other\n");
    page.replace("store", "second\n");

    assertThat(Files.readString(file))
        .contains("second", "other", "By hand.")
        .doesNotContain("first");
  }

  private static RecordStore open(Path data) {
    return Stores.open(
        StoreConfig.starter().withEngine(BenchLocations.sqliteIn(data)),
        List.of(BenchEntry.TABLE),
        Stopwatch.clock(),
        IdGenerator.of(Stopwatch.clock(), RandomSource.seeded(1)));
  }

  /** Returns names and contents of all files. */
  private static Map<String, String> files(Path root) throws IOException {
    Map<String, String> found = new TreeMap<>();
    try (Stream<Path> paths = Files.walk(root)) {
      for (Path path : paths.filter(Files::isRegularFile).toList()) {
        found.put(root.relativize(path).toString(), Arrays.toString(Files.readAllBytes(path)));
      }
    }
    return found;
  }
}
