package dev.caliber.store;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.SpaceId;
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

/** Claims due jobs and runs them, a bounded number at a time. */
final class JobRunner implements Jobs {

  private static final Logger LOG = LoggerFactory.getLogger(JobRunner.class);
  private static final int ERROR_LENGTH_BOUND = 500;

  /** The least character: behind a text with it comes whatever is greater than that text. */
  private static final String LEAST = "\u0001";

  private final RecordStore store;
  private final StoreConfig.JobRules rules;
  private final Clock clock;
  private final Semaphore places;
  private final Map<String, JobHandler> handlers = new ConcurrentHashMap<>();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition wake = lock.newCondition();

  /** Spaces in which jobs may have become due since they were last looked at. */
  @GuardedBy("lock")
  private final Set<SpaceId> stirred = new HashSet<>();

  /** Spaces in which jobs may be due that found no place; whoever frees one stirs them. */
  private final Set<SpaceId> starved = ConcurrentHashMap.newKeySet();

  @GuardedBy("lock")
  private boolean stopping;

  private @Nullable Thread thread;
  private ChangeFeed.@Nullable Watch watch;

  JobRunner(RecordStore store, StoreConfig.JobRules rules, Clock clock) {
    this.store = store;
    this.rules = rules;
    this.clock = clock;
    this.places = new Semaphore(rules.parallel());
  }

  @Override
  public void handle(String kind, JobHandler handler) {
    if (handlers.putIfAbsent(kind, handler) != null) {
      throw new IllegalArgumentException("Jobs of kind '%s' have a handler".formatted(kind));
    }
  }

  @Override
  public int runDue(SpaceId space) {
    int attempts = 0;
    while (true) {
      List<Job> claimed = claim(space, rules.parallel());
      if (claimed.isEmpty()) {
        return attempts;
      }
      for (Job job : claimed) {
        attempt(space, job);
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
            kinds(snapshot).stream()
                .filter(kind -> !handlers.containsKey(kind))
                .mapToLong(kind -> snapshot.count(ofKind(kind).until(before)))
                .sum());
  }

  /** The kinds of which there are jobs to claim, each found by one step along the index. */
  private static List<String> kinds(Snapshot snapshot) {
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
    watch = store.changes().watch(TABLE, this::stir);
    thread = Thread.ofPlatform().name("caliber-jobs").daemon().start(this::loop);
  }

  private void stir(SpaceId space) {
    lock.lock();
    try {
      stirred.add(space);
      wake.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void loop() {
    Map<SpaceId, Instant> nextLook = new HashMap<>();
    Instant nextSurvey = Instant.MIN;
    while (!isStopping()) {
      try {
        Instant now = clock.instant();
        if (!now.isBefore(nextSurvey)) {
          store.spaces().forEach(space -> nextLook.put(space, now));
          nextSurvey = now.plus(rules.pollInterval());
        }
        takeStirred().forEach(space -> nextLook.put(space, now));
        for (Map.Entry<SpaceId, Instant> look : nextLook.entrySet()) {
          if (!look.getValue().isAfter(now)) {
            look.setValue(launchDue(look.getKey()).orElse(Instant.MAX));
          }
        }
        pauseUntil(earliest(nextLook, nextSurvey));
      } catch (RuntimeException e) {
        LOG.warn("Looking for jobs failed and will be tried again: {}", e.getMessage());
        pauseUntil(clock.instant().plus(rules.pollInterval()));
      }
    }
  }

  /** Starts what is due as far as there are places; returns when to look again. */
  private Optional<Instant> launchDue(SpaceId space) {
    starved.add(space); // before the look, so that a place freed right after it is noticed
    int free = places.availablePermits();
    if (free == 0) {
      return Optional.of(clock.instant().plus(rules.backoff()));
    }
    starved.remove(space);
    for (Job job : claim(space, free)) {
      places.acquireUninterruptibly();
      Thread.ofVirtual()
          .name("caliber-job-" + job.kind())
          .start(
              () -> {
                try {
                  attempt(space, job);
                } finally {
                  places.release();
                  stir(space);
                  starved.forEach(this::stir);
                }
              });
    }
    return store.read(
        space,
        snapshot ->
            handlers.keySet().stream()
                .flatMap(kind -> snapshot.scan(ofKind(kind), 1).records().stream())
                .map(Job::due)
                .min(Instant::compareTo));
  }

  /**
   * By the time at which they can be claimed; jobs that nobody here handles are never looked at.
   */
  private static Query<Job> ofKind(String kind) {
    return Query.over(TABLE, "kind", "claimable_at").equal(kind);
  }

  private List<Job> due(Snapshot snapshot, int limit) {
    Instant after = clock.instant().plusNanos(TimeUnit.MICROSECONDS.toNanos(1));
    return handlers.keySet().stream()
        .flatMap(kind -> snapshot.scan(ofKind(kind).until(after), limit).records().stream())
        .sorted(Comparator.comparing(Job::due).thenComparing(Job::id))
        .limit(limit)
        .toList();
  }

  /** Takes up to {@code limit} due jobs; looks first, so that an idle space costs no commit. */
  private List<Job> claim(SpaceId space, int limit) {
    if (store.read(space, snapshot -> due(snapshot, 1)).isEmpty()) {
      return List.of();
    }
    return store.write(
        space,
        transaction -> {
          List<Job> claimed = new ArrayList<>();
          for (Job job : due(transaction, limit)) {
            if (job.attempts() >= rules.attemptsLimit()) {
              transaction.put(TABLE, job.givenUp("No attempt is left", job.due()));
            } else {
              Job mine = job.claimed(transaction.newId(), transaction.now().plus(rules.lease()));
              transaction.put(TABLE, mine);
              claimed.add(mine);
            }
          }
          return claimed;
        });
  }

  private void attempt(SpaceId space, Job job) {
    try {
      JobHandler handler = java.util.Objects.requireNonNull(handlers.get(job.kind()));
      JobEffect effect = handler.run(new Attempt(space, job));
      boolean ended =
          store.write(
              space,
              transaction -> {
                if (!holds(transaction, job)) {
                  return false;
                }
                effect.apply(transaction);
                transaction.delete(TABLE, job.id());
                return true;
              });
      if (!ended) {
        LOG.info("A job of kind {} was taken over; this attempt has no effect", job.kind());
      }
    } catch (RuntimeException | Error e) {
      fail(space, job, e);
    }
  }

  private void fail(SpaceId space, Job job, Throwable cause) {
    String error = shortened(cause);
    LOG.warn("Attempt {} of a job of kind {} failed: {}", job.attempts(), job.kind(), error);
    try {
      store.write(
          space,
          transaction -> {
            if (holds(transaction, job)) {
              Instant again = transaction.now().plus(pause(job, cause));
              transaction.put(TABLE, afterFailure(job, error, again));
            }
            return true;
          });
    } catch (RuntimeException e) {
      LOG.warn("The failure could not be recorded; the lease will end: {}", e.getMessage());
    }
  }

  private Job afterFailure(Job job, String error, Instant again) {
    return job.attempts() >= rules.attemptsLimit()
        ? job.givenUp(error, again)
        : job.failed(error, again);
  }

  /** What whoever was asked wishes for, within bounds; else the computed pause. */
  private Duration pause(Job job, Throwable cause) {
    return Optional.of(cause)
        .filter(CaliberException.class::isInstance)
        .flatMap(known -> ((CaliberException) known).retryAfter())
        .map(wish -> Job.bounded(wish, rules.backoff(), rules.retryAfterLimit()))
        .orElseGet(() -> Job.backoff(rules, job.attempts()));
  }

  private static String shortened(Throwable cause) {
    String text = cause.getClass().getSimpleName() + ": " + cause.getMessage();
    return text.length() <= ERROR_LENGTH_BOUND ? text : text.substring(0, ERROR_LENGTH_BOUND);
  }

  /** Whether this attempt is still the one that counts. */
  private static boolean holds(Snapshot snapshot, Job job) {
    return snapshot.find(TABLE, job.id()).flatMap(Job::claim).equals(job.claim());
  }

  private final class Attempt implements JobRun {
    private final SpaceId space;
    private final Job job;

    Attempt(SpaceId space, Job job) {
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
    public boolean renew() {
      return !isStopping() && renewed();
    }

    private boolean renewed() {
      return store.write(
          space,
          transaction -> {
            boolean mine = holds(transaction, job);
            if (mine) {
              transaction.put(TABLE, job.leasedUntil(transaction.now().plus(rules.lease())));
            }
            return mine;
          });
    }
  }

  private Set<SpaceId> takeStirred() {
    lock.lock();
    try {
      Set<SpaceId> taken = Set.copyOf(stirred);
      stirred.clear();
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
      while (stirred.isEmpty() && !stopping && nanos > 0) {
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
      Outcomes.join(thread);
    }
    places.acquireUninterruptibly(rules.parallel());
    if (watch != null) {
      watch.close();
    }
  }
}
