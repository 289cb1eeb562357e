package dev.caliber.memory.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.KernelErrorCode;
import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.kernel.config.MemoryDefinition;
import dev.caliber.kernel.config.Retention;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.kernel.config.Trigger;
import dev.caliber.memory.Definitions;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryFixture;
import dev.caliber.memory.UnitOfWorkFactory;
import dev.caliber.memory.command.AbandonedWorkResult;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.CreateArtifacts;
import dev.caliber.memory.command.EndTrajectory;
import dev.caliber.memory.command.ForgetRecords;
import dev.caliber.memory.command.ForkTrajectory;
import dev.caliber.memory.command.NewArtifact;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.OpenScope;
import dev.caliber.memory.command.RollBackResult;
import dev.caliber.memory.command.RollBackTrajectory;
import dev.caliber.memory.command.SaveCheckpoint;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.command.SupersedeArtifact;
import dev.caliber.memory.command.SuspendOrResumeTrajectory;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.event.MemoryEvent;
import dev.caliber.memory.event.MemoryEventApplier;
import dev.caliber.memory.event.TraceEvent;
import dev.caliber.memory.policy.RetentionEnforcer;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.MemoryErrorCode;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.OutcomeStatus;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.ScopeCount;
import dev.caliber.memory.record.ToolExchange;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.TrajectoryOutcome;
import dev.caliber.memory.record.TrajectoryStatus;
import dev.caliber.memory.record.Ttl;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.record.TurnPart;
import dev.caliber.memory.record.TurnRole;
import dev.caliber.memory.spi.Summary;
import dev.caliber.memory.view.CleanupStep;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.memory.view.MemoryDependencies;
import dev.caliber.store.Query;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import dev.caliber.testkit.EachEngine;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Retention by the deployed configuration, on every engine. */
@EachEngine
class RetentionContract extends MemoryFixture {
  private static final Duration HOUR = Duration.ofHours(1);

  private Optional<CompiledConfig> deployed = Optional.empty();

  @Override
  public MemoryDependencies parts() {
    return super.parts().withDeployedConfigs(_ -> deployed);
  }

  private void keep(String memory, Retention retention) {
    keep(Definitions.of(memory, retention));
  }

  private void keep(MemoryDefinition... memories) {
    deployed =
        Optional.of(new CompiledConfig("1.0", List.of(memories), List.of(), List.of(), List.of()));
  }

  private <T> List<T> all(Table<T> table) {
    return store.read(SPACE, snapshot -> snapshot.scan(Query.over(table), 1000)).records();
  }

  private List<String> said() {
    return all(Turn.TABLE).stream().map(Turn::searchableText).toList();
  }

  private static List<String> numbers(int from, int until) {
    return IntStream.range(from, until).mapToObj(Integer::toString).toList();
  }

  @Test
  @DisplayName("J-28, MEM-08: max(n) keeps the newest n turns of each trajectory at every turn")
  void theNewestTurns() {
    keep("turn_buffer", new Retention.CountRetention(3));
    Trajectory one = start();
    Trajectory two = start();
    numbers(0, 5).forEach(word -> say(scopeOf(one), word));
    say(scopeOf(two), "other");
    assertThat(said()).containsExactly("2", "3", "4", "other");
    assertThat(read(one).counters().turns()).isEqualTo(5);
    assertThat(say(scopeOf(one), "5").position()).isEqualTo(5);
  }

  @Test
  @DisplayName("J-28, MEM-08: max(n) removes rolled-back turns first, and counts the existing ones")
  void rolledBackTurnsGoFirst() {
    keep("turn_buffer", new Retention.CountRetention(4));
    Trajectory one = start();
    numbers(0, 2).forEach(word -> say(scopeOf(one), word));
    Checkpoint point = run(SaveCheckpoint.of(one.id()));
    numbers(2, 4).forEach(word -> say(scopeOf(one), word));
    run(RollBackTrajectory.toCheckpoint(point));
    numbers(4, 6).forEach(word -> say(scopeOf(one), word));
    assertThat(said()).containsExactly("0", "1", "4", "5");
    run(ForgetRecords.of(say(scopeOf(one), "6").id()));
    say(scopeOf(one), "7");
    assertThat(said()).containsExactly("1", "4", "5", "7");
  }

  @Test
  @DisplayName("J-28, MEM-08: max(n) removes rolled-back artifacts first, too")
  void rolledBackArtifactsGoFirst() {
    keep("artifacts", new Retention.CountRetention(2));
    Trajectory one = start();
    Artifact first = make(scopeOf(one), "first");
    Checkpoint point = run(SaveCheckpoint.of(one.id()));
    pass(HOUR);
    make(scopeOf(one), "second");
    run(RollBackTrajectory.toCheckpoint(point));
    Artifact third = make(scopeOf(one), "third");
    run(CloseScope.of(scopeOf(one).id()));
    assertThat(all(Artifact.TABLE))
        .extracting(Artifact::id)
        .containsExactly(first.id(), third.id());
  }

  @Test
  @DisplayName("J-28: turns that a fork shows are kept until the fork ends")
  void originsOfForksStay() {
    keep(
        Definitions.of("trajectories", new Retention.DurationRetention(HOUR)),
        Definitions.of("turn_buffer", new Retention.CountRetention(2)));
    Trajectory origin = start();
    numbers(0, 2).forEach(word -> say(scopeOf(origin), word));
    Trajectory fork = fork(run(SaveCheckpoint.of(origin.id())));
    Trajectory second = fork(run(SaveCheckpoint.of(fork.id())));
    numbers(2, 6).forEach(word -> say(scopeOf(origin), word));
    assertThat(said()).containsExactly("0", "1", "4", "5");
    run(EndTrajectory.complete(origin.id(), "done"));
    run(EndTrajectory.complete(fork.id(), "done"));
    pass(HOUR.multipliedBy(2));
    memory.runMaintenance(SPACE);
    assertThat(said()).containsExactly("0", "1", "4", "5");
    assertThat(all(Trajectory.TABLE)).hasSize(3);
    run(EndTrajectory.complete(second.id(), "done"));
    pass(HOUR.multipliedBy(2));
    memory.runMaintenance(SPACE);
    assertThat(all(Trajectory.TABLE)).isEmpty();
    assertThat(said()).isEmpty();
  }

  @Test
  @DisplayName("J-28: turns are kept for the live one of two forks, whichever was first")
  void aLivingForkBehindAnEndedOne() {
    keep(Definitions.of("trajectories", new Retention.DurationRetention(HOUR)));
    Trajectory origin = start();
    say(scopeOf(origin), "0");
    Checkpoint point = run(SaveCheckpoint.of(origin.id()));
    Trajectory ended = fork(point);
    fork(point);
    run(EndTrajectory.complete(origin.id(), "done"));
    run(EndTrajectory.complete(ended.id(), "done"));
    pass(HOUR.multipliedBy(2));
    memory.runMaintenance(SPACE);
    assertThat(said()).containsExactly("0");
  }

  private Trajectory fork(Checkpoint from) {
    return run(new ForkTrajectory(from.id(), StartTrajectory.of("Another way", PLANNER)));
  }

  @Test
  @DisplayName("J-28: a smaller max(n) applies to existing turns with the next turn")
  void aSmallerNumber() {
    Trajectory one = start();
    numbers(0, 5).forEach(word -> say(scopeOf(one), word));
    keep("turn_buffer", new Retention.CountRetention(2));
    say(scopeOf(one), "5");
    assertThat(said()).containsExactly("4", "5");
  }

  @Test
  @DisplayName(
      "J-28, MEM-08: of two memories with the same records the one with longer retention wins")
  void sharedRecordsStayAsLongAsAnybodyKeepsThem() {
    Scope scope = scopeOf(start());
    MemoryDefinition one = Definitions.of("turns", new Retention.CountRetention(1));
    keep(one, Definitions.of("turn_buffer", new Retention.PersistentRetention()));
    numbers(0, 4).forEach(number -> say(scope, number));
    assertThat(said()).isEqualTo(numbers(0, 4));
    keep(one, Definitions.of("turn_buffer", new Retention.CountRetention(3)));
    say(scope, "4");
    assertThat(said()).isEqualTo(numbers(2, 5));
    keep(
        Definitions.of("turns", new Retention.ScopeRetention()),
        Definitions.of("turn_buffer", new Retention.SessionRetention()));
    run(CloseScope.of(scope.id()));
    assertThat(all(Turn.TABLE)).allMatch(Turn::isLive);
    run(EndTrajectory.complete(scope.trajectory(), "Done"));
    assertThat(all(Turn.TABLE)).noneMatch(Turn::isLive);
  }

  @Test
  @DisplayName("J-19: a scope does not refer to a removed checkpoint")
  void noLinkToAGoneCheckpoint() {
    Scope scope = scopeOf(start());
    say(scope, "Hello");
    run(CloseScope.of(scope.id()));
    for (int i = 0; i < RuntimeConfig.starter().pcp().checkpoints().maxCheckpoints(); i++) {
      run(SaveCheckpoint.of(scope.trajectory()));
    }
    Scope closed = memory.view(SPACE, view -> view.scope(scope.id()));
    assertThat(closed.checkpoint()).isEmpty();
  }

  @Test
  @DisplayName("J-28, MEM-08: max(n) keeps the newest n artifacts of each trajectory at a close")
  void theNewestArtifacts() {
    keep("artifacts", new Retention.CountRetention(2));
    Trajectory one = start();
    Scope scope = scopeOf(one);
    numbers(0, 4).forEach(word -> make(scope, word));
    run(CloseScope.of(scope.id()));
    assertThat(all(Artifact.TABLE))
        .extracting(made -> made.content().text().orElseThrow())
        .containsExactly("2", "3");
  }

  @Test
  @DisplayName("J-28: max(n) of scopes removes the turns of older closed scopes, not the summaries")
  void theNewestScopes() {
    keep("scopes", new Retention.CountRetention(1));
    Trajectory one = start();
    for (String words : List.of("The first thing.", "The second thing.", "The third thing.")) {
      say(scopeOf(one), words);
      run(CloseScope.of(scopeOf(one).id()));
      run(new OpenScope(one.id()));
    }
    assertThat(said()).containsExactly("The third thing.");
    assertThat(all(Scope.TABLE).getFirst().summary().orElseThrow().text())
        .isEqualTo("The first thing.");
  }

  @Test
  @DisplayName("J-28: a scope whose turns were forgotten does not keep the turns of older scopes")
  void scopesBeforeAForgottenOne() {
    Trajectory one = start();
    for (String words : List.of("first", "second", "third")) {
      say(scopeOf(one), words);
      run(CloseScope.of(scopeOf(one).id()));
      run(new OpenScope(one.id()));
    }
    memory.forget(SPACE, ForgetRecords.of(all(Turn.TABLE).get(1).id()));
    assertThat(said()).containsExactly("first", "third");
    keep("scopes", new Retention.CountRetention(1));
    say(scopeOf(one), "fourth");
    run(CloseScope.of(scopeOf(one).id()));
    assertThat(said()).containsExactly("fourth");
  }

  @Test
  @DisplayName("J-28: a close queries the turns of older scopes once, however many there are")
  void closesOfManyScopes() {
    keep("scopes", new Retention.CountRetention(1));
    Trajectory one = start();
    for (int i = 0; i < 20; i++) {
      say(scopeOf(one), "Number " + i);
      run(CloseScope.of(scopeOf(one).id()));
      run(new OpenScope(one.id()));
    }
    assertThat(said()).containsExactly("Number 19");
    AtomicInteger asked = new AtomicInteger();
    Scope last = scopeOf(one);
    store.commit(
        SPACE,
        transaction -> {
          Transaction counted = counting(transaction, asked);
          RetentionEnforcer.enforceAfter(
              new UnitOfWorkFactory(MemoryConfig.starter(), parts()).begin(counted),
              new UnitOfWorkListeners.FiredTrigger(
                  Trigger.TrajectoryTriggerEvent.SCOPE_CLOSE,
                  last.id(),
                  last.trajectory(),
                  Optional.of(last.id())));
        });
    assertThat(asked).hasValueLessThan(6);
  }

  private static Transaction counting(Transaction transaction, AtomicInteger calls) {
    return (Transaction)
        Proxy.newProxyInstance(
            Transaction.class.getClassLoader(),
            new Class<?>[] {Transaction.class},
            (_, method, arguments) -> {
              calls.incrementAndGet();
              return method.invoke(transaction, arguments);
            });
  }

  @Test
  @DisplayName("J-28: overlapping scopes lose all their turns, and retained ones none")
  void overlappingScopes() {
    keep("scopes", new Retention.CountRetention(1));
    Trajectory one = start();
    Scope outer = scopeOf(one);
    say(outer, "Before.");
    Scope inner = run(new OpenScope(one.id()));
    say(inner, "Within.");
    say(outer, "After.");
    run(CloseScope.of(inner.id()));
    run(CloseScope.of(outer.id()));
    assertThat(said()).containsExactly("Within.");
  }

  @Test
  @DisplayName("J-28: max(n) of notes and trajectories is counted in the space, by clean-up")
  void theNewestNotesAndTrajectories() {
    keep("notes", new Retention.CountRetention(1));
    learn("Zebras sleep.");
    pass(HOUR);
    learn("Lions roar.");
    memory.runMaintenance(SPACE);
    assertThat(all(Note.TABLE)).extracting(Note::content).containsExactly("Lions roar.");
    keep("trajectories", new Retention.CountRetention(1));
    Trajectory ended = start();
    run(EndTrajectory.complete(ended.id(), ""));
    pass(HOUR);
    Trajectory active = start();
    memory.runMaintenance(SPACE);
    assertThat(all(Trajectory.TABLE)).extracting(Trajectory::id).containsExactly(active.id());
  }

  @Test
  @DisplayName("J-28, DSL-05: clean-up removes records with a duration after it, and not before")
  void forATime() {
    for (String memory : List.of("turns", "artifacts", "notes")) {
      keep(memory, new Retention.DurationRetention(HOUR));
      Scope scope = scopeOf(start());
      say(scope, "old");
      make(scope, "old");
      run(WriteNote.of(memory, "thing", NoteType.FACT, "Old is the moon."));
      pass(HOUR.minusSeconds(1));
      assertThat(tended(memory)).as(memory).isNotEmpty();
      pass(Duration.ofSeconds(2));
      assertThat(tended(memory)).as(memory).isEmpty();
    }
  }

  private List<?> tended(String kind) {
    memory.runMaintenance(SPACE);
    return switch (kind) {
      case "turns" -> all(Turn.TABLE);
      case "artifacts" -> all(Artifact.TABLE);
      default -> all(Note.TABLE);
    };
  }

  @Test
  @DisplayName("J-28: scopes and trajectories with a duration are removed once they have ended")
  void endedForATime() {
    keep("scopes", new Retention.DurationRetention(HOUR));
    Trajectory one = start();
    say(scopeOf(one), "in a closed scope");
    run(CloseScope.of(scopeOf(one).id()));
    Trajectory two = start();
    say(scopeOf(two), "in an open scope");
    pass(HOUR.plusSeconds(1));
    memory.runMaintenance(SPACE);
    assertThat(said()).containsExactly("in an open scope");
    keep("trajectories", new Retention.DurationRetention(HOUR));
    run(EndTrajectory.complete(one.id(), ""));
    pass(HOUR.plusSeconds(1));
    memory.runMaintenance(SPACE);
    assertThat(all(Trajectory.TABLE)).extracting(Trajectory::id).containsExactly(two.id());
  }

  @Test
  @DisplayName("J-19: checkpoints and traces are bounded: by number while active, by age after")
  void checkpointsAndTraces() {
    Trajectory ended = start();
    Trajectory active = run(StartTrajectory.of("Talk", EntityRef.of(EntityType.SUBJECT, "alice")));
    for (Trajectory each : List.of(ended, active)) {
      for (int i = 0; i < 2 * RuntimeConfig.starter().pcp().checkpoints().maxCheckpoints(); i++) {
        run(SaveCheckpoint.of(each.id()));
      }
    }
    run(EndTrajectory.complete(ended.id(), ""));
    int kept = RuntimeConfig.starter().pcp().checkpoints().maxCheckpoints();
    assertThat(all(Checkpoint.TABLE)).hasSize(2 * kept);
    pass(MemoryConfig.starter().retention().traces().plusSeconds(1));
    memory.runMaintenance(SPACE);
    assertThat(all(Checkpoint.TABLE))
        .hasSize(kept)
        .allMatch(checkpoint -> checkpoint.trajectory().equals(active.id()));
    assertThat(all(TraceEvent.TABLE)).extracting(TraceEvent::type).containsOnly("record_removed");
  }

  @Test
  @DisplayName("REC-08, REC-09, REC-12, J-09, J-27: an orphan fails, once")
  void orphans() {
    Trajectory orphan = start();
    Trajectory session = run(StartTrajectory.of("Talk", EntityRef.of(EntityType.SUBJECT, "alice")));
    Id thread = memory.remember(SPACE, "thread-7", List.of(NewTurn.user("x"))).first().trajectory();
    Trajectory named =
        run(StartTrajectory.of("Chat", PLANNER).withLabels(Labels.ofExternalId("chat-1")));
    String since = read(orphan).updatedAt().toString();
    Trajectory busy = start();
    Scope left = scopeOf(busy);
    Artifact made = make(left, "draft");
    yielded(left, made);
    run(new OpenScope(busy.id()));
    pass(RuntimeConfig.starter().memory().orphanAfter().plusSeconds(1));
    say(scopeOf(busy), "still at it");
    AbandonedWorkResult found = memory.runMaintenance(SPACE).orphans();
    assertThat(found.trajectories()).containsExactly(orphan.id());
    assertThat(found.scopes()).containsExactly(left.id());
    Trajectory failed = read(orphan);
    assertThat(failed.status()).isEqualTo(TrajectoryStatus.FAILED);
    TrajectoryOutcome trajectoryOutcome = failed.outcome().orElseThrow();
    assertThat(trajectoryOutcome.status()).isEqualTo(OutcomeStatus.SYSTEM_ABORT);
    assertThat(trajectoryOutcome.summary())
        .isEqualTo("Ended by orphan cleanup: no activity since " + since);
    Scope closed = memory.view(SPACE, view -> view.scope(left.id()));
    assertThat(closed.isOpen()).isFalse();
    assertThat(closed.checkpoint()).isEmpty();
    assertThat(closed.artifacts()).containsExactly(made.id());
    assertThat(memory.<List<Artifact>>view(SPACE, view -> view.artifacts(busy.id())))
        .containsExactly(made);
    assertThat(closed.summary().orElseThrow().text())
        .isEqualTo("[SYSTEM] Scope closed by orphan cleanup: its process was interrupted");
    for (Id resting : List.of(session.id(), named.id(), thread)) {
      assertThat(memory.<Trajectory>view(SPACE, view -> view.trajectory(resting)).status())
          .isEqualTo(TrajectoryStatus.ACTIVE);
    }
    assertThat(memory.runMaintenance(SPACE).orphans())
        .isEqualTo(new AbandonedWorkResult(List.of(), List.of()));
  }

  /** Extracts an artifact as a policy does in an open scope. */
  private void yielded(Scope scope, Artifact made) {
    store.commit(
        SPACE,
        transaction -> {
          new MemoryEventApplier(new TransactionMemoryState(transaction))
              .apply(
                  new MemoryEvent.ScopeArtifactsExtracted(
                      scope.trajectory(), scope.id(), List.of(made.id())));
        });
  }

  @Test
  @DisplayName("REC-08: orphans are ended also if a clean-up step fails")
  void orphansBesideAFailure() {
    CleanupStep failing =
        new CleanupStep() {
          @Override
          public String name() {
            return "failing";
          }

          @Override
          public CleanupProgress clean(Transaction transaction, int batch) {
            throw new IllegalStateException("failing");
          }
        };
    Trajectory orphan = start();
    pass(RuntimeConfig.starter().memory().orphanAfter().plusSeconds(1));
    Memory hindered = Memory.of(store, MemoryConfig.starter(), parts().withCleanup(failing));
    assertThatThrownBy(() -> hindered.runMaintenance(SPACE)).hasMessage("failing");
    assertThat(read(orphan).status()).isEqualTo(TrajectoryStatus.FAILED);
  }

  @Test
  @DisplayName(
      "REC-02, REC-04, REC-05, REC-06, REC-07, J-38, J-39: a trajectory returns to a checkpoint")
  void rollsBack() {
    Trajectory trajectory = start();
    Scope first = scopeOf(trajectory);
    Turn kept = say(first, "The parser fails on tabs.");
    Artifact draft = make(first, "draft");
    Checkpoint point = run(SaveCheckpoint.of(trajectory.id()));
    pass(HOUR);
    Turn undone = say(first, "We decided to drop the parser.");
    run(
        new SupersedeArtifact(
            draft.id(), NewArtifact.of(first.id(), ArtifactType.FACT, Bytes.of("better"))));
    run(CloseScope.of(first.id()));
    Scope later = run(new OpenScope(trajectory.id()));
    say(later, "Now without a parser.");
    run(SuspendOrResumeTrajectory.suspend(trajectory.id()));
    pass(HOUR);

    RollBackResult back = run(RollBackTrajectory.toCheckpoint(point));
    assertThat(back.checkpoint()).isEqualTo(point.id());
    assertThat(back.restoredTo()).isEqualTo(point.createdAt());
    assertThat(back.recoveredAt()).isEqualTo(clock.instant());
    assertThat(back.scopes()).containsExactly(later.id());
    assertThat(back.turns()).hasSize(2).contains(undone.id());
    assertThat(back.artifacts()).hasSize(2);
    assertThat(back.restored()).containsExactly(draft.id());
    assertThat(back.newScope()).contains(scopeOf(trajectory).id());
    assertThat(read(trajectory).status()).isEqualTo(TrajectoryStatus.ACTIVE);
    assertThat(memory.summarizedTurns(SPACE, trajectory.id()).stream().filter(Turn::isLive))
        .extracting(Turn::id)
        .containsExactly(kept.id());
    assertThat(memory.<Turn>view(SPACE, view -> view.turn(undone.id())).rolledBackAt())
        .contains(clock.instant());
    assertThat(all(Artifact.TABLE).stream().filter(made -> made.isLive(clock.instant())))
        .extracting(Artifact::id)
        .containsExactly(draft.id());
    Scope out = memory.view(SPACE, view -> view.scope(later.id()));
    assertThat(out.rolledBackAt()).contains(clock.instant());
    assertThat(out.summary().orElseThrow().text())
        .isEqualTo("[SYSTEM] Scope rolled back during checkpoint recovery");
    assertThat(memory.<Scope>view(SPACE, view -> view.scope(first.id())).summary().orElseThrow())
        .satisfies(summary -> assertThat(summary.sources()).containsExactly(kept.id()));
    assertThat(memory.<List<Checkpoint>>view(SPACE, view -> view.checkpoints(trajectory.id())))
        .extracting(Checkpoint::id)
        .containsExactly(point.id());
    assertThat(run(RollBackTrajectory.toLatestCheckpoint(trajectory.id())).checkpoint())
        .isEqualTo(point.id());
  }

  @Test
  @DisplayName(
      "REC-04: the scope that was open at the checkpoint is closed, and its turns stay live")
  void theOpenScopeIsClosed() {
    Trajectory trajectory = start();
    Scope first = scopeOf(trajectory);
    say(first, "The parser fails on tabs.");
    run(SaveCheckpoint.of(trajectory.id()));
    RollBackResult back = run(RollBackTrajectory.toLatestCheckpoint(trajectory.id()));
    assertThat(back.scopes()).isEmpty();
    Scope closed = memory.view(SPACE, view -> view.scope(first.id()));
    assertThat(closed.isOpen()).isFalse();
    assertThat(closed.rolledBackAt()).isEmpty();
    assertThat(closed.summary().orElseThrow().text()).isEqualTo("The parser fails on tabs.");
  }

  @Test
  @DisplayName("REC-04: a preview lists what would be rolled back, and writes nothing")
  void aPreview() {
    Trajectory trajectory = start();
    Checkpoint point = run(SaveCheckpoint.of(trajectory.id()));
    pass(HOUR);
    Turn said = say(scopeOf(trajectory), "We decided to drop the parser.");
    var before = everything();
    RollBackResult would = run(RollBackTrajectory.toCheckpoint(point).asPreview());
    assertThat(would.turns()).containsExactly(said.id());
    assertThat(would.newScope()).isEmpty();
    assertThat(everything()).isEqualTo(before);
    assertThat(run(RollBackTrajectory.toCheckpoint(point)).turns()).isEqualTo(would.turns());
  }

  @Test
  @DisplayName("REC-04: a scope of the checkpoint is kept, whatever was forgotten")
  void scopesAreCountedByTheirSequence() {
    Trajectory trajectory = start();
    Scope first = scopeOf(trajectory);
    say(first, "The parser fails on tabs.");
    run(CloseScope.of(first.id()));
    run(new OpenScope(trajectory.id()));
    Scope current = run(new OpenScope(trajectory.id()));
    run(ForgetRecords.of(first.id()));
    run(SaveCheckpoint.of(trajectory.id()));
    pass(HOUR);
    assertThat(run(RollBackTrajectory.toLatestCheckpoint(trajectory.id())).scopes()).isEmpty();
    assertThat(memory.<Scope>view(SPACE, view -> view.scope(current.id())).rolledBackAt())
        .isEmpty();
  }

  @Test
  @DisplayName(
      "REC-04, J-39: artifacts that expired with their scope are live again until the next one closes")
  void artifactsOfTheScope() {
    Trajectory trajectory = start();
    Scope scope = scopeOf(trajectory);
    Artifact draft =
        run(CreateArtifacts.of(
                NewArtifact.of(scope.id(), ArtifactType.FACT, Bytes.of("A draft."))
                    .withTtl(new Ttl.ScopeTtl())))
            .getFirst();
    pass(HOUR);
    Checkpoint point = run(SaveCheckpoint.of(trajectory.id()));
    pass(HOUR);
    run(CloseScope.of(scope.id()));
    assertThat(artifact(draft).isLive(clock.instant())).isFalse();
    Instant gap = clock.instant();
    pass(HOUR);
    assertThat(run(RollBackTrajectory.toCheckpoint(point)).restored()).containsExactly(draft.id());
    assertThat(artifact(draft).isLive(clock.instant())).isTrue();
    assertThat(artifact(draft).wasLive(point.createdAt())).isTrue();
    assertThat(artifact(draft).wasLive(gap)).isFalse();
    pass(HOUR);
    run(CloseScope.of(scopeOf(trajectory).id()));
    assertThat(artifact(draft).isLive(clock.instant())).isFalse();
  }

  @Test
  @DisplayName("REC-04: artifacts bound to a scope expire with the scope that continues it")
  void artifactsOfTheContinuedScope() {
    Trajectory trajectory = start();
    Artifact draft =
        run(CreateArtifacts.of(
                NewArtifact.of(scopeOf(trajectory).id(), ArtifactType.FACT, Bytes.of("A draft."))
                    .withTtl(new Ttl.ScopeTtl())))
            .getFirst();
    pass(HOUR);
    run(RollBackTrajectory.toCheckpoint(run(SaveCheckpoint.of(trajectory.id()))));
    assertThat(artifact(draft).isLive(clock.instant())).isTrue();
    pass(HOUR);
    run(CloseScope.of(scopeOf(trajectory).id()));
    assertThat(artifact(draft).isLive(clock.instant())).isFalse();
  }

  private Artifact artifact(Artifact made) {
    return memory.view(SPACE, view -> view.artifact(made.id()));
  }

  @Test
  @DisplayName("REC-04: the sequence of a forgotten last scope is not used again")
  void sequencesOfScopesAreNotGivenAgain() {
    Trajectory trajectory = start();
    say(scopeOf(trajectory), "The parser fails on tabs.");
    Scope second = run(new OpenScope(trajectory.id()));
    Checkpoint point = run(SaveCheckpoint.of(trajectory.id()));
    pass(HOUR);
    run(ForgetRecords.of(second.id()));
    Scope third = run(new OpenScope(trajectory.id()));
    assertThat(third.sequence()).isEqualTo(2);
    RollBackResult back = run(RollBackTrajectory.toCheckpoint(point));
    assertThat(back.scopes()).containsExactly(third.id());
    Scope next = scopeOf(trajectory);
    assertThat(next.sequence()).isEqualTo(3);
    assertThat(next.continues()).isEmpty();
    run(ForgetRecords.of(trajectory.id()));
    assertThat(all(ScopeCount.TABLE)).isEmpty();
  }

  @Test
  @DisplayName("REC-04: a model's summary is replaced by one without rolled-back turns")
  void summariesInOtherWords() {
    Trajectory trajectory = start();
    Scope scope = scopeOf(trajectory);
    Turn kept = say(scope, "The parser fails on tabs.");
    Checkpoint point = run(SaveCheckpoint.of(trajectory.id()));
    say(scope, "We decided to drop the parser.");
    Summary told =
        new Summary("model", List.of(new Summary.SummarySentence("They gave it up.", kept.id())));
    Memory.of(store, MemoryConfig.starter(), parts().withSummarizer(_ -> told))
        .run(SPACE, CloseScope.of(scope.id()));
    run(RollBackTrajectory.toCheckpoint(point));
    assertThat(memory.<Scope>view(SPACE, view -> view.scope(scope.id())).summary().orElseThrow())
        .satisfies(summary -> assertThat(summary.text()).isEqualTo("The parser fails on tabs."));
  }

  @Test
  void whatWasRolledBackCanBeSaidAndAskedAgain() {
    Trajectory trajectory = start();
    NewTurn named = NewTurn.user("once").withLabels(Labels.ofExternalId("m-1"));
    NewTurn call = NewTurn.of(TurnRole.ASSISTANT, new TurnPart.ToolCallPart("c1", "grep", "{}"));
    NewTurn open = NewTurn.of(TurnRole.ASSISTANT, new TurnPart.ToolCallPart("c0", "grep", "{}"));
    NewTurn result = NewTurn.of(TurnRole.TOOL, new TurnPart.ToolResultPart("c0", "found", false));
    run(AppendTurns.of(scopeOf(trajectory).id(), open));
    run(SaveCheckpoint.of(trajectory.id()));
    List<Turn> before = run(AppendTurns.of(scopeOf(trajectory).id(), named, call, result));
    run(RollBackTrajectory.toLatestCheckpoint(trajectory.id()));
    assertThat(memory.<List<ToolExchange>>view(SPACE, view -> view.openCalls(trajectory.id())))
        .extracting(ToolExchange::call)
        .containsExactly("c0");
    List<Turn> again = run(AppendTurns.of(scopeOf(trajectory).id(), named, call, result));
    assertThat(again).extracting(Turn::position).containsExactly(4, 5, 6);
    assertThat(again).doesNotContainAnyElementsOf(before);
  }

  @Test
  @DisplayName(
      "REC-02, REC-03, ERR-04: no checkpoint, an unknown one and an ended task are refused")
  void rollBacksThatCannotBe() {
    Trajectory trajectory = start();
    refuses(
        MemoryErrorCode.NO_CHECKPOINT_AVAILABLE,
        () -> run(RollBackTrajectory.toLatestCheckpoint(trajectory.id())));
    Checkpoint point = run(SaveCheckpoint.of(trajectory.id()));
    Trajectory other = start();
    refuses(
        MemoryErrorCode.UNKNOWN_RECORD,
        () -> run(new RollBackTrajectory(trajectory.id(), Optional.of(unknown()), false)));
    refuses(
        MemoryErrorCode.UNKNOWN_RECORD,
        () -> run(new RollBackTrajectory(other.id(), Optional.of(point.id()), false)));
    run(EndTrajectory.complete(trajectory.id(), ""));
    refuses(
        KernelErrorCode.INVALID_STATE_TRANSITION,
        () -> run(RollBackTrajectory.toCheckpoint(point)));
  }
}
