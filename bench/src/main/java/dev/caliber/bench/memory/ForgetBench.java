package dev.caliber.bench.memory;

import dev.caliber.bench.harness.BenchEngine;
import dev.caliber.bench.harness.BenchException;
import dev.caliber.bench.harness.BenchLocations;
import dev.caliber.bench.harness.BenchReport;
import dev.caliber.bench.harness.Figure;
import dev.caliber.bench.harness.IndexedStore;
import dev.caliber.bench.harness.ProgressPrinter;
import dev.caliber.bench.harness.Stopwatch;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.Memory;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.CreateArtifacts;
import dev.caliber.memory.command.ForgetRecords;
import dev.caliber.memory.command.NewArtifact;
import dev.caliber.memory.command.NewNote;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.RecallFilter;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.store.RecordStore;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Measures forgetting a subject while another one is remembered. */
public final class ForgetBench {
  /** Bound for the wait of any other write. */
  private static final double LONGEST_WAIT_MILLIS = 300;

  private static final SpaceId SPACE = SpaceId.DEFAULT;
  private static final String WORD = "swordfish";
  private static final Duration PAUSE = Duration.ofMillis(10);
  private static final int PER_COMMIT = 100;
  private static final int PER_TASK = 10_000;
  private static final int ARTIFACT_BYTES = 1_000_000;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final long MIB = 1L << 20;

  private final BenchLocations benchLocations;
  private final BenchEngine engine;
  private final ProgressPrinter progressPrinter;

  /** A different word for each section, because stores of earlier sections still exist. */
  private String word = WORD;

  private int sections;

  public ForgetBench(
      BenchLocations benchLocations, BenchEngine engine, ProgressPrinter progressPrinter) {
    this.benchLocations = benchLocations;
    this.engine = engine;
    this.progressPrinter = progressPrinter;
  }

  /** Measures a subject with this number of turns, in tasks of some thousands each. */
  public void measureTurns(BenchReport benchReport, int count) {
    measureForget(
        benchReport.section(engine.title(), "%,d turns".formatted(count)),
        (memory, subject) -> {
          for (int done = 0; done < count; done += PER_TASK) {
            Id scope = newScope(memory, subject);
            for (int in = 0; in < Math.min(PER_TASK, count - done); in += PER_COMMIT) {
              int first = done + in;
              List<NewTurn> turns =
                  IntStream.range(first, Math.min(count, first + PER_COMMIT))
                      .mapToObj(i -> NewTurn.user("Number %d of a %s.".formatted(i, word)))
                      .toList();
              memory.run(SPACE, new AppendTurns(scope, turns));
            }
          }
        });
  }

  /** Measures a subject with this number of artifacts of a megabyte in one task. */
  public void measureArtifacts(BenchReport benchReport, int count) {
    measureForget(
        benchReport.section(engine.title(), "%,d artifacts of 1 MB".formatted(count)),
        (memory, subject) -> {
          Id scope = newScope(memory, subject);
          for (int i = 0; i < count; i++) {
            String line = "Line of number %d about a %s.%n".formatted(i, word);
            String text = line.repeat(ARTIFACT_BYTES / line.length());
            memory.run(
                SPACE,
                CreateArtifacts.of(NewArtifact.of(scope, ArtifactType.FACT, Bytes.of(text))));
          }
        });
  }

  private static Id newScope(Memory memory, String subject) {
    StartTrajectory start =
        StartTrajectory.of("Talk", EntityRef.agent("bench")).withLabels(Labels.ofSubject(subject));
    Id task = memory.run(SPACE, start).id();
    return memory.view(SPACE, view -> view.currentScope(task)).orElseThrow().id();
  }

  private void measureForget(
      BenchReport.ReportSection reportSection, BiConsumer<Memory, String> load) {
    progressPrinter.startPart(engine.title());
    word = WORD + (char) ('a' + sections++);
    try (RecordStore store =
        IndexedStore.openPlain(benchLocations.newEngine(engine), Memory.tables())) {
      Memory memory = Memory.of(store, MemoryConfig.starter(), IndexedStore.plainDependencies());
      load.accept(memory, "alice");
      store.purgeDeleted(); // so that the load is not written back during the measurement
      ConcurrentNoteWriter concurrentNoteWriter = new ConcurrentNoteWriter(memory);
      long begun = Stopwatch.nanos();
      int gone =
          memory
              .forget(SPACE, ForgetRecords.matching(RecallFilter.ofSubject("alice")))
              .records()
              .size();
      long taken = Stopwatch.nanos() - begun;
      concurrentNoteWriter.close();
      reportSection.add("records forgotten", gone, Figure.FigureUnit.COUNT);
      reportSection.add("time", taken / NANOS_PER_MILLI, Figure.FigureUnit.MILLIS);
      reportSection.add(
          "longest wait of another write",
          concurrentNoteWriter.longest / NANOS_PER_MILLI,
          Figure.FigureUnit.MILLIS,
          Figure.FigureTarget.below(LONGEST_WAIT_MILLIS));
      reportSection.add(
          "most heap in use, MiB",
          (double) concurrentNoteWriter.heap / MIB,
          Figure.FigureUnit.COUNT);
      reportSection.add(
          "forgotten words left in files",
          (double) remainingOccurrences(),
          Figure.FigureUnit.COUNT);
    }
  }

  /** Another writer, which remembers a note every few milliseconds. */
  private static final class ConcurrentNoteWriter implements AutoCloseable {
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final Memory memory;
    private final Thread thread;
    private volatile long longest;
    private volatile long heap;

    ConcurrentNoteWriter(Memory memory) {
      this.memory = memory;
      this.thread = Thread.ofPlatform().name("bench-neighbour").start(this::run);
    }

    private void run() {
      for (int i = 0; !stopping.get(); i++) {
        long begun = Stopwatch.nanos();
        memory.remember(SPACE, NewNote.of(text(i)).withSubject("bob"));
        longest = Math.max(longest, Stopwatch.nanos() - begun);
        Runtime runtime = Runtime.getRuntime();
        heap = Math.max(heap, runtime.totalMemory() - runtime.freeMemory());
        Stopwatch.waitUntil(Stopwatch.nanosAfter(PAUSE));
      }
    }

    /** Returns a note without numbers, which contradicts no other one. */
    private static String text(int number) {
      String name =
          Integer.toString(number)
              .chars()
              .mapToObj(digit -> Character.toString(digit - '0' + 'a'))
              .collect(Collectors.joining());
      return "Bob knows " + name + ".";
    }

    @Override
    public void close() {
      stopping.set(true);
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Counts the word in every file of the engine; for PostgreSQL also in its log. */
  private long remainingOccurrences() {
    try (Stream<Path> files = Files.walk(benchLocations.root())) {
      return files.filter(Files::isRegularFile).mapToLong(this::occurrencesIn).sum();
    } catch (IOException e) {
      throw BenchException.preparationFailed("Searching the store's files", e);
    }
  }

  private long occurrencesIn(Path file) {
    byte[] wanted = word.getBytes(StandardCharsets.UTF_8);
    long found = 0;
    int matched = 0;
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file), (int) MIB)) {
      for (int next = in.read(); next >= 0; next = in.read()) {
        matched = next == wanted[matched] ? matched + 1 : (next == wanted[0] ? 1 : 0);
        if (matched == wanted.length) {
          found++;
          matched = 0;
        }
      }
      return found;
    } catch (NoSuchFileException e) {
      return found; // the engine has removed it meanwhile
    } catch (IOException e) {
      throw BenchException.preparationFailed("Searching a file of the store", e);
    }
  }
}
