package dev.caliber.store;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.ErrorKind;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.SpaceId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * Work that takes several commits, so that no other write waits long for it.
 *
 * <p>One step reads and computes outside of a commit what the next batch does, then commits it. A
 * batch is bounded in records and bytes. A commit that took too long, or was refused as too large,
 * is followed by a smaller one, a quick one by a larger one.
 *
 * <p>{@link #schedule} makes a job in the commit that begins the work. The caller continues at once
 * with {@link #resume}; while it does, its commits move the job's due time, which is its lease. If
 * the caller dies, the lease ends and the job finishes the work. Both may run the same batch: a
 * batch takes what is still there.
 *
 * <pre>{@code
 * BatchedWork<Id> erasing = new BatchedWork<>("memory.erase", Id.class, this::begin, parts);
 * erasing.handle(jobs);
 * var ticket = store.write(space, transaction -> erasing.schedule(transaction, request));
 * erasing.resume(space, ticket);
 * }</pre>
 *
 * @param <S> what the job's payload says of the work
 */
public final class BatchedWork<S> {
  /** The lease of a caller; a caller that needs longer for one batch may be joined by the job. */
  private static final Duration LEASE_BOUND = Duration.ofSeconds(30);

  /**
   * The first batch is small, since nothing is known of the work yet. Slow commits make none
   * smaller: what a commit costs by itself would be paid for every few records.
   */
  private static final int FIRST_RECORDS = 32;

  private static final long FIRST_BYTES = 1L << 18;

  /** How many batches may in turn be computed in vain because others have written meanwhile. */
  private static final int OUTDATED_BOUND = 16;

  private final String kind;
  private final Class<S> type;
  private final Plan<S> plan;
  private final RecordStore store;
  private final BatchSize.Rules rules;
  private final Clock clock;

  /** Where the work runs. */
  public record Parts(RecordStore store, BatchSize.Rules rules, Clock clock) {}

  /** How one kind of work is done. */
  @FunctionalInterface
  public interface Plan<S> {
    /** Begins one run of the work; what it remembers may spare later steps a search. */
    Step begin(SpaceId space, S state);
  }

  /** Says outside of a commit what the next commit does. */
  @FunctionalInterface
  public interface Step {
    Batch next(BatchSize most);
  }

  /** What one commit does. */
  @FunctionalInterface
  public interface Batch {
    Progress commit(Transaction transaction);
  }

  /** How far the work has come with a commit. */
  public enum Progress {
    /** There is or may be more. */
    MORE,
    /** Others have changed what the batch was computed from; it did nothing. */
    OUTDATED,
    /** Nothing is left. */
    DONE
  }

  /**
   * Work that was begun.
   *
   * @param job finishes it if the caller does not
   */
  public record Ticket<S>(S state, Id job) {}

  public BatchedWork(String kind, Class<S> type, Plan<S> plan, Parts parts) {
    this.kind = kind;
    this.type = type;
    this.plan = plan;
    this.store = parts.store();
    this.rules = parts.rules();
    this.clock = parts.clock();
  }

  /** Lets the jobs finish what a caller has left. */
  public void handle(Jobs jobs) {
    jobs.handle(
        kind,
        run -> {
          S state = Json.read(run.job().payload(), type);
          drive(run.space(), plan.begin(run.space(), state), new RunLease(run));
          return JobEffect.none();
        });
  }

  /** Begins the work in a commit of a caller that continues at once. */
  public Ticket<S> schedule(Transaction transaction, S state) {
    return schedule(kind, transaction, state, transaction.now().plus(LEASE_BOUND));
  }

  /** Begins work of a kind in a commit after which the job may continue at once. */
  public static <S> Ticket<S> scheduleNow(String kind, Transaction transaction, S state) {
    return schedule(kind, transaction, state, transaction.now());
  }

  private static <S> Ticket<S> schedule(
      String kind, Transaction transaction, S state, Instant due) {
    JobRequest request = JobRequest.of(kind, Json.text(state), due);
    return new Ticket<>(state, Jobs.schedule(transaction, request));
  }

  /** Finishes the work on this thread, in as many commits as it takes. */
  public void resume(SpaceId space, Ticket<S> ticket) {
    resume(space, ticket.job, plan.begin(space, ticket.state));
  }

  /** Finishes the work on this thread with a run that was begun. */
  public void resume(SpaceId space, Id job, Step step) {
    drive(space, step, new CallerLease(job));
  }

  /** What keeps others from the work meanwhile. */
  private interface Lease {
    /** Before a batch is computed. */
    void keep();

    /** In the batch's commit. */
    void keep(Transaction transaction, Progress progress);
  }

  private final class RunLease implements Lease {
    private final JobRun run;

    RunLease(JobRun run) {
      this.run = run;
    }

    @Override
    public void keep() {
      if (!run.renew()) {
        throw StoreException.jobTakenOver(kind, run.job().id());
      }
    }

    @Override
    public void keep(Transaction transaction, Progress progress) {
      // the runner ends the job
    }
  }

  /** The job is moved ahead while the caller works, and goes with the last commit. */
  private static final class CallerLease implements Lease {
    private final Id job;

    CallerLease(Id job) {
      this.job = job;
    }

    @Override
    public void keep() {
      // each commit does
    }

    @Override
    public void keep(Transaction transaction, Progress progress) {
      if (progress == Progress.DONE) {
        transaction.delete(Jobs.TABLE, job);
        return;
      }
      Instant soon = transaction.now().plus(LEASE_BOUND.dividedBy(2));
      transaction
          .find(Jobs.TABLE, job)
          .filter(found -> found.state() == JobState.READY && found.due().isBefore(soon))
          .map(found -> found.leasedUntil(transaction.now().plus(LEASE_BOUND)))
          .ifPresent(leased -> transaction.put(Jobs.TABLE, leased));
    }
  }

  private void drive(SpaceId space, Step step, Lease lease) {
    BatchSize first = new BatchSize(FIRST_RECORDS, FIRST_BYTES);
    BatchSize size = least(first, rules.most());
    BatchSize ceiling = rules.most();
    int outdated = 0;
    while (true) {
      lease.keep();
      try {
        Committed done = commit(space, step.next(size), lease);
        if (done.progress == Progress.DONE) {
          return;
        }
        outdated = done.progress == Progress.OUTDATED ? outdated + 1 : 0;
        if (outdated > OUTDATED_BOUND) {
          throw StoreException.transactionFailed(
              "Other writes have outdated %d batches of '%s' in turn".formatted(outdated, kind));
        }
        size = done.taken.compareTo(rules.time()) > 0 ? slower(size, first) : size.twice(ceiling);
      } catch (CaliberException e) {
        if (e.code().kind() != ErrorKind.LIMIT || size.isLeast()) {
          throw e;
        }
        ceiling = size.half();
        size = e.code() == StoreErrorCode.WRITE_TOO_LONG ? new BatchSize(1, 1) : ceiling;
      }
    }
  }

  private static BatchSize slower(BatchSize size, BatchSize first) {
    BatchSize half = size.half();
    return new BatchSize(
        Math.max(half.records(), Math.min(size.records(), first.records())),
        Math.max(half.bytes(), Math.min(size.bytes(), first.bytes())));
  }

  private static BatchSize least(BatchSize one, BatchSize other) {
    return new BatchSize(
        Math.min(one.records(), other.records()), Math.min(one.bytes(), other.bytes()));
  }

  private record Committed(Progress progress, Duration taken) {}

  /**
   * One commit. Neither the wait for its turn nor its flush counts in its time: a smaller batch
   * would not make them shorter.
   */
  private Committed commit(SpaceId space, Batch batch, Lease lease) {
    return store.write(
        space,
        transaction -> {
          Instant begun = clock.instant();
          Progress progress = batch.commit(transaction);
          lease.keep(transaction, progress);
          return new Committed(progress, Duration.between(begun, clock.instant()));
        });
  }
}
