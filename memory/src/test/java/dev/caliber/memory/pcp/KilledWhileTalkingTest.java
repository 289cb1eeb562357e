package dev.caliber.memory.pcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Durations;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.IdGenerator;
import dev.caliber.kernel.RandomSource;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.TokenEstimator;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.OpenScope;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.context.ContextAssembler;
import dev.caliber.memory.context.window.AssembleRequest;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.memory.spi.TokenCounters;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.memory.view.MemoryDependencies;
import dev.caliber.store.ProgressListener;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.Table;
import dev.caliber.store.jdbc.Stores;
import dev.caliber.store.job.Jobs;
import dev.caliber.store.search.SearchConfig;
import dev.caliber.store.search.SearchIndex;
import dev.caliber.store.search.index.SearchIndexes;
import dev.caliber.store.spi.Embedder;
import dev.caliber.testkit.ManualClock;
import dev.caliber.testkit.TestEngines;
import dev.caliber.testkit.crash.KillableProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that is killed while it writes loses nothing of a window of its past. */
@Tag("drill")
class KilledWhileTalkingTest {
  private static final SpaceId SPACE = SpaceId.DEFAULT;
  private static final int SAID_BEFORE = 5;
  private static final int SAID_AFTER = 20;
  private static final int DIMENSIONS = 64;
  private static final String TOLD = "told: ";
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String QUERY = "How do zebras sleep, and what is number 3?";

  @TempDir Path directory;

  /** Objects that both processes open. */
  private record Opened(
      RecordStore store,
      SearchIndex index,
      Memory memory,
      ContextAssembler assembler,
      ContextIntegrity guardian)
      implements AutoCloseable {

    static Opened at(Path directory, ManualClock clock) {
      List<Table<?>> tables =
          Stream.of(
                  Memory.tables(),
                  SearchIndexes.tables(),
                  ContextAssembler.tables(),
                  ContextIntegrity.tables())
              .flatMap(List::stream)
              .toList();
      StoreConfig place = StoreConfig.starter().withEngine(TestEngines.sqlite(directory));
      IdGenerator idGenerator = IdGenerator.of(clock, RandomSource.system());
      RecordStore store = Stores.open(place, tables, clock, idGenerator);
      SearchIndex index =
          SearchIndexes.open(
              new SearchIndex.SearchDependencies(
                  store,
                  place,
                  patient(directory),
                  Memory.searchableMemoryRecords(),
                  clock,
                  idGenerator),
              Optional.of(Embedder.hashing(DIMENSIONS)),
              Jobs.of(store, place.jobs(), clock));
      MemoryConfig config = MemoryConfig.starter();
      MemoryDependencies parts =
          MemoryDependencies.minimal(
                  clock, RuntimeConfig.starter(), TokenCounter.estimate(new TokenEstimator(4)))
              .withSearch(index);
      Memory memory = Memory.of(store, config, parts);
      ContextAssembler assembler = ContextAssembler.of(store, config, parts, TokenCounters.none());
      return new Opened(
          store,
          index,
          memory,
          assembler,
          ContextIntegrity.of(
              new ContextIntegrity.ContextIntegrityDependencies(store, memory, assembler),
              config,
              parts));
    }

    private static SearchConfig patient(Path directory) {
      return SearchConfig.starter()
          .with("search.commit-wait-timeout = '%s'".formatted(Durations.format(PATIENCE)))
          .withDirectory(directory.resolve("index"));
    }

    @Override
    public void close() {
      index.close();
      store.close();
    }
  }

  /** Appends turns, searches, prints its window, and then waits to be killed. */
  static final class Asker {
    private Asker() {}

    public static void main(String[] arguments) throws IOException {
      PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
      ManualClock clock = new ManualClock();
      Opened opened = Opened.at(Path.of(arguments[0]), clock);
      Id task = Talker.begin(opened, clock);
      Id scope = opened.memory.view(SPACE, view -> view.currentScope(task)).orElseThrow().id();
      opened.memory.run(SPACE, CloseScope.of(scope));
      opened.memory.run(SPACE, new OpenScope(task));
      Talker.say(opened, clock, task, SAID_BEFORE);
      opened.index.awaitSequence(SPACE, opened.store.changes().head(SPACE).sequence());
      opened.index.embedPending(SPACE, ProgressListener.NONE);
      clock.advance(Duration.ofSeconds(1));
      Instant then = clock.instant();
      out.println(TOLD + String.join("\t", task.toString(), then.toString()));
      out.println(
          TOLD + opened.assembler.assemble(SPACE, asked(task, then)).text().replace("\n", "\\n"));
      System.in.read();
    }
  }

  private static AssembleRequest asked(Id task, Instant then) {
    return AssembleRequest.of(task).withQuery(QUERY).withAsOf(then).withDryRun();
  }

  /** Appends turns, prints its window, and appends further turns until it is killed. */
  static final class Talker {
    private Talker() {}

    private static Id begin(Opened opened, ManualClock clock) {
      Id task =
          opened.memory.run(SPACE, StartTrajectory.of("Talk", EntityRef.agent("talker"))).id();
      for (int i = 0; i < SAID_BEFORE; i++) {
        say(opened, clock, task, i);
      }
      opened.memory.run(
          SPACE, WriteNote.of("zebra", "animal", NoteType.FACT, "Zebras sleep standing."));
      clock.advance(Duration.ofSeconds(1));
      return task;
    }

    public static void main(String[] arguments) {
      PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
      ManualClock clock = new ManualClock();
      Opened opened = Opened.at(Path.of(arguments[0]), clock);
      Id task = begin(opened, clock);
      Id point = opened.guardian.saveCheckpoint(SPACE, task).id();
      Instant then = clock.instant();
      String text =
          opened.assembler.assemble(SPACE, AssembleRequest.of(task).withAsOf(then)).text();
      out.println(TOLD + String.join("\t", task.toString(), point.toString(), then.toString()));
      out.println(TOLD + text.replace("\n", "\\n"));
      for (int i = SAID_BEFORE; true; i++) {
        say(opened, clock, task, i);
        out.println(TOLD + "said " + i);
      }
    }

    private static void say(Opened opened, ManualClock clock, Id task, int number) {
      clock.advance(Duration.ofSeconds(1));
      Id scope = opened.memory.view(SPACE, view -> view.currentScope(task)).orElseThrow().id();
      opened.memory.run(
          SPACE, AppendTurns.of(scope, NewTurn.user("This is number %d.".formatted(number))));
    }
  }

  private KillableProcess start(Class<?> main) {
    return KillableProcess.start(main, TOLD, List.of(directory.toString()));
  }

  @Test
  @DisplayName(
      "CTX-25, CTX-24: killed, reopened, nothing written: the same question, the same bytes")
  void killedAfterAsking() {
    List<String> told;
    String before;
    try (KillableProcess process = start(Asker.class)) {
      told = List.of(process.nextLine().split("\t"));
      before = process.nextLine().replace("\\n", "\n");
    }
    assertThat(before).contains("## recalled", "Zebras sleep standing.");
    ManualClock clock = new ManualClock();
    clock.advance(Duration.ofDays(1));
    try (Opened opened = Opened.at(directory, clock)) {
      AssembleRequest then = asked(Id.parse(told.get(0)), Instant.parse(told.get(1)));
      assertThat(opened.assembler.assemble(SPACE, then).text()).isEqualTo(before);
    }
  }

  @Test
  @DisplayName(
      "CTX-25, REC-06: killed, reopened: the same as_of gives the same bytes; the way back")
  void killed() {
    List<String> told;
    String before;
    try (KillableProcess process = start(Talker.class)) {
      told = List.of(process.nextLine().split("\t"));
      before = process.nextLine().replace("\\n", "\n");
      for (int i = 0; i < SAID_AFTER; i++) {
        assertThat(process.nextLine()).startsWith("said");
      }
    }
    ManualClock clock = new ManualClock();
    clock.advance(Duration.ofDays(1));
    Id task = Id.parse(told.get(0));
    try (Opened opened = Opened.at(directory, clock)) {
      AssembleRequest then = AssembleRequest.of(task).withAsOf(Instant.parse(told.get(2)));
      assertThat(opened.assembler.assemble(SPACE, then).text()).isEqualTo(before);
      RecoveryResult done =
          opened.guardian.recover(SPACE, RecoveryRequest.toCheckpoint(Id.parse(told.get(1))));
      assertThat(done.done().orElseThrow().turns()).hasSizeGreaterThanOrEqualTo(SAID_AFTER);
      clock.advance(Duration.ofSeconds(1));
      assertThat(opened.assembler.assemble(SPACE, AssembleRequest.of(task)).text())
          .isEqualTo(before);
    }
  }
}
