package dev.caliber.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.FieldHash;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.KernelErrorCode;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.ConsolidateTrajectory;
import dev.caliber.memory.command.CreateArtifacts;
import dev.caliber.memory.command.EndTrajectory;
import dev.caliber.memory.command.ForgetRecords;
import dev.caliber.memory.command.NewArtifact;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.OpenScope;
import dev.caliber.memory.command.RollBackTrajectory;
import dev.caliber.memory.command.SaveCheckpoint;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.command.SuspendOrResumeTrajectory;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.event.Notice;
import dev.caliber.memory.event.TraceEvent;
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
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.TrajectoryOutcome;
import dev.caliber.memory.record.TrajectoryStatus;
import dev.caliber.memory.record.Ttl;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.spi.Summary;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.store.Commit;
import dev.caliber.store.FeedCursor;
import dev.caliber.store.Query;
import dev.caliber.store.StoreErrorCode;
import dev.caliber.store.Table;
import dev.caliber.store.job.Jobs;
import dev.caliber.testkit.EachEngine;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Life cycle of trajectories and scopes, on every engine. */
@EachEngine
class LifeContract extends MemoryFixture {

  @Test
  @DisplayName("LIF-01, MEM-09, J-08: a start keeps goal, hash and tags, and opens the first scope")
  void startsATrajectory() {
    Trajectory trajectory = run(StartTrajectory.of("Mend", PLANNER).withTags("build", "urgent"));
    assertThat(trajectory.id().version()).isEqualTo(7);
    assertThat(trajectory.goal()).isEqualTo("Mend");
    assertThat(trajectory.goalHash())
        .isEqualTo(FieldHash.hex(FieldHash.sha256("Mend".getBytes(StandardCharsets.UTF_8))));
    assertThat(trajectory.status()).isEqualTo(TrajectoryStatus.ACTIVE);
    assertThat(trajectory.tags()).containsExactly("build", "urgent");
    assertThat(scopeOf(trajectory).sequence()).isZero();
    assertThat(read(trajectory)).isEqualTo(trajectory);
  }

  @Test
  @DisplayName("MEM-01, MEM-03: times are instants of UTC, and a reference has a type and an id")
  void timesAndReferences() {
    Trajectory trajectory = start();
    assertThat(trajectory.createdAt()).isEqualTo(clock.instant());
    assertThat(trajectory.initiator()).isEqualTo(new EntityRef(EntityType.AGENT, "planner"));
    assertThat(trajectory.id().time()).isEqualTo(clock.instant());
  }

  @Test
  @DisplayName("LIF-02, STO-01: children are found by their parent; an unknown parent is refused")
  void parentsAndChildren() {
    Trajectory parent = start();
    Trajectory child = run(StartTrajectory.of("Part", PLANNER).withParent(parent.id()));
    assertThat(children(parent)).containsExactly(child);
    refuses(
        MemoryErrorCode.UNKNOWN_RECORD,
        () -> run(StartTrajectory.of("Part", PLANNER).withParent(unknown())));
  }

  private List<Trajectory> children(Trajectory parent) {
    List<Trajectory> found = new ArrayList<>();
    memory.<Boolean>view(
        SPACE,
        view -> {
          view.forEachChild(parent.id(), found::add);
          return true;
        });
    return found;
  }

  @Test
  @DisplayName("LIF-02, ERR-04: a cycle of parents is refused")
  void aCycleOfParentsIsRefused() {
    Trajectory parent = start();
    Trajectory child = run(StartTrajectory.of("Part", PLANNER).withParent(parent.id()));
    store.commit(
        SPACE,
        transaction -> {
          transaction.put(Trajectory.TABLE, withParent(parent, child.id()));
        });
    refuses(
        MemoryErrorCode.CIRCULAR_REFERENCE,
        () -> run(StartTrajectory.of("Part", PLANNER).withParent(child.id())));
  }

  private static Trajectory withParent(Trajectory old, Id parent) {
    return new Trajectory(
        old.id(),
        old.goal(),
        old.goalHash(),
        old.status(),
        old.initiator(),
        old.tags(),
        Optional.of(parent),
        old.counters(),
        old.summary(),
        old.outcome(),
        old.labels(),
        old.createdAt(),
        old.updatedAt(),
        old.group());
  }

  @Test
  @DisplayName("LIF-04, STM-01, J-16: suspended, resumed, and again, which changes nothing")
  void suspendsAndResumes() {
    Trajectory trajectory = start();
    assertThat(run(SuspendOrResumeTrajectory.suspend(trajectory.id())).status())
        .isEqualTo(TrajectoryStatus.SUSPENDED);
    assertThat(run(SuspendOrResumeTrajectory.suspend(trajectory.id())).status())
        .isEqualTo(TrajectoryStatus.SUSPENDED);
    assertThat(run(SuspendOrResumeTrajectory.resume(trajectory.id())).status())
        .isEqualTo(TrajectoryStatus.ACTIVE);
    assertThat(run(SuspendOrResumeTrajectory.resume(trajectory.id())).status())
        .isEqualTo(TrajectoryStatus.ACTIVE);
    assertThat(
            memory.<List<Trajectory>>view(
                SPACE, view -> view.trajectories(TrajectoryStatus.ACTIVE)))
        .extracting(Trajectory::id)
        .containsExactly(trajectory.id());
    assertThat(traced("trajectory_suspended")).containsExactly(trajectory.id().toString());
    assertThat(traced("trajectory_resumed")).containsExactly(trajectory.id().toString());
  }

  /** Returns the records of the trace events of a type. */
  private List<String> traced(String type) {
    return memory.<List<TraceEvent>>view(SPACE, view -> view.trace(type, 10)).stream()
        .map(event -> event.record().id())
        .toList();
  }

  @Test
  @DisplayName("LIF-03, MEM-10, MEM-11, J-09, J-23: an end closes scopes and totals the turns")
  void endsATrajectory() {
    Trajectory trajectory = start();
    Scope first = scopeOf(trajectory);
    run(new OpenScope(trajectory.id()));
    run(
        AppendTurns.of(
            first.id(),
            NewTurn.user("Why?").withModel("none", 3),
            NewTurn.assistant("Because.").withModel("m", 5)));
    Artifact artifact = make(first, "42");
    pass(Duration.ofSeconds(90));
    Trajectory ended = run(EndTrajectory.complete(trajectory.id(), "It works"));
    TrajectoryOutcome trajectoryOutcome = ended.outcome().orElseThrow();
    assertThat(ended.status()).isEqualTo(TrajectoryStatus.COMPLETED);
    assertThat(trajectoryOutcome.status()).isEqualTo(OutcomeStatus.SUCCESS);
    assertThat(trajectoryOutcome.artifacts()).containsExactly(artifact.id());
    assertThat(trajectoryOutcome.durationMs()).isEqualTo(90_000);
    assertThat(trajectoryOutcome.tokensInput()).isEqualTo(3);
    assertThat(trajectoryOutcome.tokensOutput()).isEqualTo(5);
    assertThat(memory.<List<Scope>>view(SPACE, view -> view.openScopes(trajectory.id()))).isEmpty();
  }

  @Test
  @DisplayName("LIF-03, J-16: partial success completes, failure fails, and both are final")
  void outcomesAndStatus() {
    Trajectory partly = start();
    assertThat(run(new EndTrajectory(partly.id(), OutcomeStatus.PARTIAL, "half")).status())
        .isEqualTo(TrajectoryStatus.COMPLETED);
    Trajectory failed = start();
    run(SuspendOrResumeTrajectory.suspend(failed.id()));
    assertThat(run(EndTrajectory.fail(failed.id(), "no")).status())
        .isEqualTo(TrajectoryStatus.FAILED);
    assertThat(traced("trajectory_completed")).containsExactly(partly.id().toString());
    assertThat(traced("trajectory_failed")).containsExactly(failed.id().toString());
    for (Trajectory ended : List.of(partly, failed)) {
      refuses(
          KernelErrorCode.INVALID_STATE_TRANSITION,
          () -> run(EndTrajectory.complete(ended.id(), "again")));
      refuses(
          KernelErrorCode.INVALID_STATE_TRANSITION,
          () -> run(SuspendOrResumeTrajectory.resume(ended.id())));
    }
  }

  @Test
  @DisplayName(
      "STM-02, STM-08, CON-02: a suspended trajectory cannot be completed against the table")
  void noPathGoesPastTheTable() {
    Trajectory trajectory = start();
    run(SuspendOrResumeTrajectory.suspend(trajectory.id()));
    refuses(
        KernelErrorCode.INVALID_STATE_TRANSITION,
        () -> run(EndTrajectory.complete(trajectory.id(), "done")));
  }

  @Test
  @DisplayName(
      "LIF-05, LIF-06, STO-02, J-10, J-25: scopes count from 0; the current is the highest open")
  void scopesCountFromZero() {
    Trajectory trajectory = start();
    Scope first = scopeOf(trajectory);
    say(first, "one");
    say(first, "two");
    Scope second = run(new OpenScope(trajectory.id()));
    Scope third = run(new OpenScope(trajectory.id()));
    assertThat(List.of(first.sequence(), second.sequence(), third.sequence()))
        .containsExactly(0, 1, 2);
    assertThat(second.startTurn()).isEqualTo(2);
    assertThat(scopeOf(trajectory)).isEqualTo(third);
    run(CloseScope.of(third.id()));
    assertThat(scopeOf(trajectory).id()).isEqualTo(second.id());
    assertThat(run(new OpenScope(trajectory.id())).sequence()).isEqualTo(3);
  }

  @Test
  @DisplayName("LIF-07, STM-03, J-17: closing twice changes nothing; an unknown scope is refused")
  void closingTwiceIsNothing() {
    Scope scope = scopeOf(start());
    Scope closed = run(CloseScope.of(scope.id()));
    long sequence = store.changes().head(SPACE).sequence();
    assertThat(run(CloseScope.of(scope.id()))).isEqualTo(closed);
    assertThat(store.changes().head(SPACE).sequence()).isEqualTo(sequence);
    refuses(MemoryErrorCode.UNKNOWN_RECORD, () -> run(CloseScope.of(unknown())));
  }

  @Test
  @DisplayName(
      "LIF-08, MEM-12, STO-16, J-42: a close leaves summary, artifacts, checkpoint and end at once")
  void closesAScope() {
    Trajectory trajectory = start();
    Scope scope = scopeOf(trajectory);
    Turn decision = say(scope, "We decided to use SQLite for the store.");
    say(scope, "Error: the disk is full");
    long before = store.changes().head(SPACE).sequence();
    Scope closed = run(CloseScope.of(scope.id()));
    assertThat(store.changes().head(SPACE).sequence()).isEqualTo(before + 1);
    Summary summary = closed.summary().orElseThrow();
    assertThat(summary.method()).isEqualTo("extractive");
    assertThat(summary.sources()).contains(decision.id());
    assertThat(closed.closedAt()).contains(clock.instant());
    assertThat(closed.endTurn()).contains(2);
    List<Artifact> found = memory.view(SPACE, view -> view.artifactsOfScope(scope.id()));
    assertThat(found)
        .extracting(Artifact::type)
        .containsExactlyInAnyOrder(ArtifactType.DESIGN_DECISION, ArtifactType.ERROR_LOG);
    assertThat(closed.artifacts())
        .containsExactlyInAnyOrderElementsOf(found.stream().map(Artifact::id).toList());
    Checkpoint checkpoint =
        memory.view(SPACE, view -> view.checkpoints(trajectory.id())).getFirst();
    assertThat(closed.checkpoint()).contains(checkpoint.id());
    assertThat(checkpoint.recoverable()).isTrue();
    assertThat(checkpoint.sequence()).isEqualTo(before + 1);
  }

  @Test
  @DisplayName("LIF-17: listeners get a notice after the commit, with channel and id")
  void listenersAreTold() {
    FeedCursor head = store.changes().head(SPACE);
    Trajectory trajectory = start();
    make(scopeOf(trajectory), "42");
    run(SuspendOrResumeTrajectory.suspend(trajectory.id()));
    run(SuspendOrResumeTrajectory.resume(trajectory.id()));
    run(CloseScope.of(scopeOf(trajectory).id()));
    run(EndTrajectory.complete(trajectory.id(), ""));
    run(EndTrajectory.fail(start().id(), ""));
    List<Commit> commits = store.changes().read(SPACE, head, 20);
    List<Notice> notices =
        commits.stream()
            .flatMap(commit -> commit.changes().stream())
            .filter(recordChange -> recordChange.table().equals(Notice.TABLE.name()))
            .map(
                recordChange ->
                    store.read(SPACE, snapshot -> snapshot.get(Notice.TABLE, recordChange.key())))
            .toList();
    assertThat(notices)
        .extracting(Notice::channel)
        .containsExactly(
            "caliber_trajectory_started",
            "caliber_scope_opened",
            "caliber_artifact_created",
            "caliber_trajectory_suspended",
            "caliber_trajectory_resumed",
            "caliber_scope_closed",
            "caliber_trajectory_completed",
            "caliber_trajectory_started",
            "caliber_scope_opened",
            "caliber_scope_closed",
            "caliber_trajectory_failed");
    assertThat(notices.getFirst().about()).isEqualTo(trajectory.id());
  }

  @Test
  @DisplayName("STO-08, STO-31: every write leaves its trace in its own commit, without content")
  void everyWriteIsTraced() {
    Trajectory trajectory = start();
    say(scopeOf(trajectory), "a secret");
    List<TraceEvent> trace = memory.view(SPACE, view -> view.trace(trajectory.id(), 10));
    assertThat(trace)
        .extracting(TraceEvent::type)
        .containsExactly("turn_appended", "scope_opened", "trajectory_started");
    assertThat(trace.toString()).doesNotContain("secret");
    assertThat(memory.<List<TraceEvent>>view(SPACE, view -> view.trace("turn_appended", 10)))
        .hasSize(1);
  }

  @Test
  @DisplayName("ARC-07: a command can be part of a larger commit")
  void aCommandInALargerCommit() {
    Trajectory trajectory =
        store.write(
            SPACE,
            transaction -> {
              Trajectory started = memory.run(transaction, StartTrajectory.of("Two", PLANNER));
              memory.run(transaction, WriteNote.of("two", "goal", NoteType.META, "Started."));
              return started;
            });
    assertThat(store.<Long>read(SPACE, snapshot -> snapshot.count(Query.over(Note.TABLE))))
        .isEqualTo(1);
    assertThat(read(trajectory)).isEqualTo(trajectory);
    assertThat(store.changes().head(SPACE).sequence()).isEqualTo(1);
  }

  @Test
  @DisplayName("MEM-25, J-15, J-19: only the newest checkpoints are kept, always with the new one")
  void checkpointsAreBounded() {
    Trajectory trajectory = start();
    int keep = RuntimeConfig.starter().pcp().checkpoints().maxCheckpoints();
    Checkpoint last = null;
    for (int i = 0; i < keep + 3; i++) {
      last = run(SaveCheckpoint.of(trajectory.id()));
    }
    List<Checkpoint> kept = memory.view(SPACE, view -> view.checkpoints(trajectory.id()));
    assertThat(kept).hasSize(keep);
    assertThat(kept.getFirst()).isEqualTo(last);
    assertThat(kept.getFirst().scope()).isEmpty();
    assertThat(kept.getFirst().activeScope()).contains(0);
  }

  @Test
  @DisplayName("STO-23: no state is kept beside the store: a status is read as it was written")
  void noStatusIsStale() {
    Trajectory trajectory = start();
    Memory other = Memory.of(store, MemoryConfig.starter(), parts());
    for (int i = 0; i < 3; i++) {
      run(SuspendOrResumeTrajectory.suspend(trajectory.id()));
      assertThat(other.<Trajectory>view(SPACE, view -> view.trajectory(trajectory.id())).status())
          .isEqualTo(TrajectoryStatus.SUSPENDED);
      other.run(SPACE, SuspendOrResumeTrajectory.resume(trajectory.id()));
      assertThat(read(trajectory).status()).isEqualTo(TrajectoryStatus.ACTIVE);
    }
  }

  @Test
  @DisplayName(
      "STO-24, STO-34: a trajectory is read back completely, and by status, initiator and parent")
  void trajectoriesComeBackWhole() {
    Trajectory parent = start();
    Trajectory child =
        run(
            StartTrajectory.of("Part", EntityRef.of(EntityType.SUBJECT, "alice"))
                .withParent(parent.id())
                .withTags("urgent")
                .withLabels(
                    Labels.ofSubject("alice").withExternalId("t-1").withMetadata("lang", "en")));
    run(SuspendOrResumeTrajectory.suspend(parent.id()));
    Trajectory ended = run(EndTrajectory.fail(child.id(), "no"));
    assertThat(read(child)).isEqualTo(ended);
    assertThat(ended.outcome().orElseThrow().summary()).isEqualTo("no");
    assertThat(
            memory.<List<Trajectory>>view(
                SPACE, view -> view.trajectories(TrajectoryStatus.FAILED)))
        .containsExactly(ended);
    List<Trajectory> hers =
        store
            .read(
                SPACE,
                snapshot ->
                    snapshot.scan(
                        Query.over(Trajectory.TABLE, "initiator_type", "initiator_id")
                            .equal("SUBJECT", "alice"),
                        10))
            .records();
    assertThat(hers).containsExactly(ended);
    assertThat(children(parent)).containsExactly(ended);
  }

  @Test
  @DisplayName(
      "STO-25: a position in a trajectory is unique, and records are removed with their trajectory")
  void placesAreUniqueAndGoWithTheTrajectory() {
    Trajectory trajectory = start();
    Scope scope = scopeOf(trajectory);
    say(scope, "hello");
    make(scope, "fact");
    run(SaveCheckpoint.of(trajectory.id()));
    refuses(
        StoreErrorCode.INDEX_ERROR,
        () ->
            store.commit(
                SPACE,
                transaction -> {
                  Scope twin = Scope.opened(transaction.newId(), trajectory, 0, transaction.now());
                  transaction.insert(Scope.TABLE, twin);
                }));
    memory.forget(SPACE, ForgetRecords.of(trajectory.id()));
    for (Table<?> table :
        List.of(Scope.TABLE, Turn.TABLE, Artifact.TABLE, Checkpoint.TABLE, Trajectory.TABLE)) {
      assertThat(store.<Long>read(SPACE, snapshot -> snapshot.count(Query.over(table))))
          .as(table.name())
          .isZero();
    }
  }

  @Test
  @DisplayName("STO-02: scopes are counted by their trajectory, open or closed")
  void scopesAreCounted() {
    Trajectory trajectory = start();
    run(new OpenScope(trajectory.id()));
    run(CloseScope.of(scopeOf(trajectory).id()));
    start();
    assertThat(memory.<Long>view(SPACE, view -> view.countScopes(trajectory.id()))).isEqualTo(2);
    assertThat(memory.<Long>view(SPACE, view -> view.countScopes(unknown()))).isZero();
  }

  @Test
  @DisplayName("STO-02: scopes that have been open for long are found")
  void oldOpenScopesAreFound() {
    Scope old = scopeOf(start());
    pass(Duration.ofHours(1));
    start();
    Query<Scope> open = Query.over(Scope.TABLE, "open_since").until(clock.instant());
    assertThat(store.read(SPACE, snapshot -> snapshot.scan(open, 10)).records())
        .containsExactly(old);
  }

  private static final int MANY = 12;
  private static final int LONGEST = 10;
  private static final int BATCH = 5;

  /** Memory with small limits of lists and commits. */
  private Memory tight() {
    return Memory.of(
        store,
        MemoryConfig.starter()
            .with("memory.limits.list = " + LONGEST, "memory.retention.batch = " + BATCH),
        parts());
  }

  private void fill(Scope scope, Ttl ttl, String words) {
    for (int i = 0; i < MANY; i++) {
      run(
          CreateArtifacts.of(
              NewArtifact.of(scope.id(), ArtifactType.FACT, Bytes.of(words + i)).withTtl(ttl)));
    }
  }

  private List<Artifact> living(Trajectory trajectory) {
    return memory.<List<Artifact>>view(SPACE, view -> view.artifacts(trajectory.id())).stream()
        .filter(made -> made.isLive(clock.instant()))
        .toList();
  }

  @Test
  @DisplayName(
      "LIF-03: a trajectory with more artifacts and notes than a list holds ends, and counts the rest")
  void aTaskWithTooMuchForAListEnds() {
    Trajectory trajectory = start();
    Scope scope = scopeOf(trajectory);
    fill(scope, Ttl.persistent(), "kept ");
    fill(scope, new Ttl.TrajectoryTtl(), "session ");
    fill(scope, new Ttl.ScopeTtl(), "scope ");
    for (int i = 0; i < MANY; i++) {
      run(
          WriteNote.of("thing " + i, "thing", NoteType.FACT, "It is number " + i)
              .withSource(trajectory.id()));
    }
    TrajectoryOutcome trajectoryOutcome =
        tight().run(SPACE, EndTrajectory.complete(trajectory.id(), "")).outcome().orElseThrow();
    List<Artifact> kept = living(trajectory);
    assertThat(kept).hasSize(MANY).allMatch(made -> made.ttl().equals(Ttl.persistent()));
    assertThat(trajectoryOutcome.artifacts())
        .isEqualTo(kept.stream().skip(MANY - LONGEST).map(Artifact::id).toList());
    assertThat(trajectoryOutcome.unnamedArtifacts()).contains((long) MANY - LONGEST);
    assertThat(trajectoryOutcome.notes()).hasSize(LONGEST);
    assertThat(trajectoryOutcome.unnamedNotes()).contains((long) MANY - LONGEST);
    assertThat(read(trajectory).outcome()).contains(trajectoryOutcome);
  }

  @Test
  @DisplayName(
      "LIF-14: artifacts of a trajectory become notes, also if there are more than a list holds")
  void aTaskWithTooMuchForAListIsConsolidated() {
    Trajectory trajectory = start();
    fill(scopeOf(trajectory), Ttl.persistent(), "kept ");
    assertThat(tight().run(SPACE, new ConsolidateTrajectory(trajectory.id()))).hasSize(MANY);
  }

  @Test
  void anOutcomeThatNamesEverythingCountsNothing() {
    Trajectory trajectory = start();
    make(scopeOf(trajectory), "42");
    TrajectoryOutcome trajectoryOutcome =
        run(EndTrajectory.complete(trajectory.id(), "")).outcome().orElseThrow();
    assertThat(trajectoryOutcome.unnamedArtifacts()).isEmpty();
    assertThat(trajectoryOutcome.unnamedNotes()).isEmpty();
  }

  @Test
  @DisplayName("MEM-13: artifacts beyond the batch of a larger commit expire by a job")
  void theRestEndsByAJob() {
    Trajectory trajectory = start();
    Scope scope = scopeOf(trajectory);
    fill(scope, new Ttl.ScopeTtl(), "scope ");
    Memory tight = tight();
    Jobs jobs = Jobs.of(store, config().jobs(), clock);
    tight.registerJobHandlers(jobs);
    store.write(SPACE, transaction -> tight.run(transaction, CloseScope.of(scope.id())));
    assertThat(living(trajectory)).hasSize(MANY - BATCH);
    jobs.runDue(SPACE);
    assertThat(living(trajectory)).isEmpty();
  }

  @Test
  @DisplayName("artifacts bound to a scope expire at its close, whenever the batch runs")
  void aReturnToTheEndBringsNothingBack() {
    Trajectory trajectory = start();
    Scope scope = scopeOf(trajectory);
    fill(scope, new Ttl.ScopeTtl(), "scope ");
    Memory tight = tight();
    Jobs jobs = Jobs.of(store, config().jobs(), clock);
    tight.registerJobHandlers(jobs);
    store.write(SPACE, transaction -> tight.run(transaction, CloseScope.of(scope.id())));
    Checkpoint end = memory.view(SPACE, view -> view.checkpoints(trajectory.id())).getFirst();
    pass(Duration.ofSeconds(1));
    jobs.runDue(SPACE);
    assertThat(living(trajectory)).isEmpty();
    run(RollBackTrajectory.toCheckpoint(end));
    assertThat(living(trajectory)).isEmpty();
  }

  @Test
  @DisplayName(
      "artifacts that have not expired yet stay live if the trajectory returns to before the end")
  void aReturnKeepsWhatHasNotEndedYet() {
    Trajectory trajectory = start();
    Scope scope = scopeOf(trajectory);
    fill(scope, new Ttl.ScopeTtl(), "scope ");
    Checkpoint before = run(SaveCheckpoint.of(trajectory.id()));
    pass(Duration.ofSeconds(1));
    Memory tight = tight();
    Jobs jobs = Jobs.of(store, config().jobs(), clock);
    tight.registerJobHandlers(jobs);
    store.write(SPACE, transaction -> tight.run(transaction, CloseScope.of(scope.id())));
    run(RollBackTrajectory.toCheckpoint(before));
    assertThat(living(trajectory)).hasSize(MANY);
    jobs.runDue(SPACE);
    assertThat(living(trajectory)).hasSize(MANY);
  }
}
