package dev.caliber.memory.pcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.KernelErrorCode;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.config.ContextConfig.Persistence;
import dev.caliber.kernel.config.PcpConfig;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.kernel.settings.Settings;
import dev.caliber.memory.MemoryConfig;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.CreateArtifact;
import dev.caliber.memory.command.EndTrajectory;
import dev.caliber.memory.command.Forget;
import dev.caliber.memory.command.OpenScope;
import dev.caliber.memory.command.RolledBack;
import dev.caliber.memory.command.SaveCheckpoint;
import dev.caliber.memory.command.SupersedeArtifact;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.context.AssembleRequest;
import dev.caliber.memory.context.Assembled;
import dev.caliber.memory.context.ContextAssembler;
import dev.caliber.memory.context.Decision;
import dev.caliber.memory.context.LedgerLine;
import dev.caliber.memory.context.NamedRecords;
import dev.caliber.memory.context.SourceKind;
import dev.caliber.memory.context.Window;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.MemoryErrorCode;
import dev.caliber.memory.record.MemoryEvent;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Replay;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.State;
import dev.caliber.memory.record.TraceEvent;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.TrajectoryStatus;
import dev.caliber.memory.record.Turn;
import dev.caliber.store.Jobs;
import dev.caliber.store.Query;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checkpoints with their ledgers, the way back, dosage and a look inside, on whatever engine. */
abstract class RecoveryContract extends GuardianFixture {
  private static final Id NOBODY = Id.deterministic("test", "nobody");
  private static final Persistence PERMANENT = new Persistence.Permanent();

  private Trajectory tell(int turns) {
    Trajectory task = start();
    IntStream.range(0, turns).forEach(i -> say(task, "This is what was said as number " + i));
    return task;
  }

  private Checkpoint checkpoint(Trajectory task) {
    pass(Duration.ofSeconds(1));
    return guardian.checkpoint(SPACE, task.id());
  }

  private List<CheckpointLedger> ledgers() {
    return store
        .read(SPACE, snapshot -> snapshot.scan(Query.over(CheckpointLedger.TABLE), 1000))
        .records();
  }

  private static PcpConfig keeping(int retention, boolean compression) {
    return with(new PcpConfig.Checkpoints(PcpConfig.Frequency.MANUAL, retention, compression, 0.5));
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
    Window window = guardian.window(SPACE, made.id());
    assertThat(window.inputs().query()).isEmpty();
    assertThat(window.maxTokens()).isEqualTo(pcp().dosage().maxContextTokens());
    assertThat(assembler.replay(SPACE, window)).isEqualTo(assemble(task).text());
    assertThat(ledgers()).singleElement().matches(kept -> kept.base().isEmpty());
    String content =
        new String(
            Deflated.inflate(ledgers().getFirst().content().toArray()), StandardCharsets.UTF_8);
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
    Checkpoint made = guardianOver(interrupted).checkpoint(SPACE, task.id());
    assertThat(made.turns()).isEqualTo(2);
    assertThat(made.ledger()).contains(true);
    assertThat(ledgers()).hasSize(1);
    assertThat(assembler.replay(SPACE, guardian.window(SPACE, made.id())))
        .contains("number 0", "number 1")
        .doesNotContain("Meanwhile.");
    assertThat(assemble(task).text()).contains("Meanwhile.").doesNotContain("number 0");
  }

  /** As a prune does. */
  private void archive(Turn turn) {
    store.write(
        SPACE,
        transaction -> {
          new Replay(new Archive(transaction))
              .apply(new MemoryEvent.TurnArchived(turn, transaction.now()));
          return true;
        });
  }

  private record Archive(Transaction transaction) implements State {
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
    use(with(new PcpConfig.Checkpoints(PcpConfig.Frequency.PER_TURN, 10, true, 0.5)));
    Trajectory task = tell(3);
    List<Checkpoint> made = memory.view(SPACE, view -> view.checkpoints(task.id()));
    assertThat(guardian.withLedgers(SPACE, made)).allMatch(one -> one.ledger().get().equals(false));
    String then = assembler.replay(SPACE, guardian.window(SPACE, made.getFirst().id()));
    say(task, "Something else.");
    memory.run(SPACE, CloseScope.of(scopeOf(task).id()));
    work();
    List<Checkpoint> all = memory.view(SPACE, view -> view.checkpoints(task.id()));
    assertThat(guardian.withLedgers(SPACE, all))
        .hasSize(5)
        .allMatch(one -> one.ledger().get().equals(true));
    assertThat(assembler.replay(SPACE, guardian.window(SPACE, made.getFirst().id())))
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
    memory.run(SPACE, Forget.of(secret.id()));
    work();
    assertThat(ledgers()).hasSize(1);
    Id point = ledgers().getFirst().id();
    assertThat(guardian.window(SPACE, point).ledger())
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
                  memory.forget(SPACE, Forget.of(secret.id()));
                  return window;
                });
    Checkpoint made = guardianOver(interrupted).checkpoint(SPACE, task.id());
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
      refuses(MemoryErrorCode.DAMAGED_LEDGER, () -> guardian.window(SPACE, made.id()));
    }
  }

  private void damage(CheckpointLedger kept, String content) {
    store.write(
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
          return true;
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
    assertThat(assembler.replay(SPACE, guardian.window(SPACE, third.id())))
        .isEqualTo(assemble(task).text());
    memory.tend(SPACE);
    assertThat(ledgers()).extracting(CheckpointLedger::id).containsExactly(third.id());
    assertThat(guardian.window(SPACE, first.id()).ledger()).hasSize(20);
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
                  throw KernelException.limitExceeded("memory.limits.records", 1, 2);
                });
    Checkpoint made = guardianOver(failing).checkpoint(SPACE, task.id());
    assertThat(made.ledger()).contains(false);
    assertThat(memory.<Checkpoint>view(SPACE, view -> view.checkpoint(made.id())).turns())
        .isEqualTo(2);
  }

  @Test
  @DisplayName("PCP-13: where no window can be made there is no ledger, and no job that fails")
  void withoutAWindow() {
    instruct("Be kind. ".repeat(pcp().dosage().maxContextTokens()));
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
    assertThat(assembler.replay(SPACE, guardian.window(SPACE, made.id()))).contains("At last.");
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
    return MemoryConfig.from(
        Settings.parse(
            "a test",
            MemoryConfig.starterText().replaceAll("(?m)^records = .*", "records = " + most)));
  }

  private static void refuses(ErrorCode code, Runnable call) {
    assertThat(catchThrowableOfType(CaliberException.class, call::run).code()).isEqualTo(code);
  }

  @Test
  @DisplayName("REC-01, OBS-03: a wish for nothing and a negative number of events are refused")
  void wishesThatCannotBe() {
    Trajectory task = tell(1);
    refuses(
        MemoryErrorCode.CONSTRAINT_VIOLATION,
        () -> new Recover(Optional.empty(), Optional.empty(), false));
    refuses(
        MemoryErrorCode.CONSTRAINT_VIOLATION,
        () -> new Recover(Optional.of(task.id()), Optional.of(task.id()), false));
    refuses(
        MemoryErrorCode.CONSTRAINT_VIOLATION,
        () -> guardian.story(SPACE, task.id(), Optional.empty(), -1));
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
            assembler.assemble(SPACE, AssembleRequest.of(task.id()).within(8000).dry()).window();
        Window kept = guardian.window(SPACE, made.id());
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
    assertThat(assembler.replay(SPACE, guardian.window(SPACE, made.get(3).id())))
        .isEqualTo(assemble(task).text());
    memory.run(SPACE, EndTrajectory.complete(task.id(), ""));
    pass(MemoryConfig.starter().retention().traces().plusSeconds(1));
    guardian.cleanUp(SPACE);
    assertThat(ledgers()).isEmpty();
  }

  @Test
  @DisplayName("PCP-15, PCP-03, J-34: a checkpoint per scope, per turn, or only when asked for")
  void frequencies() {
    for (PcpConfig.Frequency frequency : PcpConfig.Frequency.values()) {
      use(with(new PcpConfig.Checkpoints(frequency, 10, true, 0.5)));
      Trajectory task = tell(2);
      memory.run(SPACE, CloseScope.of(scopeOf(task).id()));
      int wanted =
          switch (frequency) {
            case PER_SCOPE -> 1;
            case PER_TURN -> 3;
            case MANUAL -> 0;
          };
      assertThat(guardian.state(SPACE, task.id()).checkpointCount()).isEqualTo(wanted);
    }
  }

  @Test
  @DisplayName("PCP-13: a checkpoint without a ledger has the window of its time")
  void withoutALedger() {
    use(with(new PcpConfig.Checkpoints(PcpConfig.Frequency.PER_TURN, 10, true, 0.5)));
    Trajectory task = tell(3);
    String then = assemble(task).text();
    Checkpoint made =
        memory.<List<Checkpoint>>view(SPACE, view -> view.checkpoints(task.id())).getFirst();
    say(task, "Something else.");
    assertThat(assembler.replay(SPACE, guardian.window(SPACE, made.id()))).isEqualTo(then);
  }

  @Test
  @DisplayName("PCP-13: what is forgotten takes the ledgers of its task along, the points stay")
  void forgetting() {
    Trajectory task = tell(2);
    Checkpoint made = checkpoint(task);
    memory.run(SPACE, Forget.of(say(task, "A secret.").id()));
    assertThat(ledgers()).isEmpty();
    assertThat(guardian.window(SPACE, made.id()).ledger()).hasSize(2);
  }

  @Test
  @DisplayName("PCP-13: a note that no task has told takes the ledgers along that name it")
  void forgettingANote() {
    Note note = memory.run(SPACE, WriteNote.of("Alice", "person", NoteType.FACT, "Alice is ill."));
    checkpoint(tell(2));
    memory.run(SPACE, Forget.of(note.id()));
    assertThat(ledgers()).isEmpty();
  }

  @Test
  @DisplayName("PCP-13: ledgers of before there were names are named by clean-up, or go")
  void unnamedLedgers() {
    Note one = memory.run(SPACE, WriteNote.of("Alice", "person", NoteType.FACT, "Alice is ill."));
    unnamed(checkpoint(tell(2)));
    memory.tend(SPACE);
    assertThat(ledgers()).hasSize(1);
    memory.run(SPACE, Forget.of(one.id()));
    assertThat(ledgers()).isEmpty();
  }

  @Test
  @DisplayName("PCP-13: a ledger without names goes when what it names was forgotten meanwhile")
  void unnamedLedgersOfTheForgotten() {
    Note one = memory.run(SPACE, WriteNote.of("Alice", "person", NoteType.FACT, "Alice is ill."));
    unnamed(checkpoint(tell(2)));
    memory.run(SPACE, Forget.of(one.id()));
    assertThat(ledgers()).hasSize(1);
    memory.tend(SPACE);
    assertThat(ledgers()).isEmpty();
  }

  /** As a version left it that kept no names. */
  private void unnamed(Checkpoint made) {
    store.write(
        SPACE,
        transaction -> {
          NamedRecords.delete(transaction, made.id());
          return true;
        });
  }

  @Test
  @DisplayName("REC-01, J-38: an unknown checkpoint and one that is not recoverable")
  void refusals() {
    Recovery unknown = guardian.recover(SPACE, Recover.to(NOBODY));
    assertThat(unknown.reason()).contains("Checkpoint not found");
    assertThat(unknown.code()).contains(MemoryErrorCode.UNKNOWN_RECORD.text());
    Checkpoint made = checkpoint(tell(1));
    Checkpoint dead =
        new Checkpoint(
            made.id(),
            made.trajectory(),
            made.scope(),
            made.sequence(),
            made.status(),
            made.scopes(),
            made.activeScope(),
            made.turns(),
            made.window(),
            false,
            made.createdAt(),
            Optional.empty());
    store.write(
        SPACE,
        transaction -> {
          transaction.put(Checkpoint.TABLE, dead);
          return true;
        });
    Recovery refused = guardian.recover(SPACE, Recover.to(made.id()));
    assertThat(refused.success()).isFalse();
    assertThat(refused.reason()).contains("Checkpoint not recoverable");
    assertThat(refused.code()).contains(MemoryErrorCode.NO_CHECKPOINT_AVAILABLE.text());
  }

  @Test
  @DisplayName("REC-02, REC-03: no checkpoint, and an ended task")
  void thatCannotBe() {
    Trajectory task = tell(1);
    assertThat(
            catchThrowableOfType(
                    CaliberException.class,
                    () -> guardian.recover(SPACE, Recover.latest(task.id())))
                .code())
        .isEqualTo(MemoryErrorCode.NO_CHECKPOINT_AVAILABLE);
    Checkpoint made = checkpoint(task);
    memory.run(SPACE, EndTrajectory.complete(task.id(), ""));
    assertThat(
            catchThrowableOfType(
                    CaliberException.class, () -> guardian.recover(SPACE, Recover.to(made.id())))
                .code())
        .isEqualTo(KernelErrorCode.INVALID_STATE_TRANSITION);
  }

  @Test
  @DisplayName("REC-02, REC-04, REC-06, REC-07, J-38: a dry run, then the way back, told alike")
  void recovers() {
    Trajectory task = tell(3);
    Checkpoint point = checkpoint(task);
    Turn astray = say(task, "Let us go astray.");
    memory.run(SPACE, new OpenScope(task.id()));
    say(task, "Further and further.");
    pass(Duration.ofMinutes(1));
    Recovery would = guardian.recover(SPACE, Recover.to(point.id()).dry());
    assertThat(would.dryRun()).isTrue();
    assertThat(assemble(task).text()).contains("Further and further.");
    Recovery done = guardian.recover(SPACE, Recover.to(point.id()));
    RolledBack told = done.done().orElseThrow();
    assertThat(told.turns()).isEqualTo(would.done().orElseThrow().turns()).contains(astray.id());
    assertThat(told.scopes()).isEqualTo(would.done().orElseThrow().scopes()).hasSize(1);
    assertThat(told.restoredTo()).isEqualTo(point.createdAt());
    assertThat(told.newScope()).contains(scopeOf(task).id());
    pass(Duration.ofMinutes(1));
    assertThat(assemble(task).text())
        .isEqualTo(assembler.replay(SPACE, guardian.window(SPACE, point.id())));
    assertThat(memory.<Turn>view(SPACE, view -> view.turn(astray.id())).words())
        .isEqualTo("Let us go astray.");
    assertThat(guardian.recover(SPACE, Recover.latest(task.id())).success()).isTrue();
  }

  @Test
  @DisplayName("PCP-13: a fork goes on from a checkpoint, and its origin stays as it is")
  void forks() {
    Trajectory task = tell(3);
    Checkpoint point = checkpoint(task);
    say(task, "The origin goes on.");
    Trajectory fork = guardian.fork(SPACE, point.id(), "Another way");
    pass(Duration.ofMinutes(1));
    assertThat(fork.parent()).contains(task.id());
    assertThat(assemble(fork).text())
        .isEqualTo(assembler.replay(SPACE, guardian.window(SPACE, point.id())));
    assertThat(assemble(task).text()).contains("The origin goes on.");
  }

  private static PcpConfig.Dosage dosage(int tokens, int scopes, int artifacts, int notes) {
    return new PcpConfig.Dosage(tokens, scopes, artifacts, notes, 90, 0.5);
  }

  private static long in(Window window, SourceKind kind) {
    return window.ledger().stream()
        .filter(line -> line.decision().isIn() && line.candidate().kind() == kind)
        .count();
  }

  /** Three closed scopes, three artifacts, three notes, a conversation. */
  private Trajectory full() {
    Trajectory task = start();
    for (int i = 0; i < 3; i++) {
      say(task, "The scope number %d is about zebras.".formatted(i));
      fact(task, "Fact number %d holds.".formatted(i), 0.9);
      memory.run(SPACE, CloseScope.of(scopeOf(task).id()));
      memory.run(SPACE, new OpenScope(task.id()));
      memory.run(
          SPACE,
          WriteNote.of("zebra " + i, "animal", NoteType.FACT, "Zebra %d sleeps.".formatted(i)));
    }
    say(task, "What do we know?");
    return task;
  }

  @Test
  @DisplayName("PCP-16, J-37, J-50: a window within all limits stays the same")
  void withinTheDosage() {
    Assembled made = assemble(full());
    assertThat(guardian.dose(SPACE, made.window(), PERMANENT)).isEqualTo(made);
  }

  @Test
  @DisplayName("PCP-16, PCP-17, PCP-18, PCP-19, PCP-03, J-37: four limits, greedy by priority")
  void dosed() {
    Assembled made = assemble(full());
    use(with(dosage(8000, 1, 1, 2)));
    Assembled counted = guardian.dose(SPACE, made.window(), PERMANENT);
    assertThat(counted.window().id()).isNotEqualTo(made.window().id());
    assertThat(counted.window().maxTokens()).isEqualTo(made.window().maxTokens());
    assertThat(in(counted.window(), SourceKind.SCOPE)).isEqualTo(1);
    assertThat(in(counted.window(), SourceKind.ARTIFACT)).isEqualTo(1);
    assertThat(in(counted.window(), SourceKind.NOTE)).isEqualTo(2);
    assertThat(counted.window().ledger())
        .filteredOn(line -> line.rule().equals("dosage_limit"))
        .hasSize(5)
        .allMatch(line -> line.decision() == Decision.EXCLUDE && line.fullTokens() > 0);
    assertThat(assembler.replay(SPACE, assembler.window(SPACE, counted.window().id())))
        .isEqualTo(counted.text());
    use(with(dosage(120, 10, 10, 10)));
    Window small = guardian.dose(SPACE, made.window(), PERMANENT).window();
    assertThat(small.usedTokens()).isLessThanOrEqualTo(120);
    assertThat(in(small, SourceKind.TURN)).isEqualTo(1);
    assertThat(guardian.dose(SPACE, small, PERMANENT).window()).isEqualTo(small);
  }

  private long assemblies(Trajectory task) {
    return guardian.story(SPACE, task.id(), Optional.of("context_assembled"), 100).events().size();
  }

  @Test
  @DisplayName("PCP-16, PCP-18, J-37: a window is dosed as it is made: one window, one trace")
  void dosedFromTheStart() {
    use(with(dosage(8000, 1, 1, 2)));
    Trajectory task = full();
    Assembled dry = guardian.assemble(SPACE, AssembleRequest.of(task.id()).dry()).assembled();
    assertThat(dry.window().isWithin(dosage(8000, 1, 1, 2))).isTrue();
    assertThat(assemblies(task)).isZero();
    Duration hour = Duration.ofHours(1);
    Window kept =
        guardian
            .assemble(SPACE, AssembleRequest.of(task.id()).kept(new Persistence.Ttl(hour)))
            .assembled()
            .window();
    assertThat(kept.ledger()).isEqualTo(dry.window().ledger());
    assertThat(kept.expiresAt()).contains(kept.assembledAt().plus(hour));
    assertThat(assembler.windows(SPACE, task.id(), 10)).containsExactly(kept);
    assertThat(assembler.replay(SPACE, kept)).isEqualTo(dry.text());
    assertThat(assemblies(task)).isEqualTo(1);
    guardian.assemble(SPACE, AssembleRequest.of(task.id()).kept(new Persistence.Ephemeral()));
    assertThat(assembler.windows(SPACE, task.id(), 10)).containsExactly(kept);
    assertThat(assemblies(task)).isEqualTo(2);
  }

  @Test
  @DisplayName("PCP-16, J-37, J-50: a window that is dosed later is kept as asked")
  void dosedLater() {
    Trajectory task = full();
    Assembled made = assemble(task);
    use(with(dosage(8000, 1, 1, 2)));
    Assembled small = guardian.dose(SPACE, made.window(), new Persistence.Ephemeral());
    assertThat(small.window().isWithin(dosage(8000, 1, 1, 2))).isTrue();
    assertThat(assembler.windows(SPACE, task.id(), 10)).containsExactly(made.window());
    Duration hour = Duration.ofHours(1);
    Window kept = guardian.dose(SPACE, made.window(), new Persistence.Ttl(hour)).window();
    assertThat(kept.expiresAt()).contains(kept.assembledAt().plus(hour));
    assertThat(assembler.windows(SPACE, task.id(), 10)).contains(kept).hasSize(2);
  }

  @Test
  @DisplayName(
      "PCP-17, PCP-03: what does not fit is compressed to its ratio, critical things are not")
  void compressed() {
    Trajectory task = start();
    say(task, "The zebra sleeps standing and dreams of grass. ".repeat(60));
    Window whole = assemble(task).window();
    List<Integer> tokens = new ArrayList<>();
    for (int critical : List.of(0, 100)) {
      use(with(new PcpConfig.Dosage(600, 5, 5, 5, critical, 0.25)));
      LedgerLine line = guardian.dose(SPACE, whole, PERMANENT).window().ledger().getFirst();
      assertThat(line.decision()).isIn(Decision.COMPRESS, Decision.TRUNCATE);
      tokens.add(line.tokens());
      if (critical == 100) {
        assertThat(line.tokens()).isLessThanOrEqualTo(line.fullTokens() / 4);
      }
    }
    assertThat(tokens.getFirst()).isGreaterThan(tokens.getLast());
  }

  @Test
  @DisplayName("REC-10, REC-11, REC-12, STO-07: clean-up counts what it ends and removes, once")
  void cleansUp() {
    Trajectory orphan = tell(1);
    Trajectory other = tell(1);
    assembler.assemble(
        SPACE, AssembleRequest.of(orphan.id()).kept(new Persistence.Ttl(Duration.ofMinutes(1))));
    pass(RuntimeConfig.starter().memory().orphanAfter().plusSeconds(1));
    assertThat(guardian.cleanUp(SPACE)).isEqualTo(new CleanedUp(2, 0, 1));
    assertThat(guardian.cleanUp(SPACE)).isEqualTo(new CleanedUp(0, 0, 0));
    assertThat(memory.<Trajectory>view(SPACE, view -> view.trajectory(other.id())).status())
        .isEqualTo(TrajectoryStatus.FAILED);
  }

  @Test
  @DisplayName("OBS-01, OBS-02, OBS-03, OBS-05: every operation leaves its event; numbers add up")
  void story() {
    Trajectory task = tell(2);
    fact(task, "A fact.", 0.9);
    memory.run(
        SPACE,
        WriteNote.of("zebra", "animal", NoteType.FACT, "Zebras sleep.").learnedIn(task.id()));
    assemble(task);
    guardian.validate(SPACE, task.id());
    checkpoint(task);
    guardian.recover(SPACE, Recover.latest(task.id()));
    memory.run(SPACE, EndTrajectory.complete(task.id(), ""));
    Story story = guardian.story(SPACE, task.id(), Optional.empty(), 1000);
    assertThat(story.events())
        .extracting(TraceEvent::type)
        .contains(
            "trajectory_started",
            "trajectory_completed",
            "scope_opened",
            "scope_closed",
            "artifact_created",
            "artifact_retrieved",
            "note_written",
            "note_retrieved",
            "context_assembled",
            "context_injected",
            "checkpoint_saved",
            "checkpoint_recovered",
            "validation_run");
    for (String timed :
        List.of(
            "context_assembled",
            "context_injected",
            "checkpoint_saved",
            "checkpoint_recovered",
            "validation_run")) {
      assertThat(story.events())
          .filteredOn(event -> event.type().equals(timed))
          .allMatch(event -> event.durationMs().isPresent());
    }
    assertThat(story.summary().scopesCreated()).isEqualTo(2);
    assertThat(story.summary().artifactsCreated()).isEqualTo(1);
    assertThat(story.summary().notesCreated()).isEqualTo(1);
    assertThat(story.summary().contextAssemblies()).isEqualTo(1);
    assertThat(story.summary().recoveriesPerformed()).isEqualTo(1);
    assertThat(story.summary().checkpointsCreated())
        .isEqualTo(
            story.events().stream().filter(e -> e.type().equals("checkpoint_saved")).count());
    assertThat(guardian.story(SPACE, task.id(), Optional.of("scope_opened"), 1).events())
        .hasSize(1);
  }

  @Test
  @DisplayName("OBS-04: how a trajectory stands")
  void state() {
    Trajectory task = tell(1);
    fact(task, "A fact.", 0.9);
    checkpoint(task);
    TrajectoryState state = guardian.state(SPACE, task.id());
    assertThat(state.scopes()).hasSize(1);
    assertThat(state.activeScope()).contains(state.scopes().getFirst());
    assertThat(state.artifactCount()).isEqualTo(1);
    assertThat(state.noteCount()).isZero();
    assertThat(state.checkpointCount()).isEqualTo(1);
  }

  @Test
  @DisplayName("OBS-07, J-58: where an artifact comes from and what became of it, both ways")
  void lineage() {
    Trajectory task = tell(1);
    Artifact first = fact(task, "first", 0.9);
    Artifact second = replace(task, first, "second");
    Artifact third = replace(task, second, "third");
    Lineage lineage = guardian.lineage(SPACE, second.id());
    assertThat(lineage.predecessors()).containsExactly(first.id());
    assertThat(lineage.successors()).containsExactly(third.id());
    assertThat(lineage.supersededBy()).contains(third.id());
    assertThat(guardian.lineage(SPACE, third.id()).predecessors())
        .containsExactly(second.id(), first.id());
    assertThat(guardian.lineage(SPACE, third.id()).successors()).isEmpty();
  }

  private Artifact replace(Trajectory task, Artifact old, String content) {
    return memory.run(
        SPACE,
        new SupersedeArtifact(
            old.id(), CreateArtifact.of(scopeOf(task).id(), ArtifactType.FACT, Bytes.of(content))));
  }
}
