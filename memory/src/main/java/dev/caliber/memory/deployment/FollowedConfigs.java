package dev.caliber.memory.deployment;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.ChangeFeed;
import dev.caliber.store.Commit;
import dev.caliber.store.FeedCursor;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Snapshot;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.StoreErrorCode;
import dev.caliber.store.StoreException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one immutable view for each space that was asked for.
 *
 * <p>Lock order: {@code loading}, then nothing. {@code signals} is held only to add and take names.
 */
final class FollowedConfigs implements ActiveConfigs {
  private static final Logger LOG = LoggerFactory.getLogger(ActiveConfigs.class);

  private final RecordStore store;
  private final Deployments deployments;
  private final StoreConfig.Feed rules;

  /** Written under {@code loading} only; read by everybody. */
  private final Map<SpaceId, View> views = new ConcurrentHashMap<>();

  private final ReentrantLock loading = new ReentrantLock();
  private final ReentrantLock signals = new ReentrantLock();
  private final Condition signalled = signals.newCondition();

  @GuardedBy("signals")
  private final Set<SpaceId> stirred = new HashSet<>();

  @GuardedBy("signals")
  private boolean stopping;

  private final Thread thread;
  private final ChangeFeed.Watch watch;

  /** What was active, and up to where the feed was seen. */
  private record View(FeedCursor seen, Optional<ActiveConfig> active) {}

  private FollowedConfigs(RecordStore store, StoreConfig.Feed rules) {
    this.store = store;
    this.deployments = Deployments.of(store);
    this.rules = rules;
    this.thread = Thread.ofPlatform().name("caliber-active-configs").daemon().unstarted(this::run);
    this.watch = store.changes().watch(StoredConfig.TABLE, this::stir);
  }

  static FollowedConfigs follow(RecordStore store, StoreConfig.Feed rules) {
    var configs = new FollowedConfigs(store, rules);
    configs.thread.start();
    return configs;
  }

  @Override
  public Optional<ActiveConfig> current(SpaceId space) {
    View view = views.get(space);
    return (view == null ? load(space) : view).active();
  }

  @Override
  public Optional<ActiveConfig> current(Snapshot snapshot) {
    View view = views.get(snapshot.space());
    if (view != null) {
      return view.active();
    }
    stir(snapshot.space());
    return deployments.active(snapshot).map(ActiveConfig::of);
  }

  @Override
  public Optional<ActiveConfig> current(SpaceId space, long sequence) {
    View view = views.get(space);
    return (view == null || view.seen().sequence() < sequence ? load(space) : view).active();
  }

  @Override
  public Optional<ActiveConfig> at(Snapshot snapshot, Instant time) {
    return deployments.active(snapshot, time).map(stored -> reuse(snapshot.space(), stored));
  }

  /** Reads what is active as of now. */
  private View load(SpaceId space) {
    loading.lock();
    try {
      long epoch = store.changes().head(space).epoch();
      View view =
          store.read(
              space,
              snapshot ->
                  new View(
                      new FeedCursor(epoch, snapshot.sequence()),
                      deployments.active(snapshot).map(stored -> reuse(space, stored))));
      views.put(space, view);
      return view;
    } finally {
      loading.unlock();
    }
  }

  /** A version that is known already is not read again: it cannot have changed. */
  private ActiveConfig reuse(SpaceId space, StoredConfig stored) {
    return Optional.ofNullable(views.get(space))
        .flatMap(View::active)
        .filter(active -> active.id().equals(stored.id()))
        .orElseGet(() -> ActiveConfig.of(stored));
  }

  private void run() {
    while (true) {
      Set<SpaceId> spaces = awaitStirred();
      if (isStopping()) {
        return;
      }
      spaces.forEach(this::tryToCatchUp);
    }
  }

  private void tryToCatchUp(SpaceId space) {
    try {
      catchUp(space);
    } catch (CaliberException e) {
      LOG.warn("The configuration of {} stays as it is for now: {}", space, e.report());
    } catch (RuntimeException e) {
      LOG.error("The configuration of {} stays as it is for now", space, e);
    }
  }

  /** Reads the feed from where it was seen, and the configuration anew if it was touched. */
  private void catchUp(SpaceId space) {
    View view = views.get(space);
    if (view == null) {
      load(space);
      return;
    }
    FeedCursor cursor = view.seen();
    boolean touched = false;
    List<Commit> commits;
    do {
      commits = read(space, cursor);
      touched |= commits.stream().anyMatch(FollowedConfigs::touchesConfigs);
      cursor = commits.isEmpty() ? cursor : after(cursor, commits.getLast());
    } while (!touched && commits.size() == rules.pageLimit());
    if (touched) {
      load(space);
    } else {
      advance(space, cursor);
    }
  }

  private List<Commit> read(SpaceId space, FeedCursor cursor) {
    try {
      return store.changes().read(space, cursor, rules.pageLimit());
    } catch (StoreException e) {
      if (e.code() == StoreErrorCode.FEED_TRUNCATED) {
        load(space);
        return List.of();
      }
      throw e;
    }
  }

  private static FeedCursor after(FeedCursor cursor, Commit commit) {
    return new FeedCursor(cursor.epoch(), commit.sequence());
  }

  private static boolean touchesConfigs(Commit commit) {
    return commit.changes().stream()
        .anyMatch(change -> change.table().equals(StoredConfig.TABLE.name()));
  }

  /** Notes how far the feed was seen, unless somebody has read further meanwhile. */
  private void advance(SpaceId space, FeedCursor seen) {
    loading.lock();
    try {
      views.computeIfPresent(
          space,
          (_, view) ->
              view.seen().epoch() == seen.epoch() && view.seen().sequence() < seen.sequence()
                  ? new View(seen, view.active())
                  : view);
    } finally {
      loading.unlock();
    }
  }

  private void stir(SpaceId space) {
    signals.lock();
    try {
      stirred.add(space);
      signalled.signalAll();
    } finally {
      signals.unlock();
    }
  }

  /** The spaces that were stirred; all known ones when nothing was heard for a while. */
  private Set<SpaceId> awaitStirred() {
    signals.lock();
    try {
      long nanos = rules.pollInterval().toNanos();
      while (stirred.isEmpty() && !stopping && nanos > 0) {
        nanos = signalled.awaitNanos(nanos);
      }
      Set<SpaceId> spaces = Set.copyOf(stirred.isEmpty() ? views.keySet() : stirred);
      stirred.clear();
      return spaces;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      stopping = true;
      return Set.of();
    } finally {
      signals.unlock();
    }
  }

  private boolean isStopping() {
    signals.lock();
    try {
      return stopping;
    } finally {
      signals.unlock();
    }
  }

  @Override
  public void close() {
    watch.close();
    signals.lock();
    try {
      stopping = true;
      signalled.signalAll();
    } finally {
      signals.unlock();
    }
    try {
      thread.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
