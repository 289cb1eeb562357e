package dev.caliber.memory.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.kernel.config.Cron;
import dev.caliber.kernel.config.InjectionMode;
import dev.caliber.kernel.config.MemoryDefinition;
import dev.caliber.kernel.config.MemoryType;
import dev.caliber.kernel.config.PolicyAction;
import dev.caliber.kernel.config.PolicyDefinition;
import dev.caliber.kernel.config.PolicyRule;
import dev.caliber.kernel.config.PruneCriteria;
import dev.caliber.kernel.config.Retention;
import dev.caliber.kernel.config.Trigger;
import dev.caliber.memory.Definitions;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.EndTrajectory;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.OpenScope;
import dev.caliber.memory.command.RunPolicy;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.event.Notice;
import dev.caliber.memory.event.TraceEvent;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.ExtractionMethod;
import dev.caliber.memory.record.MemoryErrorCode;
import dev.caliber.memory.record.MemoryInjection;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.PolicyRun;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.view.PolicyFixture;
import dev.caliber.store.job.Jobs;
import dev.caliber.testkit.EachEngine;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Triggers and actions of policies, on every engine. */
@EachEngine
class PolicyContract extends PolicyFixture {
  private static final String SCHEDULE = "schedule";
  private static final String MANUAL = "manual";

  @Test
  @DisplayName("POL-01, POL-07: policies, rules and actions run in order")
  void inOrder() {
    Trigger start = on(Trigger.TrajectoryTriggerEvent.TASK_START);
    deploy(
        new Retention.PersistentRetention(),
        new PolicyDefinition(
            "first",
            List.of(
                new PolicyRule(start, List.of(notify("my1"), notify("my2"))),
                new PolicyRule(
                    on(Trigger.TrajectoryTriggerEvent.TASK_END), List.of(notify("my-no"))),
                new PolicyRule(start, List.of(notify("my3"))))),
        policy("second", start, notify("my4"), notify("my1")));
    Trajectory trajectory = start();
    assertThat(heard())
        .containsExactly("caliber_my1", "caliber_my2", "caliber_my3", "caliber_my4", "caliber_my1");
    assertThat(all(Notice.TABLE).getLast().about()).isEqualTo(trajectory.id());
  }

  @Test
  @DisplayName("POL-02, LIF-09, J-24: start, turn, close and end each trigger their policies, once")
  void everyTriggerFires() {
    deploy(
        new Retention.PersistentRetention(),
        policy("a", on(Trigger.TrajectoryTriggerEvent.TASK_START), notify("my-start")),
        policy("b", on(Trigger.TrajectoryTriggerEvent.TURN), notify("my-turn")),
        policy("c", on(Trigger.TrajectoryTriggerEvent.SCOPE_CLOSE), notify("my-close")),
        policy("d", on(Trigger.TrajectoryTriggerEvent.TASK_END), notify("my-end")));
    Trajectory trajectory = start();
    say(scopeOf(trajectory), "one");
    say(scopeOf(trajectory), "two");
    run(CloseScope.of(scopeOf(trajectory).id()));
    run(EndTrajectory.complete(trajectory.id(), ""));
    assertThat(heard())
        .containsExactly(
            "caliber_my-start",
            "caliber_my-turn",
            "caliber_my-turn",
            "caliber_my-close",
            "caliber_my-end");
    assertThat(all(Jobs.TABLE)).isEmpty();
    assertThat(all(PolicyRun.TABLE)).allMatch(PolicyRun::isDone).hasSize(5);
    assertThat(memory.<List<TraceEvent>>view(SPACE, view -> view.trace("policy_executed", 10)))
        .allMatch(executed -> executed.trajectory().equals(Optional.of(trajectory.id())))
        .extracting(executed -> executed.detail().orElseThrow())
        .containsExactlyInAnyOrder("task_start", "turn", "turn", "scope_close", "task_end");
  }

  @Test
  @DisplayName(
      "POL-02: a schedule runs by the clock in UTC, once for each matching minute, and continues")
  void schedulesFire() {
    deploy(new Trigger.ScheduleTrigger(Cron.parse("30 4 * * *")), notify("my-night"));
    Jobs jobs = jobs();
    memory.scheduleJobs(SPACE);
    memory.scheduleJobs(SPACE);
    assertThat(jobs.runDue(SPACE)).isZero();
    clock.advance(Duration.ofHours(4).plusMinutes(30));
    jobs.runDue(SPACE);
    jobs.runDue(SPACE);
    assertThat(heard()).containsExactly("caliber_my-night");
    clock.advance(Duration.ofDays(1));
    jobs.runDue(SPACE);
    jobs.runDue(SPACE);
    assertThat(heard()).hasSize(2);
    deployed = Optional.empty();
    clock.advance(Duration.ofDays(2));
    jobs.runDue(SPACE);
    jobs.runDue(SPACE);
    assertThat(heard()).hasSize(2);
  }

  @Test
  @DisplayName("POL-02, POL-05: a schedule for trajectories runs for every active one, once")
  void schedulesReachEveryTrajectory() {
    deploy(
        new Trigger.ScheduleTrigger(Cron.parse("30 4 * * *")),
        new PolicyAction.CheckpointAction(SCOPES),
        notify("my-night"));
    List<Id> active = Stream.generate(this::start).limit(5).map(Trajectory::id).toList();
    run(EndTrajectory.complete(start().id(), "Done"));
    Jobs jobs = jobs();
    memory.scheduleJobs(SPACE);
    pass(Duration.ofHours(4).plusMinutes(30));
    for (int round = 0; round < 3; round++) {
      jobs.runDue(SPACE);
    }
    assertThat(all(Checkpoint.TABLE))
        .filteredOn(made -> made.scope().isEmpty())
        .extracting(Checkpoint::trajectory)
        .containsExactlyInAnyOrderElementsOf(active);
    assertThat(heard()).hasSize(1);
  }

  @Test
  @DisplayName("POL-02: a policy is run by hand, once for each key")
  void byHand() {
    deploy(on(Trigger.TrajectoryTriggerEvent.TASK_END), notify("my-hand"));
    Trajectory trajectory = start();
    run(RunPolicy.forTrajectory(trajectory.id(), "tidy", "k1"));
    run(RunPolicy.forTrajectory(trajectory.id(), "tidy", "k1"));
    assertThat(heard()).hasSize(1);
    run(RunPolicy.forTrajectory(trajectory.id(), "tidy", "k2"));
    assertThat(heard()).hasSize(2);
    run(RunPolicy.forTrajectory(start().id(), "tidy", "k2"));
    assertThat(heard()).as("another task has its own").hasSize(3);
    refuses(
        MemoryErrorCode.UNKNOWN_RECORD,
        () -> run(RunPolicy.forTrajectory(trajectory.id(), "unheard-of", "k")));
  }

  @Test
  @DisplayName(
      "POL-03: turns are summarised for the scope, scopes for the trajectory, with the turns as sources")
  void summaries() {
    deploy(
        new Retention.PersistentRetention(),
        policy(
            "a", on(Trigger.TrajectoryTriggerEvent.TURN), new PolicyAction.SummarizeAction(TURNS)),
        policy(
            "b",
            on(Trigger.TrajectoryTriggerEvent.TASK_END),
            new PolicyAction.SummarizeAction(SCOPES)));
    Trajectory trajectory = start();
    Turn turn = say(scopeOf(trajectory), "The parser fails on tabs.");
    assertThat(scopeOf(trajectory).summary().orElseThrow().text())
        .isEqualTo("The parser fails on tabs.");
    run(EndTrajectory.complete(trajectory.id(), ""));
    assertThat(read(trajectory).summary().orElseThrow().sources()).containsExactly(turn.id());
  }

  @Test
  @DisplayName("POL-04: extraction from turns makes artifacts, each once")
  void extraction() {
    deploy(on(Trigger.TrajectoryTriggerEvent.TURN), new PolicyAction.ExtractArtifactsAction(TURNS));
    Trajectory trajectory = start();
    say(scopeOf(trajectory), "We decided to use SQLite.");
    say(scopeOf(trajectory), "Fine.");
    assertThat(memory.<List<Artifact>>view(SPACE, view -> view.artifacts(trajectory.id())))
        .singleElement()
        .satisfies(
            found -> {
              assertThat(found.type()).isEqualTo(ArtifactType.DESIGN_DECISION);
              assertThat(found.provenance().method()).isEqualTo(ExtractionMethod.INFERRED);
              assertThat(found.provenance().confidence()).isPresent();
            });
  }

  /** Action at a trigger, named by the trigger. */
  record Combination(String trigger, PolicyAction action) {

    /** Returns whether the trigger finds records to work on; a new trajectory has none. */
    boolean hasSomethingToDo() {
      return !trigger.equals(word(Trigger.TrajectoryTriggerEvent.TASK_START))
          || action instanceof PolicyAction.CheckpointAction
          || action instanceof PolicyAction.InjectAction
          || action instanceof PolicyAction.NotifyAction;
    }
  }

  static Stream<Combination> combinations() {
    List<PolicyAction> actions =
        List.of(
            new PolicyAction.SummarizeAction(TURNS),
            new PolicyAction.ExtractArtifactsAction(TURNS),
            new PolicyAction.CheckpointAction(SCOPES),
            new PolicyAction.PruneAction(TURNS, new PruneCriteria.AgeCriteria(Duration.ZERO)),
            notify("my-word"),
            new PolicyAction.InjectAction(NOTES, new InjectionMode.FullInjection()));
    return Stream.concat(
            Stream.of(Trigger.TrajectoryTriggerEvent.values()).map(PolicyContract::word),
            Stream.of(SCHEDULE, MANUAL))
        .flatMap(trigger -> actions.stream().map(action -> new Combination(trigger, action)));
  }

  private static String word(Trigger.TrajectoryTriggerEvent trajectoryTriggerEvent) {
    return trajectoryTriggerEvent.name().toLowerCase(Locale.ROOT);
  }

  @ParameterizedTest
  @MethodSource("combinations")
  @DisplayName("POL-02, POL-03, POL-04, POL-05, POL-06, POL-07, POL-08: each acts at each trigger")
  void everyActionActsAtEveryTrigger(Combination combination) {
    Trajectory before = start();
    say(scopeOf(before), "We decided to use SQLite.");
    Trajectory at = trigger(combination, before);
    assertThat(all(PolicyRun.TABLE))
        .filteredOn(run -> run.trigger().equals(combination.trigger()))
        .isNotEmpty()
        .allMatch(PolicyRun::isDone);
    assertThat(hasActed(combination.action(), at)).isEqualTo(combination.hasSomethingToDo());
  }

  /** Deploys the action and triggers it; returns the trajectory that it acts on. */
  private Trajectory trigger(Combination combination, Trajectory trajectory) {
    Id scope = scopeOf(trajectory).id();
    Stream.of(Trigger.TrajectoryTriggerEvent.values())
        .filter(
            trajectoryTriggerEvent -> word(trajectoryTriggerEvent).equals(combination.trigger()))
        .findFirst()
        .ifPresentOrElse(
            trajectoryTriggerEvent -> deploy(on(trajectoryTriggerEvent), combination.action()),
            () -> deploy(NIGHTLY, combination.action()));
    switch (combination.trigger()) {
      case "task_start" -> {
        return start();
      }
      case "task_end" -> run(EndTrajectory.complete(trajectory.id(), ""));
      case "scope_close" -> run(CloseScope.of(scope));
      case "turn" -> run(AppendTurns.of(scope, NewTurn.user("Fine.")));
      case SCHEDULE -> passTheNight();
      default -> run(RunPolicy.forTrajectory(trajectory.id(), "tidy", "k"));
    }
    return trajectory;
  }

  private boolean hasActed(PolicyAction action, Trajectory trajectory) {
    return switch (action) {
      case PolicyAction.SummarizeAction _ ->
          all(Scope.TABLE).stream()
              .filter(scope -> scope.trajectory().equals(trajectory.id()))
              .allMatch(scope -> scope.summary().isPresent());
      case PolicyAction.ExtractArtifactsAction _ ->
          memory.view(SPACE, view -> view.countArtifacts(trajectory.id())) > 0;
      case PolicyAction.CheckpointAction _ ->
          !memory.view(SPACE, view -> view.checkpoints(trajectory.id())).isEmpty();
      case PolicyAction.PruneAction _ ->
          memory.summarizedTurns(SPACE, trajectory.id()).stream().anyMatch(turn -> !turn.isLive());
      case PolicyAction.NotifyAction _ -> heard().contains("caliber_my-word");
      case PolicyAction.InjectAction _ ->
          all(MemoryInjection.TABLE).stream()
              .anyMatch(made -> made.trajectory().equals(trajectory.id()));
      case PolicyAction.ConsolidateAction _ -> !all(Note.TABLE).isEmpty();
    };
  }

  @Test
  @DisplayName("POL-02, POL-06: a scheduled prune of scopes archives turns of closed ones only")
  void pruneOfScopesOnASchedule() {
    deploy(
        NIGHTLY,
        new PolicyAction.PruneAction(SCOPES, new PruneCriteria.AgeCriteria(Duration.ZERO)));
    Trajectory one = start();
    Scope closed = scopeOf(one);
    List.of("a", "b", "c").forEach(word -> say(closed, word));
    Scope open = run(new OpenScope(one.id()));
    say(open, "stays");
    run(CloseScope.of(closed.id()));
    Trajectory ended = start();
    say(scopeOf(ended), "goes");
    run(EndTrajectory.complete(ended.id(), ""));
    passTheNight();
    assertThat(memory.summarizedTurns(SPACE, closed.id())).hasSize(3).noneMatch(Turn::isLive);
    assertThat(memory.summarizedTurns(SPACE, ended.id())).hasSize(1).noneMatch(Turn::isLive);
    assertThat(memory.summarizedTurns(SPACE, open.id())).hasSize(1).allMatch(Turn::isLive);
  }

  @Test
  @DisplayName(
      "POL-02, POL-09: a policy run by hand that needs a trajectory is refused without one")
  void byHandWithoutATrajectory() {
    Trajectory trajectory = start();
    Scope scope = scopeOf(trajectory);
    say(scope, "We decided to use SQLite.");
    Trajectory other = start();
    combinations()
        .map(Combination::action)
        .distinct()
        .filter(action -> !PolicyRunStarter.canTargetSpace(action))
        .forEach(
            action -> {
              deploy(NIGHTLY, notify("my-word"), action);
              refuses(
                  MemoryErrorCode.TRAJECTORY_REQUIRED, () -> run(RunPolicy.forSpace("tidy", "k")));
            });
    refuses(
        MemoryErrorCode.CONSTRAINT_VIOLATION,
        () -> run(new RunPolicy("tidy", Optional.of(other.id()), Optional.of(scope.id()), "k")));
    run(new RunPolicy("tidy", Optional.empty(), Optional.of(scope.id()), "of its scope"));
    assertThat(all(PolicyRun.TABLE))
        .singleElement()
        .matches(PolicyRun::isDone)
        .matches(run -> run.trajectory().equals(Optional.of(trajectory.id())));
    deploy(
        NIGHTLY, new PolicyAction.PruneAction(TURNS, new PruneCriteria.AgeCriteria(Duration.ZERO)));
    run(RunPolicy.forSpace("tidy", "all of it"));
    assertThat(memory.summarizedTurns(SPACE, scope.id())).noneMatch(Turn::isLive);
  }

  @Test
  @DisplayName("POL-03, POL-04: a run for a trajectory handles one scope in each commit")
  void scopeByScope() {
    deploy(
        on(Trigger.TrajectoryTriggerEvent.TASK_END),
        new PolicyAction.SummarizeAction(TURNS),
        new PolicyAction.ExtractArtifactsAction(TURNS));
    Trajectory trajectory = start();
    run(new OpenScope(trajectory.id()));
    run(new OpenScope(trajectory.id()));
    List<Scope> open = memory.view(SPACE, view -> view.openScopes(trajectory.id()));
    open.forEach(scope -> say(scope, "We decided on way %d.".formatted(scope.sequence())));
    long before = store.changes().head(SPACE).sequence();
    run(RunPolicy.forTrajectory(trajectory.id(), "tidy", "k1"));
    assertThat(store.changes().head(SPACE).sequence() - before).isGreaterThanOrEqualTo(6);
    assertThat(memory.<List<Scope>>view(SPACE, view -> view.openScopes(trajectory.id())))
        .hasSize(3)
        .allSatisfy(
            scope ->
                assertThat(scope.summary().orElseThrow().text())
                    .isEqualTo("We decided on way %d.".formatted(scope.sequence())));
    assertThat(memory.<List<Artifact>>view(SPACE, view -> view.artifacts(trajectory.id())))
        .hasSize(3);
  }

  @Test
  @DisplayName("POL-05: a checkpoint is saved for the scope of the run, or for the trajectory")
  void checkpoints() {
    deploy(
        new Retention.PersistentRetention(),
        policy(
            "a",
            on(Trigger.TrajectoryTriggerEvent.TASK_START),
            new PolicyAction.CheckpointAction(SCOPES)),
        policy(
            "b",
            on(Trigger.TrajectoryTriggerEvent.TURN),
            new PolicyAction.CheckpointAction(SCOPES)));
    Trajectory trajectory = start();
    say(scopeOf(trajectory), "x");
    List<Checkpoint> made = memory.view(SPACE, view -> view.checkpoints(trajectory.id()));
    assertThat(made)
        .extracting(Checkpoint::scope)
        .containsExactlyInAnyOrder(Optional.empty(), Optional.of(scopeOf(trajectory).id()));
  }

  @Test
  @DisplayName(
      "POL-06: a prune at the close archives turns of that scope only, and they stay readable")
  void pruneOfTheClosingScope() {
    deploy(
        on(Trigger.TrajectoryTriggerEvent.SCOPE_CLOSE),
        new PolicyAction.PruneAction(TURNS, new PruneCriteria.AgeCriteria(Duration.ZERO)));
    Trajectory trajectory = start();
    Scope first = scopeOf(trajectory);
    Scope second = run(new OpenScope(trajectory.id()));
    say(first, "goes");
    say(second, "stays");
    run(CloseScope.of(first.id()));
    assertThat(memory.summarizedTurns(SPACE, first.id()))
        .singleElement()
        .satisfies(turn -> assertThat(turn.isLive()).isFalse());
    assertThat(memory.summarizedTurns(SPACE, second.id())).allMatch(Turn::isLive);
  }

  @Test
  @DisplayName("POL-06: a prune by age or by confidence removes matching records only")
  void pruneByAgeAndConfidence() {
    deploy(
        new Retention.PersistentRetention(),
        policy(
            "old",
            on(Trigger.TrajectoryTriggerEvent.TASK_END),
            new PolicyAction.PruneAction(
                ARTIFACTS, new PruneCriteria.AgeCriteria(Duration.ofHours(1)))),
        policy(
            "unsure",
            on(Trigger.TrajectoryTriggerEvent.TASK_END),
            new PolicyAction.PruneAction(NOTES, new PruneCriteria.ConfidenceCriteria(0.5))));
    Trajectory trajectory = start();
    Scope scope = scopeOf(trajectory);
    Artifact old = make(scope, "old");
    pass(Duration.ofHours(2));
    Artifact young = make(scope, "young");
    WriteNote about =
        WriteNote.of("x", "y", NoteType.FACT, "Zebras sleep.").withSource(trajectory.id());
    Note unsure = run(about.withConfidence(0.4));
    Note sure =
        run(
            WriteNote.of("x", "y", NoteType.FACT, "Lions roar.")
                .withSource(trajectory.id())
                .withConfidence(0.5));
    run(EndTrajectory.complete(trajectory.id(), ""));
    assertThat(all(Artifact.TABLE))
        .extracting(Artifact::id)
        .containsExactly(young.id())
        .doesNotContain(old.id());
    assertThat(all(Note.TABLE))
        .extracting(Note::id)
        .containsExactly(sure.id())
        .doesNotContain(unsure.id());
  }

  @Test
  @DisplayName("POL-08, J-24: a memory is injected when its own definition says so")
  void injectOn() {
    MemoryDefinition told =
        Definitions.of(NOTES, MemoryType.SEMANTIC, new Retention.PersistentRetention());
    MemoryDefinition offered =
        new MemoryDefinition(
            told.name(),
            told.type(),
            told.schema(),
            told.retention(),
            told.lifecycle(),
            told.indexes(),
            told.artifacts(),
            told.parent(),
            List.of(
                on(Trigger.TrajectoryTriggerEvent.TASK_START),
                new Trigger.ScheduleTrigger(Cron.parse("30 4 * * *"))));
    PolicyDefinition namesake =
        new PolicyDefinition(
            "inject_on",
            List.of(
                new PolicyRule(
                    on(Trigger.TrajectoryTriggerEvent.TASK_END), List.of(notify("my-end"))),
                new PolicyRule(NIGHTLY, List.of(notify("my-night")))));
    deployed =
        Optional.of(
            new CompiledConfig("1.0", List.of(offered), List.of(namesake), List.of(), List.of()));
    Trajectory trajectory = start();
    assertThat(all(MemoryInjection.TABLE))
        .extracting(MemoryInjection::trajectory, MemoryInjection::memory)
        .containsExactly(tuple(trajectory.id(), NOTES));
    List<MemoryInjection> first = all(MemoryInjection.TABLE);
    int runs = all(PolicyRun.TABLE).size();
    Jobs jobs = jobs();
    memory.scheduleJobs(SPACE);
    pass(Duration.ofHours(4).plusMinutes(30));
    jobs.runDue(SPACE);
    jobs.runDue(SPACE);
    assertThat(all(PolicyRun.TABLE)).hasSizeGreaterThan(runs);
    assertThat(all(MemoryInjection.TABLE))
        .as("it keeps the time of its first injection")
        .isEqualTo(first);
    assertThat(heard()).as("a policy of that name is another").containsExactly("caliber_my-night");
  }

  @Test
  @DisplayName("POL-08: an injection is marked for the trajectory")
  void injection() {
    deploy(
        on(Trigger.TrajectoryTriggerEvent.TASK_START),
        new PolicyAction.InjectAction(NOTES, new InjectionMode.TopKInjection(3)));
    Trajectory trajectory = start();
    assertThat(all(MemoryInjection.TABLE))
        .singleElement()
        .satisfies(
            made -> {
              assertThat(made.trajectory()).isEqualTo(trajectory.id());
              assertThat(made.memory()).isEqualTo(NOTES);
              assertThat(made.mode()).isEqualTo(new InjectionMode.TopKInjection(3));
            });
  }

  @Test
  @DisplayName(
      "POL-09, J-26: a step that fails writes nothing, is traced, and is retried by its job")
  void failuresAreTracedAndTriedAgain() {
    deploy(
        on(Trigger.TrajectoryTriggerEvent.SCOPE_CLOSE),
        new PolicyAction.SummarizeAction(TURNS),
        notify("my-after"));
    Trajectory trajectory = start();
    Scope scope = scopeOf(trajectory);
    store.write(
        SPACE,
        transaction -> {
          memory.run(transaction, CloseScope.of(scope.id()));
          return transaction.delete(Scope.TABLE, scope.id());
        });
    Jobs jobs = jobs();
    jobs.runDue(SPACE);
    assertThat(heard()).isEmpty();
    assertThat(memory.<List<TraceEvent>>view(SPACE, view -> view.trace("policy_failed", 10)))
        .singleElement()
        .satisfies(
            trace -> assertThat(trace.detail()).contains(MemoryErrorCode.UNKNOWN_RECORD.text()));
    store.commit(
        SPACE,
        transaction -> {
          transaction.put(Scope.TABLE, scope);
        });
    pass(Duration.ofMinutes(1));
    jobs.runDue(SPACE);
    assertThat(heard()).containsExactly("caliber_my-after");
    assertThat(all(PolicyRun.TABLE)).allMatch(PolicyRun::isDone);
  }

  @Test
  @DisplayName("POL-10, LIF-08: the close and its policies summarise, extract and checkpoint once")
  void closeAndPoliciesTogetherDoEachOnce() {
    deploy(
        on(Trigger.TrajectoryTriggerEvent.SCOPE_CLOSE),
        new PolicyAction.SummarizeAction(TURNS),
        new PolicyAction.ExtractArtifactsAction(TURNS),
        new PolicyAction.CheckpointAction(SCOPES),
        new PolicyAction.PruneAction(TURNS, new PruneCriteria.AgeCriteria(Duration.ZERO)));
    Trajectory trajectory = start();
    say(scopeOf(trajectory), "We decided to use SQLite.");
    run(CloseScope.of(scopeOf(trajectory).id()));
    for (String once :
        List.of("scope_summarized", "artifact_created", "checkpoint_saved", "turn_archived")) {
      assertThat(memory.<List<TraceEvent>>view(SPACE, view -> view.trace(once, 10)))
          .as(once)
          .hasSize(1);
    }
  }

  @Test
  void aRunThatACrashLeftIsFinishedByItsJobOnce() {
    deploy(on(Trigger.TrajectoryTriggerEvent.TASK_START), notify("my-one"), notify("my-two"));
    Id trajectory =
        store.write(
            SPACE,
            transaction -> memory.run(transaction, StartTrajectory.of("crashes", PLANNER)).id());
    assertThat(heard()).isEmpty();
    Jobs first = jobs();
    Jobs second = jobs();
    first.runDue(SPACE);
    second.runDue(SPACE);
    assertThat(heard()).containsExactly("caliber_my-one", "caliber_my-two");
    PolicyRun run =
        store.read(
            SPACE,
            snapshot ->
                snapshot.get(
                    PolicyRun.TABLE,
                    new TriggerOccurrence(
                            "task_start", trajectory.toString(), Optional.empty(), Optional.empty())
                        .runId()));
    assertThat(run.isDone()).isTrue();
    assertThat(all(Jobs.TABLE)).isEmpty();
  }
}
