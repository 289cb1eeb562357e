package dev.caliber.memory.policy;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.kernel.config.MemoryDefinition;
import dev.caliber.kernel.config.PolicyAction;
import dev.caliber.kernel.config.PolicyDefinition;
import dev.caliber.kernel.config.PruneCriteria;
import dev.caliber.kernel.config.Retention;
import dev.caliber.kernel.config.Trigger;
import dev.caliber.memory.command.RunPolicy;
import dev.caliber.memory.commit.UnitOfWork;
import dev.caliber.memory.commit.UnitOfWorkListeners.FiredTrigger;
import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.MemoryKind;
import dev.caliber.memory.record.PolicyRun;
import dev.caliber.memory.record.PolicyStep;
import dev.caliber.store.job.BatchedWork.ScheduledWork;
import dev.caliber.store.job.JobRequest;
import dev.caliber.store.job.Jobs;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Starts policies: writes a run and its job in the commit of the trigger. Steps follow the order of
 * policies, rules and actions; retention adds summaries before and prunes after them.
 */
public final class PolicyRunStarter {
  public static final String JOB = "memory.policy-run";
  private static final String MANUAL = "manual";
  private static final String RETENTION = "retention";
  private static final String CONSOLIDATION = "consolidation";
  static final PolicyStep CONSOLIDATING =
      new PolicyStep(CONSOLIDATION, new PolicyAction.ConsolidateAction(), "");
  private static final CompiledConfig NOTHING =
      new CompiledConfig("", List.of(), List.of(), List.of(), List.of());

  private final UnitOfWork unitOfWork;
  private final CompiledConfig config;

  private PolicyRunStarter(UnitOfWork unitOfWork, CompiledConfig config) {
    this.unitOfWork = unitOfWork;
    this.config = config;
  }

  /**
   * Returns a starter, or empty if the space has deployed nothing and no setting requires steps.
   */
  public static Optional<PolicyRunStarter> of(UnitOfWork unitOfWork) {
    return unitOfWork
        .deployedConfig()
        .or(
            () ->
                Optional.of(NOTHING)
                    .filter(_ -> unitOfWork.config().notes().consolidation().atTaskEnd()))
        .map(config -> new PolicyRunStarter(unitOfWork, config));
  }

  public void startForEvent(FiredTrigger fired) {
    List<PolicyStep> steps = steps(fired.event());
    if (!steps.isEmpty()) {
      String name = fired.event().name().toLowerCase(Locale.ROOT);
      findOrStart(
          new TriggerOccurrence(
              name, fired.about().toString(), Optional.of(fired.trajectory()), fired.scope()),
          steps);
    }
  }

  public PolicyRun startByCommand(RunPolicy command) {
    PolicyDefinition policy =
        config.policies().stream()
            .filter(candidate -> candidate.name().equals(command.policy()))
            .findFirst()
            .orElseThrow(() -> MemoryException.unknownPolicy(command.policy()));
    Optional<Id> trajectory = targetTrajectory(command);
    List<PolicyStep> steps =
        policy.rules().stream()
            .flatMap(rule -> rule.actions().stream())
            .map(action -> step(policy.name(), action))
            .toList();
    if (trajectory.isEmpty() && !steps.stream().allMatch(step -> canTargetSpace(step.action()))) {
      throw MemoryException.trajectoryRequired(command.policy());
    }
    String key =
        "%s %s %s %s"
            .formatted(
                command.policy(),
                textOrEmpty(trajectory),
                textOrEmpty(command.scope()),
                command.key());
    return findOrStart(new TriggerOccurrence(MANUAL, key, trajectory, command.scope()), steps);
  }

  private static String textOrEmpty(Optional<Id> id) {
    return id.map(Id::toString).orElse("");
  }

  /** Returns the named trajectory, or that of the scope. */
  private Optional<Id> targetTrajectory(RunPolicy command) {
    Optional<Id> named = command.trajectory().map(id -> unitOfWork.view().trajectory(id).id());
    Optional<Id> scoped = command.scope().map(id -> unitOfWork.view().scope(id).trajectory());
    if (named.isPresent() && scoped.isPresent() && !named.equals(scoped)) {
      throw MemoryException.invalid(
          "scope", "a scope of trajectory " + named.get(), "a scope of trajectory " + scoped.get());
    }
    return named.or(() -> scoped);
  }

  /** Returns whether an action can target the whole space; the others need a trajectory. */
  public static boolean canTargetSpace(PolicyAction action) {
    return switch (action) {
      case PolicyAction.PruneAction _, PolicyAction.NotifyAction _ -> true;
      case PolicyAction.SummarizeAction _,
          PolicyAction.ExtractArtifactsAction _,
          PolicyAction.CheckpointAction _,
          PolicyAction.InjectAction _,
          PolicyAction.ConsolidateAction _ ->
          false;
    };
  }

  /** Returns the run of this occurrence; starts it if there is none. */
  public PolicyRun findOrStart(TriggerOccurrence triggerOccurrence, List<PolicyStep> steps) {
    Optional<PolicyRun> there =
        unitOfWork.transaction().find(PolicyRun.TABLE, triggerOccurrence.runId());
    return there.orElseGet(() -> start(triggerOccurrence, steps));
  }

  private PolicyRun start(TriggerOccurrence triggerOccurrence, List<PolicyStep> steps) {
    PolicyRun run = triggerOccurrence.newRun(steps, unitOfWork.now());
    Id job = Jobs.schedule(unitOfWork.transaction(), jobRequest(run, unitOfWork.now()));
    PolicyRun begun = run.withJob(job);
    unitOfWork.transaction().insert(PolicyRun.TABLE, begun);
    unitOfWork.addFollowUp(new ScheduledWork<>(JOB, run.id(), job));
    return begun;
  }

  /** Returns the job that continues a run from a time on. */
  static JobRequest jobRequest(PolicyRun run, Instant from) {
    return JobRequest.of(JOB, Json.text(run.id()), from).withDeduplicationKey(run.id().toString());
  }

  /** Returns an occurrence for one call of consolidation; each call has its own. */
  static TriggerOccurrence consolidationOccurrence(Id trajectory, Id call) {
    return new TriggerOccurrence(
        CONSOLIDATION, call.toString(), Optional.of(trajectory), Optional.empty());
  }

  public List<PolicyStep> steps(PolicyDefinition policy, int rule) {
    return policy.rules().get(rule).actions().stream()
        .map(action -> step(policy.name(), action))
        .toList();
  }

  private List<PolicyStep> steps(Trigger.TrajectoryTriggerEvent trajectoryTriggerEvent) {
    Trigger trigger = new Trigger.EventTrigger(trajectoryTriggerEvent);
    List<PolicyStep> steps = new ArrayList<>(compressionSteps(trigger).toList());
    consolidationSteps(trajectoryTriggerEvent).forEach(steps::add);
    for (PolicyDefinition policy : DeployedPolicies.policiesOf(config)) {
      policy.rules().stream()
          .filter(rule -> rule.on().equals(trigger))
          .flatMap(rule -> rule.actions().stream())
          .forEach(action -> steps.add(step(policy.name(), action)));
    }
    retentionSteps(trajectoryTriggerEvent).forEach(steps::add);
    return steps;
  }

  /** Returns a summary step for each memory whose retention is compression by this trigger. */
  private Stream<PolicyStep> compressionSteps(Trigger trigger) {
    return config.memories().stream()
        .filter(memory -> memory.retention().equals(new Retention.CompressionRetention(trigger)))
        .map(memory -> step(RETENTION, new PolicyAction.SummarizeAction(memory.name())));
  }

  /**
   * Returns the consolidation step, which precedes policies and retention that remove its input.
   */
  private Stream<PolicyStep> consolidationSteps(
      Trigger.TrajectoryTriggerEvent trajectoryTriggerEvent) {
    return trajectoryTriggerEvent == Trigger.TrajectoryTriggerEvent.TASK_END
            && unitOfWork.config().notes().consolidation().atTaskEnd()
        ? Stream.of(CONSOLIDATING)
        : Stream.empty();
  }

  /** Returns one prune step for each kind whose records end with this scope or session. */
  private Stream<PolicyStep> retentionSteps(Trigger.TrajectoryTriggerEvent trajectoryTriggerEvent) {
    Set<MemoryKind> seen = EnumSet.noneOf(MemoryKind.class);
    return config.memories().stream()
        .filter(memory -> endsAtEvent(MemoryKind.of(memory), trajectoryTriggerEvent))
        .filter(memory -> seen.add(MemoryKind.of(memory)))
        .map(
            memory ->
                step(
                    RETENTION,
                    new PolicyAction.PruneAction(
                        memory.name(), new PruneCriteria.AgeCriteria(Duration.ZERO))));
  }

  private boolean endsAtEvent(
      MemoryKind kind, Trigger.TrajectoryTriggerEvent trajectoryTriggerEvent) {
    return switch (trajectoryTriggerEvent) {
      case SCOPE_CLOSE -> new RetentionRules(config).endsWithScope(kind);
      case TASK_END -> new RetentionRules(config).endsWithTask(kind);
      case TASK_START, TURN -> false;
    };
  }

  private PolicyStep step(String policy, PolicyAction action) {
    String target =
        action.target().flatMap(config::memory).map(PolicyRunStarter::kindName).orElse("");
    return new PolicyStep(policy, action, target);
  }

  private static String kindName(MemoryDefinition memory) {
    return MemoryKind.of(memory).name();
  }
}
