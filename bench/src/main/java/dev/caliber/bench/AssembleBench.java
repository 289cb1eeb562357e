package dev.caliber.bench;

import dev.caliber.kernel.Chance;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.Ids;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryConfig;
import dev.caliber.memory.MemoryParts;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.context.AssembleRequest;
import dev.caliber.memory.context.ContextAssembler;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Period;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.models.Models;
import dev.caliber.models.ModelsConfig;
import dev.caliber.store.Jobs;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import dev.caliber.store.search.SearchConfig;
import dev.caliber.store.search.SearchIndex;
import dev.caliber.store.spi.Embedder;
import dev.caliber.store.spi.Embedding;
import java.nio.file.Path;
import java.time.Duration;
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

/** Measures assembling over one number of notes. */
final class AssembleBench {
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
  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final String TOKENIZER = "o200k_base";

  private final Knobs knobs;
  private final Places places;
  private final Map<String, String> environment;
  private final int runs;
  private final Progress progress;
  private final Random random = new Random(SEED);
  private final AtomicBoolean embedding = new AtomicBoolean();

  AssembleBench(
      Knobs knobs,
      Places places,
      Map<String, String> environment,
      boolean quick,
      Progress progress) {
    this.knobs = knobs;
    this.places = places;
    this.environment = environment;
    this.runs = quick ? QUICK_RUNS : RUNS;
    this.progress = progress;
  }

  void measure(Report report, int notes, boolean greatest) {
    StoreConfig config = StoreConfig.starter().withEngine(places.fresh(EngineName.SQLITE));
    Ids ids = Ids.of(Stopwatch.clock(), Chance.system());
    List<Table<?>> tables = new ArrayList<>(SearchIndex.tables());
    tables.addAll(Memory.tables());
    tables.addAll(ContextAssembler.tables());
    try (Models models = Models.open(ModelsConfig.starter(), environment, Stopwatch.clock());
        RecordStore store = RecordStore.open(config, tables, Stopwatch.clock(), ids);
        Jobs jobs = Jobs.of(store, config.jobs(), Stopwatch.clock());
        SearchIndex index =
            SearchIndex.open(
                new SearchIndex.Parts(
                    store,
                    config,
                    settings(places.directory("index-" + notes)),
                    Memory.searchables(),
                    Stopwatch.clock(),
                    ids),
                Optional.of(new SometimesModel(models.embedder("bench"), embedding)),
                jobs)) {
      MemoryParts parts =
          MemoryParts.plain(
                  Stopwatch.clock(),
                  RuntimeConfig.starter(),
                  models.counters().named(TOKENIZER).orElseThrow())
              .withSearch(index);
      Memory memory = Memory.of(store, MemoryConfig.starter(), parts);
      Id trajectory = fill(store, memory, notes);
      awaitVectors(store, jobs, index);
      ContextAssembler assembler =
          ContextAssembler.of(store, MemoryConfig.starter(), parts, models.counters());
      Report.Section section =
          report.section("assemble", "%,d notes, 1,000 turns, 8,000 tokens".formatted(notes));
      warmUp(assembler, trajectory);
      whileMerging(section, assembler, trajectory);
      index.rebuild(SPACE, (_, _, _) -> {});
      progress.say("the index is settled");
      warmUp(assembler, trajectory);
      latencies(section, assembler, trajectory, greatest);
      throughput(section, assembler, memory, trajectory);
    }
  }

  private void warmUp(ContextAssembler assembler, Id trajectory) {
    for (int i = 0; i < runs; i++) {
      assembler.assemble(SPACE, question(trajectory));
    }
    progress.say("warm");
  }

  /** Right after all the notes were written, parts of the index are still being merged. */
  private void whileMerging(Report.Section section, ContextAssembler assembler, Id trajectory) {
    Samples samples = new Samples();
    for (int i = 0; i < runs; i++) {
      samples.add(time(assembler, question(trajectory).dry()));
    }
    add(section, "while the index is merged, dry run", samples, false);
  }

  /**
   * Embeds nothing by a model, unless a query is to pay for it; then it pays and goes on as before.
   */
  private record SometimesModel(Embedder paid, Embedder hashing, AtomicBoolean embedding)
      implements Embedder {
    SometimesModel(Embedder paid, AtomicBoolean embedding) {
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
    public String prefix(Purpose purpose) {
      return hashing.prefix(purpose);
    }

    @Override
    public List<Embedding> embed(Purpose purpose, List<String> texts) {
      if (purpose == Purpose.QUERY && embedding.get()) {
        paid.embed(purpose, texts);
      }
      return hashing.embed(purpose, texts);
    }

    @Override
    public void close() {
      hashing.close();
    }
  }

  private static SearchConfig settings(Path indexes) {
    SearchConfig starter = SearchConfig.starter();
    SearchConfig.General general = starter.general();
    return starter.withGeneral(
        new SearchConfig.General(indexes, PATIENCE, general.limitMax(), general.migration()));
  }

  private Id fill(RecordStore store, Memory memory, int notes) {
    for (int start = 0; start < notes; start += BATCH) {
      int from = start;
      int until = Math.min(notes, start + BATCH);
      store.write(
          SPACE,
          transaction -> {
            IntStream.range(from, until)
                .forEach(number -> transaction.put(Note.TABLE, note(transaction, number)));
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
              IntStream.range(0, TURN_BATCH).mapToObj(_ -> NewTurn.user(words(WORDS))).toList()));
    }
    return task.id();
  }

  private Note note(Transaction transaction, int number) {
    return new Note(
        transaction.newId(),
        1,
        "thing" + number,
        "thing",
        NoteType.FACT,
        words(WORDS),
        1,
        Period.always(),
        List.of(),
        List.of(),
        Optional.empty(),
        List.of(),
        Labels.none(),
        transaction.now(),
        transaction.now(),
        Optional.empty());
  }

  /** Words of which a few are used much more than the rest. */
  private String words(int count) {
    return random
            .doubles(count)
            .mapToObj(share -> "word" + (int) (VOCABULARY * share * share * share))
            .collect(Collectors.joining(" "))
        + ".";
  }

  private void awaitVectors(RecordStore store, Jobs jobs, SearchIndex index) {
    index.await(SPACE, store.changes().head(SPACE).sequence());
    while (index.status(SPACE).backlog() > 0) {
      progress.say("%,d records wait for vectors".formatted(index.status(SPACE).backlog()));
      jobs.runDue(SPACE);
      index.await(SPACE, store.changes().head(SPACE).sequence());
    }
  }

  private AssembleRequest question(Id trajectory) {
    return AssembleRequest.of(trajectory).asking(words(ASKED)).countedBy(TOKENIZER);
  }

  private void latencies(
      Report.Section section, ContextAssembler assembler, Id trajectory, boolean greatest) {
    Samples plain = new Samples();
    Samples kept = new Samples();
    Samples embedded = new Samples();
    for (int i = 0; i < runs; i++) {
      plain.add(time(assembler, question(trajectory).dry()));
      kept.add(time(assembler, question(trajectory)));
      embedding.set(true);
      embedded.add(time(assembler, question(trajectory).dry()));
      embedding.set(false);
    }
    add(section, "without embedding, dry run", plain, greatest);
    add(section, "without embedding, window kept", kept, greatest);
    add(section, "with embedding, dry run", embedded, false);
  }

  private static long time(ContextAssembler assembler, AssembleRequest request) {
    long start = Stopwatch.nanos();
    assembler.assemble(SPACE, request);
    return Stopwatch.nanos() - start;
  }

  private static void add(Report.Section section, String name, Samples samples, boolean barred) {
    section.add(
        name + ", p50",
        samples.percentile(MEDIAN) / NANOS_PER_MILLI,
        Figure.Unit.MILLIS,
        barred ? Figure.Bar.below(P50_BAR) : Optional.empty());
    section.add(
        name + ", p99",
        samples.percentile(LAST) / NANOS_PER_MILLI,
        Figure.Unit.MILLIS,
        barred ? Figure.Bar.below(P99_BAR) : Optional.empty());
  }

  /** Sixteen callers, and writers that append notes as fast as they may. */
  private void throughput(
      Report.Section section, ContextAssembler assembler, Memory memory, Id trajectory) {
    List<AssembleRequest> questions =
        IntStream.range(0, runs).mapToObj(_ -> question(trajectory).dry()).toList();
    long end = Stopwatch.after(knobs.sampleTime());
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
      threads.add(Thread.ofVirtual().name("writer-" + i).start(() -> write(memory, written, end)));
    }
    long start = Stopwatch.nanos();
    threads.forEach(AssembleBench::join);
    double seconds = Stopwatch.seconds(Stopwatch.nanos() - start);
    section.add(
        "16 callers while notes are written", assembled.get() / seconds, Figure.Unit.PER_SECOND);
    section.add("notes written meanwhile", written.get() / seconds, Figure.Unit.PER_SECOND);
  }

  private static void write(Memory memory, AtomicLong written, long end) {
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
