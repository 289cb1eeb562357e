package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.config.PolicyDefinition;
import dev.caliber.kernel.config.Trigger;
import dev.caliber.memory.commit.UnitOfWork;
import dev.caliber.memory.policy.DeployedPolicies;
import dev.caliber.memory.policy.PolicyRunStarter;
import dev.caliber.memory.policy.TriggerOccurrence;
import dev.caliber.memory.record.PolicyStep;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.TrajectoryStatus;
import dev.caliber.store.Page;
import dev.caliber.store.PageCursor;
import dev.caliber.store.Query;
import dev.caliber.store.job.BatchSize;
import dev.caliber.store.job.BatchedWork.Batch;
import dev.caliber.store.job.BatchedWork.BatchOutcome;
import dev.caliber.store.job.BatchedWork.BatchPlanner;
import dev.caliber.store.job.JobRequest;
import dev.caliber.store.job.Jobs;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/**
 * Rules with a schedule, in UTC. The next minute of each rule is a job; it schedules the job of the
 * following minute and then starts its own runs: one for the space, and one for each active
 * trajectory. The job of a rule that is no longer deployed schedules nothing.
 */
final class ScheduledPolicies {
  static final String JOB = "memory.policy-schedule";
  private static final String TRIGGER = "schedule";

  /** Rule, by its policy and index, and the minute of this run. */
  record ScheduledRuleTime(String policy, int rule, Instant minute) {
    String key() {
      return policy + " " + rule + " " + minute;
    }
  }

  private final UnitOfWork unitOfWork;

  ScheduledPolicies(UnitOfWork unitOfWork) {
    this.unitOfWork = unitOfWork;
  }

  /** Schedules the jobs that do not exist yet. */
  void scheduleMissingJobs() {
    List<PolicyDefinition> policies =
        unitOfWork.deployedConfig().map(DeployedPolicies::policiesOf).orElse(List.of());
    for (PolicyDefinition policy : policies) {
      for (int rule = 0; rule < policy.rules().size(); rule++) {
        scheduleRule(policy, rule, unitOfWork.now());
      }
    }
  }

  /** Schedules the job of the next minute, if the rule is still deployed. */
  boolean scheduleNext(ScheduledRuleTime scheduledRuleTime) {
    Optional<PolicyDefinition> policy = deployedPolicy(scheduledRuleTime);
    policy.ifPresent(
        found -> scheduleRule(found, scheduledRuleTime.rule(), laterOfNow(scheduledRuleTime)));
    return policy.isPresent();
  }

  /** Cursor over the active trajectories of one scheduled minute. */
  record ScheduleProgress(Optional<PageCursor> next) {}

  /** Planner of one scheduled minute: schedules the next one, then starts the runs in batches. */
  static final class ScheduleRun implements BatchPlanner {
    private final UnitOfWorkFactory unitsOfWork;
    private final ScheduledRuleTime due;
    private boolean nextScheduled;
    private Optional<ScheduleProgress> place = Optional.empty();
    private Optional<ScheduleProgress> nextPlace = Optional.empty();

    ScheduleRun(UnitOfWorkFactory unitsOfWork, ScheduledRuleTime due) {
      this.unitsOfWork = unitsOfWork;
      this.due = due;
    }

    @Override
    public Batch planNext(BatchSize most) {
      return transaction -> {
        ScheduledPolicies policies = new ScheduledPolicies(unitsOfWork.begin(transaction));
        if (!nextScheduled) {
          policies.scheduleNext(due);
          return BatchOutcome.MORE;
        }
        nextPlace =
            place.isPresent()
                ? policies.startTrajectoryRuns(due, place.get(), most.records())
                : policies.startSpaceRuns(due);
        return BatchOutcome.moreIf(nextPlace.isPresent());
      };
    }

    @Override
    public void onCommitted() {
      nextScheduled = true;
      place = nextPlace;
    }
  }

  /** Starts the run for the whole space; returns a cursor if trajectories follow. */
  Optional<ScheduleProgress> startSpaceRuns(ScheduledRuleTime scheduledRuleTime) {
    List<PolicyStep> steps = steps(scheduledRuleTime);
    List<PolicyStep> wide =
        steps.stream().filter(step -> PolicyRunStarter.canTargetSpace(step.action())).toList();
    if (!wide.isEmpty()) {
      policyRunStarter().findOrStart(occurrence(scheduledRuleTime.key(), Optional.empty()), wide);
    }
    return wide.size() == steps.size()
        ? Optional.empty()
        : Optional.of(new ScheduleProgress(Optional.empty()));
  }

  /**
   * Starts the runs of a batch of active trajectories. A trajectory that was updated meanwhile
   * appears again and already has its run.
   */
  Optional<ScheduleProgress> startTrajectoryRuns(
      ScheduledRuleTime scheduledRuleTime, ScheduleProgress scheduleProgress, int most) {
    List<PolicyStep> each =
        steps(scheduledRuleTime).stream()
            .filter(step -> !PolicyRunStarter.canTargetSpace(step.action()))
            .toList();
    Page<Trajectory> page = activeTrajectories(scheduleProgress, most);
    if (!each.isEmpty()) {
      for (Trajectory active : page.records()) {
        String key = scheduledRuleTime.key() + " " + active.id();
        policyRunStarter().findOrStart(occurrence(key, Optional.of(active.id())), each);
      }
    }
    return page.next().map(next -> new ScheduleProgress(Optional.of(next)));
  }

  private Page<Trajectory> activeTrajectories(ScheduleProgress scheduleProgress, int most) {
    Query<Trajectory> active =
        Query.over(Trajectory.TABLE, "status", "updated_at").equal(TrajectoryStatus.ACTIVE.name());
    return unitOfWork
        .transaction()
        .scan(
            scheduleProgress.next().map(active::resume).orElse(active),
            Math.min(most, unitOfWork.config().maintenanceBatch()));
  }

  private List<PolicyStep> steps(ScheduledRuleTime scheduledRuleTime) {
    return deployedPolicy(scheduledRuleTime)
        .map(policy -> policyRunStarter().steps(policy, scheduledRuleTime.rule()))
        .orElse(List.of());
  }

  private PolicyRunStarter policyRunStarter() {
    return PolicyRunStarter.of(unitOfWork).orElseThrow();
  }

  private Optional<PolicyDefinition> deployedPolicy(ScheduledRuleTime scheduledRuleTime) {
    return unitOfWork.deployedConfig().stream()
        .flatMap(config -> DeployedPolicies.policiesOf(config).stream())
        .filter(candidate -> candidate.name().equals(scheduledRuleTime.policy()))
        .filter(candidate -> scheduledRuleTime.rule() < candidate.rules().size())
        .filter(candidate -> isScheduledAt(candidate, scheduledRuleTime))
        .findFirst();
  }

  /** Returns the later of the two times, because missed minutes are not made up for. */
  private Instant laterOfNow(ScheduledRuleTime scheduledRuleTime) {
    return scheduledRuleTime.minute().isAfter(unitOfWork.now())
        ? scheduledRuleTime.minute()
        : unitOfWork.now();
  }

  private static boolean isScheduledAt(
      PolicyDefinition policy, ScheduledRuleTime scheduledRuleTime) {
    return policy.rules().get(scheduledRuleTime.rule()).on()
            instanceof Trigger.ScheduleTrigger(var cron)
        && cron.matches(LocalDateTime.ofInstant(scheduledRuleTime.minute(), ZoneOffset.UTC));
  }

  private void scheduleRule(PolicyDefinition policy, int rule, Instant after) {
    if (policy.rules().get(rule).on() instanceof Trigger.ScheduleTrigger(var cron)) {
      cron.next(LocalDateTime.ofInstant(after, ZoneOffset.UTC))
          .map(
              minute ->
                  new ScheduledRuleTime(policy.name(), rule, minute.toInstant(ZoneOffset.UTC)))
          .ifPresent(this::scheduleJob);
    }
  }

  private void scheduleJob(ScheduledRuleTime scheduledRuleTime) {
    Jobs.schedule(
        unitOfWork.transaction(),
        JobRequest.of(JOB, Json.text(scheduledRuleTime), scheduledRuleTime.minute())
            .withDeduplicationKey(scheduledRuleTime.key()));
  }

  private static TriggerOccurrence occurrence(String key, Optional<Id> trajectory) {
    return new TriggerOccurrence(TRIGGER, key, trajectory, Optional.empty());
  }
}
