package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.command.CleanupResult;
import dev.caliber.memory.command.EndedOrphans;
import dev.caliber.memory.record.MemoryException;
import dev.caliber.store.JobEffect;
import dev.caliber.store.JobRequest;
import dev.caliber.store.JobRun;
import dev.caliber.store.Jobs;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Transaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Background work of memory: unfinished policy runs, derived data of forgotten records, schedules
 * and clean-up. A job schedules its successor before its own work, so that permanent failures stop
 * nothing else; between two commits its lease is renewed.
 */
final class MemoryMaintenance {
  private static final String TEND = "memory.maintenance";

  /** Renews the lease of a job between two commits; throws if another process has taken it over. */
  interface JobLeaseKeeper {
    /** Keeper for a caller that works without a job. */
    JobLeaseKeeper UNLEASED = () -> {};

    static JobLeaseKeeper of(JobRun run) {
      return () -> {
        if (!run.renewLease()) {
          throw MemoryException.leaseLost(run.job().kind());
        }
      };
    }

    void renewLease();
  }

  private final RecordStore store;
  private final MemoryConfig config;
  private final MemoryDependencies parts;
  private final Function<Transaction, UnitOfWork> unitOfWorkFactory;
  private final Function<UnitOfWork, CommandDispatcher> operations;

  MemoryMaintenance(
      RecordStore store,
      MemoryConfig config,
      MemoryDependencies parts,
      Function<Transaction, UnitOfWork> unitOfWorkFactory,
      Function<UnitOfWork, CommandDispatcher> operations) {
    this.store = store;
    this.config = config;
    this.parts = parts;
    this.unitOfWorkFactory = unitOfWorkFactory;
    this.operations = operations;
  }

  /** Registers the handlers of work that a commit leaves over. */
  void registerFollowUpHandlers(Jobs jobs, PolicyRunner policies) {
    jobs.registerHandler(
        PolicyRunStarter.JOB,
        run ->
            runAsJob(
                () ->
                    policies.runToEnd(
                        run.space(),
                        Json.read(run.job().payload(), Id.class),
                        JobLeaseKeeper.of(run))));
    jobs.registerHandler(
        BoundArtifactExpiry.JOB,
        run ->
            runAsJob(
                () ->
                    expireArtifacts(
                        run.space(),
                        Json.read(run.job().payload(), BoundArtifactExpiry.ExpiryTarget.class),
                        JobLeaseKeeper.of(run))));
    jobs.registerHandler(
        SubjectAssigner.JOB,
        run ->
            runAsJob(
                () ->
                    assignSubjects(
                        run.space(),
                        Json.read(run.job().payload(), Id.class),
                        JobLeaseKeeper.of(run))));
  }

  void registerJobHandlers(Jobs jobs) {
    jobs.registerHandler(ScheduledPolicies.JOB, run -> runAsJob(() -> runSchedule(run)));
    jobs.registerHandler(
        TEND,
        run ->
            runAsJob(
                () -> {
                  scheduleJobs(run.space());
                  runMaintenance(run.space(), JobLeaseKeeper.of(run));
                }));
  }

  /** Expires the remaining artifacts for the caller that ended the scope or trajectory. */
  void expireArtifacts(SpaceId space, BoundArtifactExpiry.PendingExpiry pendingExpiry) {
    while (!store.write(
        space,
        transaction ->
            new BoundArtifactExpiry(unitOfWorkFactory.apply(transaction))
                .continueBatch(pendingExpiry))) {
      JobLeaseKeeper.UNLEASED.renewLease();
    }
  }

  /** Expires the remaining artifacts as a job. */
  private void expireArtifacts(
      SpaceId space, BoundArtifactExpiry.ExpiryTarget expiryTarget, JobLeaseKeeper jobLeaseKeeper) {
    while (!store.write(
        space,
        transaction ->
            new BoundArtifactExpiry(unitOfWorkFactory.apply(transaction))
                .continueBatch(expiryTarget))) {
      jobLeaseKeeper.renewLease();
    }
  }

  /** Labels records with their trajectory's subject, in several commits if needed. */
  void assignSubjects(
      SpaceId space, SubjectAssigner.PendingSubjectAssignment pendingSubjectAssignment) {
    List<SubjectAssigner.PendingSubjectAssignment> left =
        new ArrayList<>(List.of(pendingSubjectAssignment));
    while (!left.isEmpty()) {
      SubjectAssigner.PendingSubjectAssignment next = left.getFirst();
      boolean all = assignSubjects(space, labelling -> labelling.continueBatch(next), left);
      if (all) {
        left.remove(next);
      }
    }
  }

  /** Assigns the subject as a job; child trajectories have jobs of their own. */
  private void assignSubjects(SpaceId space, Id trajectory, JobLeaseKeeper jobLeaseKeeper) {
    while (!assignSubjects(
        space, labelling -> labelling.continueBatch(trajectory), new ArrayList<>())) {
      jobLeaseKeeper.renewLease();
    }
  }

  private boolean assignSubjects(
      SpaceId space,
      Predicate<SubjectAssigner> work,
      List<SubjectAssigner.PendingSubjectAssignment> children) {
    return store.write(
        space,
        transaction -> {
          UnitOfWork unitOfWork = unitOfWorkFactory.apply(transaction);
          boolean all = work.test(new SubjectAssigner(unitOfWork));
          children.addAll(unitOfWork.pendingSubjectAssignments());
          return all;
        });
  }

  private static JobEffect runAsJob(Runnable work) {
    work.run();
    return JobEffect.none();
  }

  void scheduleJobs(SpaceId space) {
    store.write(
        space,
        transaction -> {
          scheduleJobs(transaction);
          return true;
        });
  }

  /**
   * Schedules the missing jobs. Each clean-up interval has one deduplication key, so that repeated
   * calls schedule it once.
   */
  private void scheduleJobs(Transaction transaction) {
    new ScheduledPolicies(unitOfWorkFactory.apply(transaction)).scheduleMissingJobs();
    long interval = config.retention().interval().toMillis();
    long slot = transaction.now().toEpochMilli() / interval + 1;
    Jobs.schedule(
        transaction,
        JobRequest.of(TEND, Long.toString(slot), Instant.ofEpochMilli(slot * interval))
            .withDeduplicationKey(Long.toString(slot)));
  }

  /** Schedules the next time, then starts the runs of this one in batches of trajectories. */
  private void runSchedule(JobRun run) {
    ScheduledPolicies.ScheduledRuleTime due =
        Json.read(run.job().payload(), ScheduledPolicies.ScheduledRuleTime.class);
    writePolicies(run.space(), scheduledPolicies -> scheduledPolicies.scheduleNext(due));
    JobLeaseKeeper jobLeaseKeeper = JobLeaseKeeper.of(run);
    Optional<ScheduledPolicies.ScheduleProgress> place =
        writePolicies(run.space(), scheduledPolicies -> scheduledPolicies.startSpaceRuns(due));
    while (place.isPresent()) {
      jobLeaseKeeper.renewLease();
      ScheduledPolicies.ScheduleProgress here = place.get();
      place =
          writePolicies(
              run.space(), scheduledPolicies -> scheduledPolicies.startTrajectoryRuns(due, here));
    }
  }

  private <T> T writePolicies(SpaceId space, Function<ScheduledPolicies, T> work) {
    return store.write(
        space,
        transaction -> work.apply(new ScheduledPolicies(unitOfWorkFactory.apply(transaction))));
  }

  /** Runs all steps; the first failure is thrown after the last step. */
  CleanupResult runMaintenance(SpaceId space, JobLeaseKeeper jobLeaseKeeper) {
    List<RuntimeException> failures = new ArrayList<>();
    Map<String, Long> removed = new HashMap<>();
    for (CleanupStep step : cleanupSteps()) {
      try {
        removed.merge(step.name(), clean(space, step, jobLeaseKeeper), Long::sum);
      } catch (RuntimeException e) {
        failures.add(e);
      }
    }
    EndedOrphans endedOrphans = endOrphans(space, jobLeaseKeeper, failures);
    if (!failures.isEmpty()) {
      RuntimeException first = failures.getFirst();
      failures.stream().skip(1).forEach(first::addSuppressed);
      throw first;
    }
    return new CleanupResult(endedOrphans, removed);
  }

  private List<CleanupStep> cleanupSteps() {
    List<CleanupStep> steps =
        new ArrayList<>(new MemoryCleanup(config.retention(), unitOfWorkFactory).steps());
    parts
        .search()
        .map(index -> new MemoryCleanup.VectorCleanupStep(store, index))
        .ifPresent(steps::add);
    steps.addAll(parts.extensions().cleanupSteps());
    return steps;
  }

  private long clean(SpaceId space, CleanupStep step, JobLeaseKeeper jobLeaseKeeper) {
    CleanupStep.CleanupProgress done = clean(space, step);
    long removed = done.removed();
    while (done.more()) {
      jobLeaseKeeper.renewLease();
      done = clean(space, step);
      removed += done.removed();
    }
    return removed;
  }

  private CleanupStep.CleanupProgress clean(SpaceId space, CleanupStep step) {
    step.prepareBatch(space);
    int batch = config.maintenanceBatch();
    return store.write(space, transaction -> step.clean(transaction, batch));
  }

  private EndedOrphans endOrphans(
      SpaceId space, JobLeaseKeeper jobLeaseKeeper, List<RuntimeException> failures) {
    Instant cutoff = parts.clock().instant().minus(parts.runtime().memory().orphanAfter());
    try {
      return new OrphanRunner(store, config, this::orphanHandler)
          .endOrphans(space, cutoff, jobLeaseKeeper);
    } catch (RuntimeException e) {
      failures.add(e);
      return new EndedOrphans(List.of(), List.of());
    }
  }

  private OrphanHandler orphanHandler(Transaction transaction) {
    return operations.apply(unitOfWorkFactory.apply(transaction)).orphanHandler();
  }
}
