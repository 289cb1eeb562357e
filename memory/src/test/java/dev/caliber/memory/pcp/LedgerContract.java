package dev.caliber.memory.pcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.config.ContextIntegrityConfig;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.EndTrajectory;
import dev.caliber.memory.command.ForgetRecords;
import dev.caliber.memory.command.OpenScope;
import dev.caliber.memory.command.SaveCheckpoint;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.context.ContextAssembler;
import dev.caliber.memory.context.window.AssembleRequest;
import dev.caliber.memory.context.window.LedgerIndexEntry;
import dev.caliber.memory.context.window.Window;
import dev.caliber.memory.event.MemoryEvent;
import dev.caliber.memory.event.MemoryEventApplier;
import dev.caliber.memory.event.MemoryState;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.MemoryErrorCode;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.store.Query;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import dev.caliber.store.job.Jobs;
import dev.caliber.testkit.EachEngine;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checkpoints with the ledgers of their windows. */
@EachEngine
class LedgerContract extends GuardianFixture {
  private List<CheckpointLedger> ledgers() {
    return store
        .read(SPACE, snapshot -> snapshot.scan(Query.over(CheckpointLedger.TABLE), 1000))
        .records();
  }

  private static ContextIntegrityConfig keeping(int retention, boolean compression) {
    return with(
        "pcp.checkpoints.frequency = 'manual'",
        "pcp.checkpoints.max-checkpoints = " + retention,
        "pcp.checkpoints.compression = " + compression);
  }

  @Test
  @DisplayName(
      "PCP-13, MEM-25, STO-29: a checkpoint keeps status, positions and the ledger of its window, no text")
  void aCheckpoint() {
    Trajectory task = tell(3);
    Checkpoint made = checkpoint(task);
    assertThat(made.recoverable()).isTrue();
    assertThat(made.turns()).isEqualTo(3);
    assertThat(made.scopes()).isEqualTo(1);
    assertThat(made.activeScope()).contains(0);
    Window window = guardian.windowAt(SPACE, made.id());
    assertThat(window.inputs().query()).isEmpty();
    assertThat(window.maxTokens()).isEqualTo(pcp().windowLimits().maxTokens());
    assertThat(assembler.replay(SPACE, window)).isEqualTo(assemble(task).text());
    assertThat(ledgers()).singleElement().matches(kept -> kept.base().isEmpty());
    String content =
        new String(
            ZlibCompression.inflate(ledgers().getFirst().content().toArray()),
            StandardCharsets.UTF_8);
    assertThat(content).contains("conversation").doesNotContain("what was said");
  }

  @Test
  @DisplayName("PCP-13: what happens while the window is made is not in the checkpoint's window")
  void somebodyTalksMeanwhile() {
    Trajectory task = tell(2);
    Id scope = scopeOf(task).id();
    Turn first = memory.view(SPACE, view -> view.turns(scope)).getFirst();
    AtomicBoolean talked = new AtomicBoolean();
    ContextAssembler interrupted =
        (ContextAssembler)
            Proxy.newProxyInstance(
                ContextAssembler.class.getClassLoader(),
                new Class<?>[] {ContextAssembler.class},
                (_, method, arguments) -> {
                  if (!talked.getAndSet(true)) {
                    say(task, "Meanwhile.");
                    archive(first);
                  }
                  return method.invoke(assembler, arguments);
                });
    Checkpoint made = guardianOver(interrupted).saveCheckpoint(SPACE, task.id());
    assertThat(made.turns()).isEqualTo(2);
    assertThat(made.ledger()).contains(true);
    assertThat(ledgers()).hasSize(1);
    assertThat(assembler.replay(SPACE, guardian.windowAt(SPACE, made.id())))
        .contains("number 0", "number 1")
        .doesNotContain("Meanwhile.");
    assertThat(assemble(task).text()).contains("Meanwhile.").doesNotContain("number 0");
  }

  /** Archives a turn as a prune does. */
  private void archive(Turn turn) {
    store.commit(
        SPACE,
        transaction -> {
          new MemoryEventApplier(new Archive(transaction))
              .apply(new MemoryEvent.TurnArchived(turn, transaction.now()));
        });
  }

  private record Archive(Transaction transaction) implements MemoryState {
    @Override
    public <T> Optional<T> find(Table<T> table, Object key) {
      return transaction.find(table, key);
    }

    @Override
    public <T> void put(Table<T> table, T record) {
      transaction.put(table, record);
    }

    @Override
    public <T> void remove(Table<T> table, Object key) {
      transaction.delete(table, key);
    }
  }

  @Test
  @DisplayName("PCP-13, PCP-15: a checkpoint that was made by itself gets its ledger by a job")
  void ledgersByJobs() {
    use(with("pcp.checkpoints.frequency = 'per-turn'", "pcp.checkpoints.max-checkpoints = 10"));
    Trajectory task = tell(3);
    List<Checkpoint> made = memory.view(SPACE, view -> view.checkpoints(task.id()));
    assertThat(guardian.withLedgers(SPACE, made)).allMatch(one -> one.ledger().get().equals(false));
    String then = assembler.replay(SPACE, guardian.windowAt(SPACE, made.getFirst().id()));
    say(task, "Something else.");
    memory.run(SPACE, CloseScope.of(scopeOf(task).id()));
    work();
    List<Checkpoint> all = memory.view(SPACE, view -> view.checkpoints(task.id()));
    assertThat(guardian.withLedgers(SPACE, all))
        .hasSize(5)
        .allMatch(one -> one.ledger().get().equals(true));
    assertThat(assembler.replay(SPACE, guardian.windowAt(SPACE, made.getFirst().id())))
        .isEqualTo(then)
        .doesNotContain("Something else.");
  }

  @Test
  @DisplayName("PCP-13: no ledger is made of what was forgotten before, or of a point that is gone")
  void ledgersThatAreNotMade() {
    use(keeping(1, true));
    Trajectory task = tell(2);
    Turn secret = say(task, "A secret.");
    memory.run(SPACE, SaveCheckpoint.of(task.id()));
    memory.run(SPACE, SaveCheckpoint.of(task.id()));
    pass(Duration.ofSeconds(1));
    memory.run(SPACE, ForgetRecords.of(secret.id()));
    work();
    assertThat(ledgers()).hasSize(1);
    Id point = ledgers().getFirst().id();
    assertThat(guardian.windowAt(SPACE, point).ledger())
        .hasSize(2)
        .noneMatch(line -> line.candidate().id().equals(secret.id()));
  }

  /** A write has the time at which it began, by the clock of its own node. */
  @ParameterizedTest
  @ValueSource(ints = {0, 5})
  @DisplayName("PCP-13: a ledger that names what is forgotten while it is made is not kept")
  void forgottenMeanwhile(int secondsBehind) {
    Trajectory task = tell(2);
    Turn secret = say(task, "A secret.");
    ContextAssembler interrupted =
        (ContextAssembler)
            Proxy.newProxyInstance(
                ContextAssembler.class.getClassLoader(),
                new Class<?>[] {ContextAssembler.class},
                (_, method, arguments) -> {
                  Object window = method.invoke(assembler, arguments);
                  pass(Duration.ofSeconds(-secondsBehind));
                  memory.forget(SPACE, ForgetRecords.of(secret.id()));
                  return window;
                });
    Checkpoint made = guardianOver(interrupted).saveCheckpoint(SPACE, task.id());
    assertThat(made.ledger()).contains(false);
    assertThat(ledgers()).isEmpty();
  }

  @Test
  @DisplayName("PCP-13: a damaged ledger is refused with its code")
  void damaged() {
    Checkpoint made = checkpoint(tell(3));
    CheckpointLedger kept = ledgers().getFirst();
    for (String content : List.of("{", "{}", "no zlib")) {
      damage(kept, content);
      refuses(MemoryErrorCode.DAMAGED_LEDGER, () -> guardian.windowAt(SPACE, made.id()));
    }
  }

  private void damage(CheckpointLedger kept, String content) {
    store.commit(
        SPACE,
        transaction -> {
          transaction.put(
              CheckpointLedger.TABLE,
              new CheckpointLedger(
                  kept.id(),
                  kept.trajectory(),
                  kept.base(),
                  content.startsWith("no"),
                  Bytes.of(content),
                  kept.createdAt()));
        });
  }

  @Test
  @DisplayName("PCP-13: later checkpoints have ledgers in spite of a damaged one, and it goes")
  void afterADamagedOne() {
    Trajectory task = tell(20);
    Checkpoint first = checkpoint(task);
    damage(ledgers().getFirst(), "no zlib");
    Checkpoint second = checkpoint(task);
    assertThat(second.ledger()).contains(true);
    damage(ledgers().getLast(), "{");
    Checkpoint third = memory.run(SPACE, SaveCheckpoint.of(task.id()));
    work();
    assertThat(ledgers())
        .extracting(CheckpointLedger::id)
        .containsExactly(first.id(), second.id(), third.id());
    assertThat(assembler.replay(SPACE, guardian.windowAt(SPACE, third.id())))
        .isEqualTo(assemble(task).text());
    memory.runMaintenance(SPACE);
    assertThat(ledgers()).extracting(CheckpointLedger::id).containsExactly(third.id());
    assertThat(guardian.windowAt(SPACE, first.id()).ledger()).hasSize(20);
  }

  @Test
  @DisplayName("PCP-13: a checkpoint stands though making its ledger fails, and says so")
  void failingLedgers() {
    Trajectory task = tell(2);
    ContextAssembler failing =
        (ContextAssembler)
            Proxy.newProxyInstance(
                ContextAssembler.class.getClassLoader(),
                new Class<?>[] {ContextAssembler.class},
                (_, _, _) -> {
                  throw KernelException.limitExceeded("memory.limits.list", 1, 2);
                });
    Checkpoint made = guardianOver(failing).saveCheckpoint(SPACE, task.id());
    assertThat(made.ledger()).contains(false);
    assertThat(memory.<Checkpoint>view(SPACE, view -> view.checkpoint(made.id())).turns())
        .isEqualTo(2);
  }

  @Test
  @DisplayName("PCP-13: where no window can be made there is no ledger, and no job that fails")
  void withoutAWindow() {
    instruct("Be kind. ".repeat(pcp().windowLimits().maxTokens()));
    Trajectory task = tell(2);
    assertThat(checkpoint(task).ledger()).contains(false);
    memory.run(SPACE, SaveCheckpoint.of(task.id()));
    work();
    assertThat(ledgers()).isEmpty();
    assertThat(store.<Long>read(SPACE, snapshot -> snapshot.count(Query.over(Jobs.TABLE))))
        .isZero();
  }

  @Test
  @DisplayName("PCP-13: a ledger needs the scope that was open at its point, not all of the task")
  void ledgersOfManyScopes() {
    use(keeping(10, true));
    Trajectory task = tell(1);
    memory.run(SPACE, CloseScope.of(scopeOf(task).id()));
    for (int i = 0; i < 4; i++) {
      pass(Duration.ofSeconds(1));
      memory.run(SPACE, new OpenScope(task.id()));
      say(task, "Then number " + i);
      memory.run(SPACE, CloseScope.of(scopeOf(task).id()));
    }
    memory.run(SPACE, new OpenScope(task.id()));
    say(task, "At last.");
    Checkpoint made = memory.run(SPACE, SaveCheckpoint.of(task.id()));
    Scope then = scopeOf(task);
    pass(Duration.ofSeconds(1));
    memory.run(SPACE, CloseScope.of(then.id()));
    memory.run(SPACE, new OpenScope(task.id()));
    use(ofRecords(3));
    work();
    assertThat(guardian.withLedgers(SPACE, List.of(made)).getFirst().ledger()).contains(true);
    assertThat(assembler.replay(SPACE, guardian.windowAt(SPACE, made.id()))).contains("At last.");
    assertThat(checkpoint(task).ledger()).contains(true);
    assertThat(
            memory.<Optional<Scope>>view(
                SPACE, view -> view.currentScope(task.id(), made.createdAt())))
        .map(Scope::id)
        .contains(then.id());
    assertThat(
            memory.<Optional<Scope>>view(
                SPACE, view -> view.currentScope(task.id(), task.createdAt().minusSeconds(1))))
        .isEmpty();
  }

  private static MemoryConfig ofRecords(int most) {
    return MemoryConfig.starter().with("memory.limits.list = " + most);
  }

  @Test
  @DisplayName("PCP-15, PCP-03, J-34: compressed or not, whole or changes, the window is the same")
  void ledgersRoundTrip() {
    List<List<Integer>> sizes = new ArrayList<>();
    for (boolean compression : List.of(true, false)) {
      use(keeping(10, compression));
      Trajectory task = tell(20);
      List<Integer> taken = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        Checkpoint made = checkpoint(task);
        Window fresh =
            assembler
                .assemble(SPACE, AssembleRequest.of(task.id()).withMaxTokens(8000).withDryRun())
                .window();
        Window kept = guardian.windowAt(SPACE, made.id());
        assertThat(kept.ledger()).isEqualTo(fresh.ledger());
        assertThat(kept.sections()).isEqualTo(fresh.sections());
        assertThat(kept.textHash()).isEqualTo(fresh.textHash());
        assertThat(assembler.replay(SPACE, kept)).isEqualTo(assemble(task).text());
        CheckpointLedger ledger = ledgers().getLast();
        assertThat(ledger.deflated()).isEqualTo(compression);
        assertThat(ledger.base().isPresent()).isEqualTo(i > 0);
        taken.add(ledger.content().size());
        say(task, "One more after number " + i);
      }
      assertThat(taken.getLast()).isLessThan(taken.getFirst() / 2);
      sizes.add(taken);
    }
    assertThat(sizes.getFirst().getFirst()).isLessThan(sizes.getLast().getFirst());
  }

  @Test
  @DisplayName(
      "PCP-14, STO-06, J-19: the newest stay, with the whole ledger they are based on, and no other")
  void retention() {
    use(keeping(2, true));
    Trajectory task = tell(20);
    List<Checkpoint> made = IntStream.range(0, 4).mapToObj(_ -> checkpoint(task)).toList();
    assertThat(memory.<List<Checkpoint>>view(SPACE, view -> view.checkpoints(task.id())))
        .extracting(Checkpoint::id)
        .containsExactly(made.get(3).id(), made.get(2).id());
    assertThat(ledgers())
        .extracting(CheckpointLedger::id)
        .containsExactly(made.get(0).id(), made.get(2).id(), made.get(3).id());
    assertThat(assembler.replay(SPACE, guardian.windowAt(SPACE, made.get(3).id())))
        .isEqualTo(assemble(task).text());
    memory.run(SPACE, EndTrajectory.complete(task.id(), ""));
    pass(MemoryConfig.starter().retention().traces().plusSeconds(1));
    guardian.runCleanup(SPACE);
    assertThat(ledgers()).isEmpty();
  }

  @Test
  @DisplayName("STO-06: checkpoints are found newest first, and one is deleted by its id")
  void deletedById() {
    use(keeping(5, true));
    Trajectory task = tell(1);
    List<Id> made = IntStream.range(0, 3).mapToObj(_ -> checkpoint(task).id()).toList();
    assertThat(points(task)).containsExactly(made.get(2), made.get(1), made.get(0));
    memory.run(SPACE, ForgetRecords.of(made.get(1)));
    assertThat(points(task)).containsExactly(made.get(2), made.get(0));
    refuses(
        MemoryErrorCode.UNKNOWN_RECORD,
        () -> memory.view(SPACE, view -> view.checkpoint(made.get(1))));
    assertThat(guardian.recover(SPACE, RecoveryRequest.toCheckpoint(made.get(1))).success())
        .isFalse();
    refuses(MemoryErrorCode.UNKNOWN_RECORD, () -> memory.run(SPACE, ForgetRecords.of(made.get(1))));
  }

  @Test
  @DisplayName("STO-29: a checkpoint may name no scope; it goes with its scope or its trajectory")
  void cascades() {
    use(keeping(5, true));
    Trajectory task = tell(1);
    Scope first = scopeOf(task);
    Checkpoint ofScope = memory.run(SPACE, SaveCheckpoint.of(task.id(), first.id()));
    memory.run(SPACE, CloseScope.of(first.id()));
    memory.run(SPACE, new OpenScope(task.id()));
    pass(Duration.ofSeconds(1));
    Checkpoint ofNone = memory.run(SPACE, SaveCheckpoint.of(task.id()));
    assertThat(ofScope.scope()).contains(first.id());
    assertThat(ofNone.scope()).isEmpty();
    assertThat(points(task)).containsExactly(ofNone.id(), ofScope.id());
    memory.forget(SPACE, ForgetRecords.of(first.id()));
    assertThat(points(task)).containsExactly(ofNone.id());
    memory.forget(SPACE, ForgetRecords.of(task.id()));
    assertThat(points(task)).isEmpty();
  }

  private List<Id> points(Trajectory task) {
    return memory.<List<Checkpoint>>view(SPACE, view -> view.checkpoints(task.id())).stream()
        .map(Checkpoint::id)
        .toList();
  }

  @Test
  @DisplayName("PCP-15, PCP-03, J-34: a checkpoint per scope, per turn, or only when asked for")
  void frequencies() {
    for (ContextIntegrityConfig.CheckpointFrequency checkpointFrequency :
        ContextIntegrityConfig.CheckpointFrequency.values()) {
      String name = checkpointFrequency.name().toLowerCase(Locale.ROOT).replace('_', '-');
      use(with("pcp.checkpoints.frequency = '%s'".formatted(name)));
      Trajectory task = tell(2);
      memory.run(SPACE, CloseScope.of(scopeOf(task).id()));
      int wanted =
          switch (checkpointFrequency) {
            case PER_SCOPE -> 1;
            case PER_TURN -> 3;
            case MANUAL -> 0;
          };
      assertThat(guardian.trajectoryState(SPACE, task.id()).checkpointCount()).isEqualTo(wanted);
    }
  }

  @Test
  @DisplayName("PCP-13: a checkpoint without a ledger has the window of its time")
  void withoutALedger() {
    use(with("pcp.checkpoints.frequency = 'per-turn'", "pcp.checkpoints.max-checkpoints = 10"));
    Trajectory task = tell(3);
    String then = assemble(task).text();
    Checkpoint made =
        memory.<List<Checkpoint>>view(SPACE, view -> view.checkpoints(task.id())).getFirst();
    say(task, "Something else.");
    assertThat(assembler.replay(SPACE, guardian.windowAt(SPACE, made.id()))).isEqualTo(then);
  }

  @Test
  @DisplayName("PCP-13: what is forgotten takes the ledgers of its task along, the points stay")
  void forgetting() {
    Trajectory task = tell(2);
    Checkpoint made = checkpoint(task);
    memory.run(SPACE, ForgetRecords.of(say(task, "A secret.").id()));
    assertThat(ledgers()).isEmpty();
    assertThat(guardian.windowAt(SPACE, made.id()).ledger()).hasSize(2);
  }

  @Test
  @DisplayName("PCP-13: a note that no task has told takes the ledgers along that name it")
  void forgettingANote() {
    Note note = memory.run(SPACE, WriteNote.of("Alice", "person", NoteType.FACT, "Alice is ill."));
    checkpoint(tell(2));
    memory.run(SPACE, ForgetRecords.of(note.id()));
    assertThat(ledgers()).isEmpty();
  }

  @Test
  @DisplayName("PCP-13: ledgers of before there were names are named by clean-up, or go")
  void unnamedLedgers() {
    Note one = memory.run(SPACE, WriteNote.of("Alice", "person", NoteType.FACT, "Alice is ill."));
    unnamed(checkpoint(tell(2)));
    memory.runMaintenance(SPACE);
    assertThat(ledgers()).hasSize(1);
    memory.run(SPACE, ForgetRecords.of(one.id()));
    assertThat(ledgers()).isEmpty();
  }

  @Test
  @DisplayName("PCP-13: a ledger without names goes when what it names was forgotten meanwhile")
  void unnamedLedgersOfTheForgotten() {
    Note one = memory.run(SPACE, WriteNote.of("Alice", "person", NoteType.FACT, "Alice is ill."));
    unnamed(checkpoint(tell(2)));
    memory.run(SPACE, ForgetRecords.of(one.id()));
    assertThat(ledgers()).hasSize(1);
    memory.runMaintenance(SPACE);
    assertThat(ledgers()).isEmpty();
  }

  /** Removes the index entry, as an earlier version left the ledger. */
  private void unnamed(Checkpoint made) {
    store.commit(
        SPACE,
        transaction -> {
          LedgerIndexEntry.deleteEntry(transaction, made.id());
        });
  }
}
