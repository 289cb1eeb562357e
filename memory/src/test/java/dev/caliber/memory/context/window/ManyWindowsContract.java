package dev.caliber.memory.context.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.TokenEstimator;
import dev.caliber.kernel.config.ContextConfig.WindowPersistence;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.ForgetRecords;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.context.ContextAssembler;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.memory.spi.TokenCounters;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.memory.view.MemoryDependencies;
import dev.caliber.memory.view.PurgeBudget;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.Table;
import dev.caliber.store.job.Job;
import dev.caliber.store.job.Jobs;
import dev.caliber.testkit.EachEngine;
import dev.caliber.testkit.StoreFixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Forgetting of records that more windows quote than one commit can remove. */
@EachEngine
class ManyWindowsContract extends StoreFixture {
  private static final int CHANGES = 100;
  private static final int BATCH = 20;
  private static final int WINDOWS = CHANGES;

  /** Rows that a filter reads for one page. */
  private static final int SCANNED = 5;

  private final List<Boolean> spent = new ArrayList<>();
  private RecordStore store;
  private Memory memory;
  private ContextAssembler assembler;

  @BeforeEach
  final void openAll() {
    store =
        open(
            ManyWindowsContract::narrow,
            Stream.of(Memory.tables(), ContextAssembler.tables())
                .flatMap(List::stream)
                .toArray(Table<?>[]::new));
    MemoryDependencies parts =
        MemoryDependencies.minimal(
                clock, RuntimeConfig.starter(), TokenCounter.estimate(new TokenEstimator(4)))
            .withForgetListener(ContextAssembler.forgetListener())
            .withForgetListener((_, purgeBudget) -> look(purgeBudget));
    memory = Memory.of(store, frugal(MemoryConfig.starter()), parts);
    assembler = ContextAssembler.of(store, MemoryConfig.starter(), parts, TokenCounters.none());
  }

  /** Listener after that of the windows, which sees the budget that they have spent. */
  private void look(PurgeBudget purgeBudget) {
    spent.add(purgeBudget.isSpent());
  }

  private static StoreConfig narrow(StoreConfig starter) {
    return starter.with(
        "store.writes.changes-limit = " + CHANGES, "store.reads.scan-limit = " + SCANNED);
  }

  private static MemoryConfig frugal(MemoryConfig starter) {
    return starter.with("memory.retention.batch = " + BATCH);
  }

  private Turn quotedByMany() {
    Trajectory task =
        memory.run(SPACE, StartTrajectory.of("Mend the build", EntityRef.agent("planner")));
    Scope scope = memory.view(SPACE, view -> view.currentScope(task.id())).orElseThrow();
    Turn secret =
        memory
            .run(SPACE, AppendTurns.of(scope.id(), NewTurn.user("The vault opens with swordfish.")))
            .getFirst();
    for (int i = 0; i < WINDOWS; i++) {
      assembler.assemble(
          SPACE,
          AssembleRequest.of(task.id())
              .withPersistence(new WindowPersistence.PermanentPersistence()));
    }
    assertThat(count(Window.TABLE)).isEqualTo(WINDOWS);
    return secret;
  }

  private long count(Table<?> table) {
    return store.read(SPACE, snapshot -> snapshot.count(Query.over(table)));
  }

  @Test
  @DisplayName("more windows than a commit holds go with what they quote, some in each commit")
  void manyWindowsGo() {
    memory.forget(SPACE, ForgetRecords.of(quotedByMany().id()));
    assertThat(count(Window.TABLE)).isZero();
    assertThat(count(LedgerIndexEntry.TABLE)).isZero();
    assertThat(spent).hasSize(WINDOWS / BATCH + 1).endsWith(true, false);
    assertThat(kinds()).as("nothing is left for a job").doesNotContain("memory.purge-derived");
  }

  @Test
  @DisplayName("MEM-18: as many kept windows are listed as were asked for, whatever expired since")
  void expiredWindowsHideNone() {
    Trajectory task =
        memory.run(SPACE, StartTrajectory.of("Mend the build", EntityRef.agent("planner")));
    AssembleRequest wish = AssembleRequest.of(task.id());
    List<Window> kept = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      kept.add(
          assembler
              .assemble(SPACE, wish.withPersistence(new WindowPersistence.PermanentPersistence()))
              .window());
      clock.advance(Duration.ofMinutes(1));
    }
    for (int i = 0; i < 2 * SCANNED; i++) {
      assembler.assemble(
          SPACE,
          wish.withPersistence(new WindowPersistence.DurationPersistence(Duration.ofSeconds(1))));
      clock.advance(Duration.ofMinutes(1));
    }
    assertThat(assembler.windows(SPACE, task.id(), 2)).isEqualTo(kept.reversed());
    assertThat(assembler.windows(SPACE, task.id(), 1)).containsExactly(kept.getLast());
  }

  private List<String> kinds() {
    return store.read(
        SPACE,
        snapshot ->
            snapshot.scan(Query.over(Jobs.TABLE), 100).records().stream().map(Job::kind).toList());
  }

  @Test
  @DisplayName("windows that the first commits left over are removed by a job")
  void whatIsLeftGoesByAJob() {
    Turn secret = quotedByMany();
    store.write(SPACE, transaction -> memory.run(transaction, ForgetRecords.of(secret.id())));
    assertThat(count(Window.TABLE)).isEqualTo(WINDOWS - BATCH);
    assertThat(kinds()).contains("memory.purge-derived");
    try (Jobs jobs = Jobs.of(store, config().jobs(), clock)) {
      memory.registerJobHandlers(jobs);
      jobs.runDue(SPACE);
    }
    assertThat(count(Window.TABLE)).isZero();
    assertThat(count(LedgerIndexEntry.TABLE)).isZero();
  }
}
