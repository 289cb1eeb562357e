package dev.caliber.bench;

import dev.caliber.kernel.Chance;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.Ids;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.TokenEstimate;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryConfig;
import dev.caliber.memory.MemoryParts;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.CreateArtifact;
import dev.caliber.memory.command.CreateArtifacts;
import dev.caliber.memory.command.Forget;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.RecallFilter;
import dev.caliber.memory.command.Remember;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
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
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Forgets a subject while another one is remembered. */
final class ForgetBench {
  /** No other write waits longer, whatever is forgotten. */
  private static final double LONGEST_WAIT_MILLIS = 300;

  private static final SpaceId SPACE = SpaceId.DEFAULT;
  private static final String WORD = "swordfish";
  private static final Duration PAUSE = Duration.ofMillis(10);
  private static final int PER_COMMIT = 100;
  private static final int PER_TASK = 10_000;
  private static final int ARTIFACT_BYTES = 1_000_000;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final long MIB = 1L << 20;

  private final Places places;
  private final EngineName engine;
  private final Progress progress;

  /** Another one in each section, since stores of earlier sections are still there. */
  private String word = WORD;

  private int sections;

  ForgetBench(Places places, EngineName engine, Progress progress) {
    this.places = places;
    this.engine = engine;
    this.progress = progress;
  }

  /** With so many turns, and tasks of some thousands of them. */
  void turns(Report report, int count) {
    measure(
        report.section(engine.title(), "%,d turns".formatted(count)),
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

  /** With so many artifacts of a megabyte in one task. */
  void artifacts(Report report, int count) {
    measure(
        report.section(engine.title(), "%,d artifacts of 1 MB".formatted(count)),
        (memory, subject) -> {
          Id scope = newScope(memory, subject);
          for (int i = 0; i < count; i++) {
            String line = "Line of number %d about a %s.%n".formatted(i, word);
            String text = line.repeat(ARTIFACT_BYTES / line.length());
            memory.run(
                SPACE,
                CreateArtifacts.of(CreateArtifact.of(scope, ArtifactType.FACT, Bytes.of(text))));
          }
        });
  }

  private static Id newScope(Memory memory, String subject) {
    StartTrajectory start =
        StartTrajectory.of("Talk", EntityRef.agent("bench")).labelled(Labels.ofSubject(subject));
    Id task = memory.run(SPACE, start).id();
    return memory.view(SPACE, view -> view.currentScope(task)).orElseThrow().id();
  }

  private void measure(Report.Section section, BiConsumer<Memory, String> load) {
    progress.part(engine.title());
    word = WORD + (char) ('a' + sections++);
    StoreConfig config = StoreConfig.starter().withEngine(places.fresh(engine));
    Ids ids = Ids.of(Stopwatch.clock(), Chance.system());
    try (RecordStore store = RecordStore.open(config, Memory.tables(), Stopwatch.clock(), ids)) {
      RuntimeConfig runtime = RuntimeConfig.starter();
      TokenEstimate estimate = new TokenEstimate(runtime.context().bytesPerToken());
      Memory memory =
          Memory.of(
              store,
              MemoryConfig.starter(),
              MemoryParts.plain(Stopwatch.clock(), runtime, TokenCounter.estimate(estimate)));
      load.accept(memory, "alice");
      store.purgeDeleted(); // so that what was loaded is not written back while it is measured
      Neighbour neighbour = new Neighbour(memory);
      long begun = Stopwatch.nanos();
      int gone = memory.forget(SPACE, Forget.all(RecallFilter.ofSubject("alice"))).records().size();
      long taken = Stopwatch.nanos() - begun;
      neighbour.close();
      section.add("records forgotten", gone, Figure.Unit.COUNT);
      section.add("time", taken / NANOS_PER_MILLI, Figure.Unit.MILLIS);
      section.add(
          "longest wait of another write",
          neighbour.longest / NANOS_PER_MILLI,
          Figure.Unit.MILLIS,
          Figure.Bar.below(LONGEST_WAIT_MILLIS));
      section.add("most heap in use, MiB", (double) neighbour.heap / MIB, Figure.Unit.COUNT);
      section.add("forgotten words left in files", (double) wordsLeft(), Figure.Unit.COUNT);
    }
  }

  /** Another writer, which remembers a note every few milliseconds. */
  private static final class Neighbour implements AutoCloseable {
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final Memory memory;
    private final Thread thread;
    private volatile long longest;
    private volatile long heap;

    Neighbour(Memory memory) {
      this.memory = memory;
      this.thread = Thread.ofPlatform().name("bench-neighbour").start(this::run);
    }

    private void run() {
      for (int i = 0; !stopping.get(); i++) {
        long begun = Stopwatch.nanos();
        memory.remember(SPACE, Remember.of("Bob has number " + i + ".").forSubject("bob"));
        longest = Math.max(longest, Stopwatch.nanos() - begun);
        Runtime runtime = Runtime.getRuntime();
        heap = Math.max(heap, runtime.totalMemory() - runtime.freeMemory());
        Stopwatch.waitUntil(Stopwatch.after(PAUSE));
      }
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

  /** In every file of the engine: of PostgreSQL also in its log. */
  private long wordsLeft() {
    try (Stream<Path> files = Files.walk(places.root())) {
      return files.filter(Files::isRegularFile).mapToLong(this::wordsIn).sum();
    } catch (IOException e) {
      throw BenchException.preparing("Looking into the store's files", e);
    }
  }

  private long wordsIn(Path file) {
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
      throw BenchException.preparing("Looking into a file of the store", e);
    }
  }
}
