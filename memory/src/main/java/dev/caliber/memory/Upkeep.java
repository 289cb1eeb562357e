package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.command.Orphans;
import dev.caliber.memory.command.Swept;
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
 * What goes on by itself: unfinished runs of policies, what quotes the forgotten, schedules and
 * clean-up. The job of the next time is made before the work of this one, so that work that fails
 * for good ends nothing but itself; between two commits the lease is renewed.
 */
final class Upkeep {
  private static final String TEND = "memory.tend";

  /** Asked between two commits; throws when the work belongs to another by now. */
  interface Pace {
    /** For whoever waits for it. */
    Pace UNLEASED = () -> {};

    static Pace of(JobRun run) {
      return () -> {
        if (!run.renew()) {
          throw MemoryException.takenOver(run.job().kind());
        }
      };
    }

    void keep();
  }

  private final RecordStore store;
  private final MemoryConfig config;
  private final MemoryParts parts;
  private final Function<Transaction, Desk> desks;
  private final Function<Desk, Operations> operations;

  Upkeep(
      RecordStore store,
      MemoryConfig config,
      MemoryParts parts,
      Function<Transaction, Desk> desks,
      Function<Desk, Operations> operations) {
    this.store = store;
    this.config = config;
    this.parts = parts;
    this.desks = desks;
    this.operations = operations;
  }

  void attach(Jobs jobs, PolicyRunner policies) {
    jobs.handle(
        Triggers.JOB,
        run ->
            done(
                () ->
                    policies.finish(
                        run.space(), Json.read(run.job().payload(), Id.class), Pace.of(run))));
    jobs.handle(Schedules.JOB, run -> done(() -> keep(run)));
    jobs.handle(
        Ending.JOB,
        run ->
            done(
                () ->
                    expire(
                        run.space(),
                        Json.read(run.job().payload(), Ending.Over.class),
                        Pace.of(run))));
    jobs.handle(
        SubjectLabelling.JOB,
        run ->
            done(() -> label(run.space(), Json.read(run.job().payload(), Id.class), Pace.of(run))));
    jobs.handle(
        TEND,
        run ->
            done(
                () -> {
                  arm(run.space());
                  tend(run.space(), Pace.of(run));
                }));
  }

  /** In as many commits as it takes, by whoever has ended it. */
  void expire(SpaceId space, Ending.Rest rest) {
    while (!store.write(space, transaction -> new Ending(desks.apply(transaction)).goOn(rest))) {
      Pace.UNLEASED.keep();
    }
  }

  /** The same by its job. */
  private void expire(SpaceId space, Ending.Over over, Pace pace) {
    while (!store.write(space, transaction -> new Ending(desks.apply(transaction)).goOn(over))) {
      pace.keep();
    }
  }

  /** Labels records with their trajectory's subject, in as many commits as that takes. */
  void label(SpaceId space, SubjectLabelling.Rest rest) {
    List<SubjectLabelling.Rest> left = new ArrayList<>(List.of(rest));
    while (!left.isEmpty()) {
      SubjectLabelling.Rest next = left.getFirst();
      boolean all = label(space, labelling -> labelling.goOn(next), left);
      if (all) {
        left.remove(next);
      }
    }
  }

  /** The job's way; child trajectories have jobs of their own. */
  private void label(SpaceId space, Id trajectory, Pace pace) {
    while (!label(space, labelling -> labelling.goOn(trajectory), new ArrayList<>())) {
      pace.keep();
    }
  }

  private boolean label(
      SpaceId space, Predicate<SubjectLabelling> work, List<SubjectLabelling.Rest> children) {
    return store.write(
        space,
        transaction -> {
          Desk desk = desks.apply(transaction);
          boolean all = work.test(new SubjectLabelling(desk));
          children.addAll(desk.stillUnlabelled());
          return all;
        });
  }

  private static JobEffect done(Runnable work) {
    work.run();
    return JobEffect.none();
  }

  void arm(SpaceId space) {
    store.write(
        space,
        transaction -> {
          arm(transaction);
          return true;
        });
  }

  /** The next clean-up has a slot of its own, so that there is one for each, whoever asks. */
  private void arm(Transaction transaction) {
    new Schedules(desks.apply(transaction)).arm();
    long interval = config.retention().interval().toMillis();
    long slot = transaction.now().toEpochMilli() / interval + 1;
    Jobs.schedule(
        transaction,
        JobRequest.of(TEND, Long.toString(slot), Instant.ofEpochMilli(slot * interval))
            .once(Long.toString(slot)));
  }

  /** The next appointment first; then what this one sets off, some trajectories in a commit. */
  private void keep(JobRun run) {
    Schedules.Appointment due = Json.read(run.job().payload(), Schedules.Appointment.class);
    write(run.space(), schedules -> schedules.rearm(due));
    Pace pace = Pace.of(run);
    Optional<Schedules.Place> place = write(run.space(), schedules -> schedules.begin(due));
    while (place.isPresent()) {
      pace.keep();
      Schedules.Place here = place.get();
      place = write(run.space(), schedules -> schedules.goOn(due, here));
    }
  }

  private <T> T write(SpaceId space, Function<Schedules, T> work) {
    return store.write(space, transaction -> work.apply(new Schedules(desks.apply(transaction))));
  }

  /** A step that fails keeps no other from its work. */
  Swept tend(SpaceId space, Pace pace) {
    List<RuntimeException> failures = new ArrayList<>();
    Map<String, Long> removed = new HashMap<>();
    for (CleanupStep step : steps()) {
      try {
        removed.merge(step.name(), clean(space, step, pace), Long::sum);
      } catch (RuntimeException e) {
        failures.add(e);
      }
    }
    Orphans orphans = sweep(space, pace, failures);
    if (!failures.isEmpty()) {
      RuntimeException first = failures.getFirst();
      failures.stream().skip(1).forEach(first::addSuppressed);
      throw first;
    }
    return new Swept(orphans, removed);
  }

  private List<CleanupStep> steps() {
    List<CleanupStep> steps = new ArrayList<>(new Cleanup(config.retention(), desks).steps());
    parts.search().map(index -> new Cleanup.Vectors(store, index)).ifPresent(steps::add);
    steps.addAll(parts.rooms().cleanup());
    return steps;
  }

  private long clean(SpaceId space, CleanupStep step, Pace pace) {
    CleanupStep.Cleaned done = clean(space, step);
    long removed = done.removed();
    while (done.more()) {
      pace.keep();
      done = clean(space, step);
      removed += done.removed();
    }
    return removed;
  }

  private CleanupStep.Cleaned clean(SpaceId space, CleanupStep step) {
    step.prepare(space);
    int batch = config.portion();
    return store.write(space, transaction -> step.clean(transaction, batch));
  }

  private Orphans sweep(SpaceId space, Pace pace, List<RuntimeException> failures) {
    Instant cutoff = parts.clock().instant().minus(parts.runtime().memory().orphanAfter());
    try {
      return new OrphanSweep(store, config, this::orphans).sweep(space, cutoff, pace);
    } catch (RuntimeException e) {
      failures.add(e);
      return new Orphans(List.of(), List.of());
    }
  }

  private OrphanWork orphans(Transaction transaction) {
    return operations.apply(desks.apply(transaction)).orphans();
  }
}
