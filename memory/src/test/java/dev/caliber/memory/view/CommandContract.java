package dev.caliber.memory.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.kernel.config.Cron;
import dev.caliber.kernel.config.PolicyAction;
import dev.caliber.kernel.config.PolicyDefinition;
import dev.caliber.kernel.config.PolicyRule;
import dev.caliber.kernel.config.Trigger;
import dev.caliber.memory.MemoryFixture;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.Command;
import dev.caliber.memory.command.ConsolidateTrajectory;
import dev.caliber.memory.command.CreateArtifacts;
import dev.caliber.memory.command.EndNote;
import dev.caliber.memory.command.EndTrajectory;
import dev.caliber.memory.command.ForgetRecords;
import dev.caliber.memory.command.ForkTrajectory;
import dev.caliber.memory.command.LearnFromTurns;
import dev.caliber.memory.command.NewArtifact;
import dev.caliber.memory.command.NewNote;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.OpenScope;
import dev.caliber.memory.command.PromoteRecord;
import dev.caliber.memory.command.RollBackTrajectory;
import dev.caliber.memory.command.RunPolicy;
import dev.caliber.memory.command.SaveCheckpoint;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.command.SupersedeArtifact;
import dev.caliber.memory.command.SupersedeNote;
import dev.caliber.memory.command.SuspendOrResumeTrajectory;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.event.TraceEvent;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.store.Query;
import dev.caliber.testkit.EachEngine;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Contract that all commands share, on every engine. */
@EachEngine
class CommandContract extends MemoryFixture {
  private static final String POLICY = "tell";
  private static final StartTrajectory BEGIN = StartTrajectory.of("x", PLANNER);
  private static final WriteNote LIONS = WriteNote.of("x", "y", NoteType.FACT, "Lions roar.");
  private static final WriteNote TIGERS = WriteNote.of("x", "y", NoteType.FACT, "Tigers swim.");

  /** Command about a task, and the type of its trace event. */
  private record Told(Function<Task, Command<?>> command, String trace) {}

  private record Task(Id trajectory, Id scope) {}

  @Override
  public MemoryDependencies parts() {
    PolicyRule rule =
        new PolicyRule(
            new Trigger.ScheduleTrigger(Cron.parse("0 0 1 1 *")),
            List.of(new PolicyAction.NotifyAction("my-word")));
    CompiledConfig deployed =
        new CompiledConfig(
            "1.0",
            List.of(),
            List.of(new PolicyDefinition(POLICY, List.of(rule))),
            List.of(),
            List.of());
    return super.parts().withDeployedConfigs(_ -> Optional.of(deployed));
  }

  private Map<Class<?>, Told> all() {
    return Map.ofEntries(
        told(StartTrajectory.class, _ -> BEGIN, "trajectory_started"),
        told(
            ForkTrajectory.class,
            task -> new ForkTrajectory(run(SaveCheckpoint.of(task.trajectory())).id(), BEGIN),
            "trajectory_started"),
        told(
            SuspendOrResumeTrajectory.class,
            task -> SuspendOrResumeTrajectory.suspend(task.trajectory()),
            "trajectory_suspended"),
        told(
            EndTrajectory.class,
            task -> EndTrajectory.complete(task.trajectory(), ""),
            "trajectory_completed"),
        told(OpenScope.class, task -> new OpenScope(task.trajectory()), "scope_opened"),
        told(CloseScope.class, task -> CloseScope.of(task.scope()), "scope_closed"),
        told(
            AppendTurns.class,
            task -> AppendTurns.of(task.scope(), NewTurn.user("x"), NewTurn.assistant("y")),
            "turn_appended"),
        told(
            LearnFromTurns.class,
            task -> {
              NewTurn said = NewTurn.user("I live in a zoo.");
              return new LearnFromTurns(
                  run(AppendTurns.of(task.scope(), said)).stream().map(Turn::id).toList());
            },
            "note_written"),
        told(
            CreateArtifacts.class,
            task -> CreateArtifacts.of(artifact(task, "new")),
            "artifact_created"),
        told(
            SupersedeArtifact.class,
            task ->
                new SupersedeArtifact(
                    run(CreateArtifacts.of(artifact(task, "old"))).getFirst().id(),
                    artifact(task, "new")),
            "artifact_superseded"),
        told(WriteNote.class, _ -> LIONS, "note_written"),
        told(
            SupersedeNote.class,
            _ -> new SupersedeNote(learn("Zebras sleep.").id(), TIGERS),
            "note_retired"),
        told(
            EndNote.class,
            _ -> new EndNote(learn("Zebras dream.").id(), clock.instant().plusSeconds(1)),
            "note_ended"),
        told(
            PromoteRecord.class,
            _ ->
                new PromoteRecord(
                    memory.remember(SPACE, NewNote.of("Zebras run.").withSubject("alice")).id()),
            "record_promoted"),
        told(
            ConsolidateTrajectory.class,
            task -> {
              run(CreateArtifacts.of(artifact(task, "The parser fails on tabs.")));
              return new ConsolidateTrajectory(task.trajectory());
            },
            "note_written"),
        told(
            SaveCheckpoint.class, task -> SaveCheckpoint.of(task.trajectory()), "checkpoint_saved"),
        told(
            RollBackTrajectory.class,
            task -> {
              run(SaveCheckpoint.of(task.trajectory()));
              return RollBackTrajectory.toLatestCheckpoint(task.trajectory());
            },
            "checkpoint_recovered"),
        told(ForgetRecords.class, task -> ForgetRecords.of(task.trajectory()), "record_forgotten"),
        told(
            RunPolicy.class,
            task -> RunPolicy.forTrajectory(task.trajectory(), POLICY, "k"),
            "policy_executed"));
  }

  private static Map.Entry<Class<?>, Told> told(
      Class<?> kind, Function<Task, Command<?>> command, String trace) {
    return Map.entry(kind, new Told(command, trace));
  }

  private static NewArtifact artifact(Task task, String content) {
    return NewArtifact.of(task.scope(), ArtifactType.FACT, Bytes.of(content));
  }

  private Task begun() {
    Trajectory trajectory = start();
    Scope scope = scopeOf(trajectory);
    say(scope, "We begin.");
    return new Task(trajectory.id(), scope.id());
  }

  private long head() {
    return store.changes().head(SPACE).sequence();
  }

  private long traces(String type) {
    return store.read(
        SPACE, snapshot -> snapshot.count(Query.over(TraceEvent.TABLE, "type").equal(type)));
  }

  @Test
  @DisplayName("STO-08, ARC-07: every command writes one commit, with its trace event")
  void everyCommandIsOneCommitWithItsTrace() {
    Map<Class<?>, Told> all = all();
    assertThat(all.keySet()).isEqualTo(Set.of(Command.class.getPermittedSubclasses()));
    all.forEach(
        (kind, told) -> {
          Command<?> command = told.command().apply(begun());
          assertThat(command).isInstanceOf(kind);
          long head = head();
          long before = traces(told.trace());
          run(command);
          if (kind != RunPolicy.class) { // its steps are commits of their own
            assertThat(head()).as(kind.getSimpleName()).isEqualTo(head + 1);
          }
          assertThat(traces(told.trace())).as(kind.getSimpleName()).isGreaterThan(before);
        });
  }
}
