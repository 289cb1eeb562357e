package dev.caliber.bench.memory;

import dev.caliber.bench.harness.BenchEngine;
import dev.caliber.bench.harness.BenchLocations;
import dev.caliber.bench.harness.BenchReport;
import dev.caliber.bench.harness.Figure;
import dev.caliber.bench.harness.IndexedStore;
import dev.caliber.bench.harness.MeasuredSamples;
import dev.caliber.bench.harness.MeasurementSettings;
import dev.caliber.bench.harness.ProgressPrinter;
import dev.caliber.bench.harness.Stopwatch;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.context.ContextAssembler;
import dev.caliber.memory.context.window.AssembleRequest;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.TimeRange;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.memory.view.MemoryDependencies;
import dev.caliber.models.Models;
import dev.caliber.models.ModelsConfig;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Transaction;
import dev.caliber.store.search.SearchConfig;
import dev.caliber.store.spi.Embedder;
import dev.caliber.store.spi.Embedding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Measures assembling for one number of notes. */
public final class AssembleBench {
  private static final SpaceId SPACE = SpaceId.DEFAULT;
  private static final int DIMENSIONS = 384;
  private static final int TURNS = 1_000;
  private static final int BATCH = 500;
  private static final int TURN_BATCH = 50;
  private static final int VOCABULARY = 5_000;
  private static final int WORDS = 30;
  private static final int ASKED = 5;
  private static final int CALLERS = 16;
  private static final int WRITERS = 4;
  private static final int RUNS = 1_000;
  private static final int QUICK_RUNS = 100;
  private static final int SEED = 4711;
  private static final double MEDIAN = 0.5;
  private static final double LAST = 0.99;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double P50_BAR = 10;
  private static final double P99_BAR = 50;
  private static final String TOKENIZER = "o200k_base";

  private final MeasurementSettings measurementSettings;
  private final BenchLocations benchLocations;
  private final Map<String, String> environment;
  private final int runs;
  private final ProgressPrinter progressPrinter;
  private final Random random = new Random(SEED);
  private final AtomicBoolean embedding = new AtomicBoolean();

  public AssembleBench(
      MeasurementSettings measurementSettings,
      BenchLocations benchLocations,
      Map<String, String> environment,
      boolean quick,
      ProgressPrinter progressPrinter) {
    this.measurementSettings = measurementSettings;
    this.benchLocations = benchLocations;
    this.environment = environment;
    this.runs = quick ? QUICK_RUNS : RUNS;
    this.progressPrinter = progressPrinter;
  }

  public void measure(BenchReport benchReport, int notes, boolean greatest) {
    try (Models models = Models.open(ModelsConfig.starter(), environment, Stopwatch.clock());
        IndexedStore opened =
            IndexedStore.openForMemory(
                benchLocations.newEngine(BenchEngine.SQLITE),
                IndexedStore.patient(
                    SearchConfig.starter(), benchLocations.directory("index-" + notes)),
                Stopwatch.clock(),
                Optional.of(new SwitchableEmbedder(models.embedder("bench"), embedding)))) {
      RecordStore store = opened.store();
      MemoryDependencies parts =
          opened.dependencies(
              RuntimeConfig.starter(), models.tokenCounters().byName(TOKENIZER).orElseThrow());
      Memory memory = Memory.of(store, MemoryConfig.starter(), parts);
      Id trajectory = fillNotes(store, memory, notes);
      opened.awaitVectors(SPACE, "notes", progressPrinter, _ -> {});
      ContextAssembler assembler =
          ContextAssembler.of(store, MemoryConfig.starter(), parts, models.tokenCounters());
      BenchReport.ReportSection reportSection =
          benchReport.section("assemble", "%,d notes, 1,000 turns, 8,000 tokens".formatted(notes));
      warmUp(assembler, trajectory);
      measureWhileMerging(reportSection, assembler, trajectory);
      opened.index().rebuild(SPACE, (_, _, _) -> {});
      progressPrinter.printLine("the index has no more merges");
      warmUp(assembler, trajectory);
      measureLatencies(reportSection, assembler, trajectory, greatest);
      measureThroughput(reportSection, assembler, memory, trajectory);
    }
  }

  private void warmUp(ContextAssembler assembler, Id trajectory) {
    for (int i = 0; i < runs; i++) {
      assembler.assemble(SPACE, assembleRequest(trajectory));
    }
    progressPrinter.printLine("warm");
  }

  /** Measures while parts of the index are still being merged. */
  private void measureWhileMerging(
      BenchReport.ReportSection reportSection, ContextAssembler assembler, Id trajectory) {
    MeasuredSamples measuredSamples = new MeasuredSamples();
    for (int i = 0; i < runs; i++) {
      measuredSamples.add(timeAssembly(assembler, assembleRequest(trajectory).withDryRun()));
    }
    addFigures(reportSection, "while the index is merged, dry run", measuredSamples, false);
  }

  /**
   * An embedder that hashes, and switches to the model for queries that are to be measured with it.
   */
  private record SwitchableEmbedder(Embedder paid, Embedder hashing, AtomicBoolean embedding)
      implements Embedder {
    SwitchableEmbedder(Embedder paid, AtomicBoolean embedding) {
      this(paid, Embedder.hashing(DIMENSIONS), embedding);
    }

    @Override
    public String model() {
      return hashing.model();
    }

    @Override
    public int dimensions() {
      return DIMENSIONS;
    }

    @Override
    public String prefix(EmbeddingPurpose embeddingPurpose) {
      return hashing.prefix(embeddingPurpose);
    }

    @Override
    public List<Embedding> embed(EmbeddingPurpose embeddingPurpose, List<String> texts) {
      if (embeddingPurpose == EmbeddingPurpose.QUERY && embedding.get()) {
        paid.embed(embeddingPurpose, texts);
      }
      return hashing.embed(embeddingPurpose, texts);
    }

    @Override
    public void close() {
      hashing.close();
    }
  }

  private Id fillNotes(RecordStore store, Memory memory, int notes) {
    for (int start = 0; start < notes; start += BATCH) {
      int from = start;
      int until = Math.min(notes, start + BATCH);
      store.write(
          SPACE,
          transaction -> {
            IntStream.range(from, until)
                .forEach(number -> transaction.put(Note.TABLE, insertNote(transaction, number)));
            return until;
          });
    }
    Trajectory task = memory.run(SPACE, StartTrajectory.of("Measure", EntityRef.agent("bench")));
    Scope scope = memory.view(SPACE, view -> view.currentScope(task.id())).orElseThrow();
    for (int start = 0; start < TURNS; start += TURN_BATCH) {
      memory.run(
          SPACE,
          new AppendTurns(
              scope.id(),
              IntStream.range(0, TURN_BATCH)
                  .mapToObj(_ -> NewTurn.user(randomWords(WORDS)))
                  .toList()));
    }
    return task.id();
  }

  private Note insertNote(Transaction transaction, int number) {
    return new Note(
        transaction.newId(),
        1,
        "thing" + number,
        "thing",
        NoteType.FACT,
        randomWords(WORDS),
        1,
        TimeRange.always(),
        List.of(),
        List.of(),
        Optional.empty(),
        List.of(),
        Labels.none(),
        transaction.now(),
        transaction.now(),
        Optional.empty());
  }

  /** Returns words of which a few are used much more than the rest. */
  private String randomWords(int count) {
    return random
            .doubles(count)
            .mapToObj(share -> "word" + (int) (VOCABULARY * share * share * share))
            .collect(Collectors.joining(" "))
        + ".";
  }

  private AssembleRequest assembleRequest(Id trajectory) {
    return AssembleRequest.of(trajectory).withQuery(randomWords(ASKED)).withTokenizer(TOKENIZER);
  }

  private void measureLatencies(
      BenchReport.ReportSection reportSection,
      ContextAssembler assembler,
      Id trajectory,
      boolean greatest) {
    MeasuredSamples plain = new MeasuredSamples();
    MeasuredSamples kept = new MeasuredSamples();
    MeasuredSamples embedded = new MeasuredSamples();
    for (int i = 0; i < runs; i++) {
      plain.add(timeAssembly(assembler, assembleRequest(trajectory).withDryRun()));
      kept.add(timeAssembly(assembler, assembleRequest(trajectory)));
      embedding.set(true);
      embedded.add(timeAssembly(assembler, assembleRequest(trajectory).withDryRun()));
      embedding.set(false);
    }
    addFigures(reportSection, "without embedding, dry run", plain, greatest);
    addFigures(reportSection, "without embedding, window kept", kept, greatest);
    addFigures(reportSection, "with embedding, dry run", embedded, false);
  }

  private static long timeAssembly(ContextAssembler assembler, AssembleRequest request) {
    long start = Stopwatch.nanos();
    assembler.assemble(SPACE, request);
    return Stopwatch.nanos() - start;
  }

  private static void addFigures(
      BenchReport.ReportSection reportSection,
      String name,
      MeasuredSamples measuredSamples,
      boolean barred) {
    reportSection.add(
        name + ", p50",
        measuredSamples.percentile(MEDIAN) / NANOS_PER_MILLI,
        Figure.FigureUnit.MILLIS,
        barred ? Figure.FigureTarget.below(P50_BAR) : Optional.empty());
    reportSection.add(
        name + ", p99",
        measuredSamples.percentile(LAST) / NANOS_PER_MILLI,
        Figure.FigureUnit.MILLIS,
        barred ? Figure.FigureTarget.below(P99_BAR) : Optional.empty());
  }

  /** Measures sixteen callers, with writers that append notes at full speed. */
  private void measureThroughput(
      BenchReport.ReportSection reportSection,
      ContextAssembler assembler,
      Memory memory,
      Id trajectory) {
    List<AssembleRequest> questions =
        IntStream.range(0, runs).mapToObj(_ -> assembleRequest(trajectory).withDryRun()).toList();
    long end = Stopwatch.nanosAfter(measurementSettings.sampleTime());
    AtomicInteger assembled = new AtomicInteger();
    AtomicLong written = new AtomicLong();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      threads.add(
          Thread.ofVirtual()
              .name("caller-" + i)
              .start(
                  () -> {
                    while (Stopwatch.nanos() < end) {
                      int number = assembled.getAndIncrement();
                      assembler.assemble(SPACE, questions.get(number % questions.size()));
                    }
                  }));
    }
    for (int i = 0; i < WRITERS; i++) {
      threads.add(
          Thread.ofVirtual().name("writer-" + i).start(() -> writeUntil(memory, written, end)));
    }
    long start = Stopwatch.nanos();
    threads.forEach(AssembleBench::join);
    double seconds = Stopwatch.seconds(Stopwatch.nanos() - start);
    reportSection.add(
        "16 callers while notes are written",
        assembled.get() / seconds,
        Figure.FigureUnit.PER_SECOND);
    reportSection.add(
        "notes written meanwhile", written.get() / seconds, Figure.FigureUnit.PER_SECOND);
  }

  private static void writeUntil(Memory memory, AtomicLong written, long end) {
    while (Stopwatch.nanos() < end) {
      long number = written.getAndIncrement();
      memory.run(
          SPACE,
          dev.caliber.memory.command.WriteNote.of(
              "new" + number, "thing", NoteType.FACT, "Number " + number + " was written."));
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
