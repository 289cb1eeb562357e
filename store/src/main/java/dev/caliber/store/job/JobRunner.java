package dev.caliber.store.job;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.ChangeFeed;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Snapshot;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.UninterruptibleWait;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runner that claims due jobs and runs a bounded number of them at a time. */
final class JobRunner implements Jobs {

  private static final Logger LOG = LoggerFactory.getLogger(JobRunner.class);
  private static final int ERROR_LENGTH_BOUND = 500;

  /** The least character: a text with it appended is the next greater text. */
  private static final String LEAST = "\u0001";

  private final RecordStore store;
  private final StoreConfig.JobSettings rules;
  private final Clock clock;
  private final Semaphore places;
  private final Map<String, JobHandler> handlers = new ConcurrentHashMap<>();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition wake = lock.newCondition();

  /** Spaces in which jobs may have become due since the last check. */
  @GuardedBy("lock")
  private final Set<SpaceId> spacesToCheck = new HashSet<>();

  /** Spaces with due jobs that found no free slot; checked again when a running job frees one. */
  private final Set<SpaceId> starved = ConcurrentHashMap.newKeySet();

  @GuardedBy("lock")
  private boolean stopping;

  private @Nullable Thread thread;
  private ChangeFeed.@Nullable FeedSubscription feedSubscription;

  JobRunner(RecordStore store, StoreConfig.JobSettings rules, Clock clock) {
    this.store = store;
    this.rules = rules;
    this.clock = clock;
    this.places = new Semaphore(rules.concurrency());
  }

  @Override
  public void registerHandler(String kind, JobHandler handler) {
    if (handlers.putIfAbsent(kind, handler) != null) {
      throw new IllegalArgumentException("Jobs of kind '%s' have a handler".formatted(kind));
    }
  }

  @Override
  public int runDue(SpaceId space) {
    int attempts = 0;
    while (true) {
      List<Job> claimed = claimDueJobs(space, rules.concurrency());
      if (claimed.isEmpty()) {
        return attempts;
      }
      for (Job job : claimed) {
        runAttempt(space, job);
        attempts++;
      }
    }
  }

  @Override
  public long countUnhandled(SpaceId space) {
    Instant before = clock.instant().minus(rules.backoffLimit());
    return store.read(
        space,
        snapshot ->
            claimableKinds(snapshot).stream()
                .filter(kind -> !handlers.containsKey(kind))
                .mapToLong(kind -> snapshot.count(jobsOfKind(kind).until(before)))
                .sum());
  }

  /** Returns the kinds with claimable jobs, each found by one step along the index. */
  private static List<String> claimableKinds(Snapshot snapshot) {
    Query<Job> all = Query.over(TABLE, "kind", "claimable_at");
    List<String> kinds = new ArrayList<>();
    Optional<Job> next = snapshot.first(all);
    while (next.isPresent()) {
      kinds.add(next.get().kind());
      next = snapshot.first(all.from(next.get().kind() + LEAST));
    }
    return kinds;
  }

  @Override
  public void start() {
    if (thread != null) {
      throw new IllegalStateException("These jobs are running already");
    }
    feedSubscription = store.changes().subscribe(TABLE, this::requestCheck);
    thread = Thread.ofPlatform().name("caliber-jobs").daemon().start(this::runLoop);
  }

  private void requestCheck(SpaceId space) {
    lock.lock();
    try {
      spacesToCheck.add(space);
      wake.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void runLoop() {
    Map<SpaceId, Instant> nextLook = new HashMap<>();
    Instant nextSurvey = Instant.MIN;
    while (!isStopping()) {
      try {
        Instant now = clock.instant();
        if (!now.isBefore(nextSurvey)) {
          store.spaces().forEach(space -> nextLook.put(space, now));
          nextSurvey = now.plus(rules.pollInterval());
        }
        takeSpacesToCheck().forEach(space -> nextLook.put(space, now));
        for (Map.Entry<SpaceId, Instant> look : nextLook.entrySet()) {
          if (!look.getValue().isAfter(now)) {
            look.setValue(launchDueJobs(look.getKey()).orElse(Instant.MAX));
          }
        }
        pauseUntil(earliest(nextLook, nextSurvey));
      } catch (RuntimeException e) {
        LOG.warn(
            "The search for due jobs in the store failed; the job runner searches again soon. Cause: {}",
            e.getMessage());
        pauseUntil(clock.instant().plus(rules.pollInterval()));
      }
    }
  }

  /** Starts due jobs while slots are free; returns when to check again. */
  private Optional<Instant> launchDueJobs(SpaceId space) {
    starved.add(space); // added before the check, so that a slot freed right after it is noticed
    int free = places.availablePermits();
    if (free == 0) {
      return Optional.of(clock.instant().plus(rules.backoff()));
    }
    starved.remove(space);
    for (Job job : claimDueJobs(space, free)) {
      places.acquireUninterruptibly();
      Thread.ofVirtual()
          .name("caliber-job-" + job.kind())
          .start(
              () -> {
                try {
                  runAttempt(space, job);
                } finally {
                  places.release();
                  requestCheck(space);
                  starved.forEach(this::requestCheck);
                }
              });
    }
    return store.read(
        space,
        snapshot ->
            handlers.keySet().stream()
                .flatMap(kind -> snapshot.scan(jobsOfKind(kind), 1).records().stream())
                .map(Job::due)
                .min(Instant::compareTo));
  }

  /** Returns a query in order of due time; jobs of kinds without a handler here are never read. */
  private static Query<Job> jobsOfKind(String kind) {
    return Query.over(TABLE, "kind", "claimable_at").equal(kind);
  }

  private List<Job> dueJobs(Snapshot snapshot, int limit) {
    Instant after = clock.instant().plusNanos(TimeUnit.MICROSECONDS.toNanos(1));
    return handlers.keySet().stream()
        .flatMap(kind -> snapshot.scan(jobsOfKind(kind).until(after), limit).records().stream())
        .sorted(Comparator.comparing(Job::due).thenComparing(Job::id))
        .limit(limit)
        .toList();
  }

  /** Claims up to {@code limit} due jobs. It reads first, so that an idle space costs no commit. */
  private List<Job> claimDueJobs(SpaceId space, int limit) {
    if (store.read(space, snapshot -> dueJobs(snapshot, 1)).isEmpty()) {
      return List.of();
    }
    return store.write(
        space,
        transaction -> {
          List<Job> claimed = new ArrayList<>();
          for (Job job : dueJobs(transaction, limit)) {
            if (job.attempts() >= rules.attemptsLimit()) {
              transaction.put(
                  TABLE,
                  job.asDead(
                      "No attempt of the job is left (store.jobs.attempts-limit)", job.due()));
            } else {
              Job mine =
                  job.withClaim(transaction.newId(), transaction.now().plus(rules.leaseDuration()));
              transaction.put(TABLE, mine);
              claimed.add(mine);
            }
          }
          return claimed;
        });
  }

  private void runAttempt(SpaceId space, Job job) {
    try {
      JobHandler handler = java.util.Objects.requireNonNull(handlers.get(job.kind()));
      JobEffect effect = handler.run(new JobAttempt(space, job));
      boolean ended =
          store.write(
              space,
              transaction -> {
                if (!isStillClaimed(transaction, job)) {
                  return false;
                }
                effect.apply(transaction);
                transaction.delete(TABLE, job.id());
                return true;
              });
      if (!ended) {
        LOG.info(
            "Job {} (kind {}, space {}) was taken over by another runner; this attempt of the job has no effect",
            job.id(),
            job.kind(),
            space);
      }
    } catch (RuntimeException | Error e) {
      recordFailure(space, job, e);
    }
  }

  private void recordFailure(SpaceId space, Job job, Throwable cause) {
    String error = shortErrorText(cause);
    LOG.warn(
        "Attempt {} of job {} (kind {}, space {}) failed. Cause: {}",
        job.attempts(),
        job.id(),
        job.kind(),
        space,
        error);
    try {
      store.commit(
          space,
          transaction -> {
            if (isStillClaimed(transaction, job)) {
              Instant again = transaction.now().plus(retryPause(job, cause));
              transaction.put(TABLE, retriedOrDead(job, error, again));
            }
          });
    } catch (RuntimeException e) {
      LOG.warn(
          "The failure of job {} (kind {}, space {}) could not be recorded; the job runs again when its lease ends. Cause: {}",
          job.id(),
          job.kind(),
          space,
          e.getMessage());
    }
  }

  private Job retriedOrDead(Job job, String error, Instant again) {
    return job.attempts() >= rules.attemptsLimit()
        ? job.asDead(error, again)
        : job.withFailure(error, again);
  }

  /** Returns the pause that the called service asked for, within bounds; else the computed one. */
  private Duration retryPause(Job job, Throwable cause) {
    return Optional.of(cause)
        .filter(CaliberException.class::isInstance)
        .flatMap(known -> ((CaliberException) known).retryAfter())
        .map(wish -> Job.clamp(wish, rules.backoff(), rules.retryAfterLimit()))
        .orElseGet(() -> Job.backoff(rules, job.attempts()));
  }

  private static String shortErrorText(Throwable cause) {
    String text = cause.getClass().getSimpleName() + ": " + cause.getMessage();
    return text.length() <= ERROR_LENGTH_BOUND ? text : text.substring(0, ERROR_LENGTH_BOUND);
  }

  /** Returns whether this attempt still holds the job's claim. */
  private static boolean isStillClaimed(Snapshot snapshot, Job job) {
    return snapshot.find(TABLE, job.id()).flatMap(Job::claim).equals(job.claim());
  }

  private final class JobAttempt implements JobRun {
    private final SpaceId space;
    private final Job job;

    JobAttempt(SpaceId space, Job job) {
      this.space = space;
      this.job = job;
    }

    @Override
    public SpaceId space() {
      return space;
    }

    @Override
    public Job job() {
      return job;
    }

    @Override
    public boolean renewLease() {
      return !isStopping() && tryRenewLease();
    }

    private boolean tryRenewLease() {
      return store.write(
          space,
          transaction -> {
            boolean mine = isStillClaimed(transaction, job);
            if (mine) {
              transaction.put(
                  TABLE, job.withLeaseEnd(transaction.now().plus(rules.leaseDuration())));
            }
            return mine;
          });
    }
  }

  private Set<SpaceId> takeSpacesToCheck() {
    lock.lock();
    try {
      Set<SpaceId> taken = Set.copyOf(spacesToCheck);
      spacesToCheck.clear();
      return taken;
    } finally {
      lock.unlock();
    }
  }

  private static Instant earliest(Map<SpaceId, Instant> looks, Instant survey) {
    return looks.values().stream().min(Instant::compareTo).filter(survey::isAfter).orElse(survey);
  }

  private void pauseUntil(Instant time) {
    lock.lock();
    try {
      long nanos = Duration.between(clock.instant(), time).toNanos();
      while (spacesToCheck.isEmpty() && !stopping && nanos > 0) {
        nanos = wake.awaitNanos(nanos);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      stopping = true;
    } finally {
      lock.unlock();
    }
  }

  private boolean isStopping() {
    lock.lock();
    try {
      return stopping;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      stopping = true;
      wake.signalAll();
    } finally {
      lock.unlock();
    }
    if (thread != null) {
      UninterruptibleWait.join(thread);
    }
    places.acquireUninterruptibly(rules.concurrency());
    if (feedSubscription != null) {
      feedSubscription.close();
    }
  }
}
