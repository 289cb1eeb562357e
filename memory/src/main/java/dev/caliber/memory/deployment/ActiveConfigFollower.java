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
 * Active configurations that follow the change feed, with one immutable view for each space in use.
 *
 * <p>Lock order: {@code loading}, then nothing. {@code signals} is held only to add and take names.
 */
final class ActiveConfigFollower implements ActiveConfigs {
  private static final Logger LOG = LoggerFactory.getLogger(ActiveConfigs.class);

  private final RecordStore store;
  private final Deployments deployments;
  private final StoreConfig.FeedSettings rules;

  /** Written under {@code loading} only; read without a lock. */
  private final Map<SpaceId, ActiveConfigView> views = new ConcurrentHashMap<>();

  private final ReentrantLock loading = new ReentrantLock();
  private final ReentrantLock signals = new ReentrantLock();
  private final Condition signalled = signals.newCondition();

  @GuardedBy("signals")
  private final Set<SpaceId> signalledSpaces = new HashSet<>();

  @GuardedBy("signals")
  private boolean stopping;

  private final Thread thread;
  private final ChangeFeed.FeedSubscription feedSubscription;

  /** Active configuration, and the position in the feed up to which it is known. */
  private record ActiveConfigView(FeedCursor seen, Optional<ActiveConfig> active) {}

  private ActiveConfigFollower(RecordStore store, StoreConfig.FeedSettings rules) {
    this.store = store;
    this.deployments = Deployments.of(store);
    this.rules = rules;
    this.thread =
        Thread.ofPlatform().name("caliber-active-configs").daemon().unstarted(this::followFeed);
    this.feedSubscription = store.changes().subscribe(StoredConfig.TABLE, this::signalChange);
  }

  static ActiveConfigFollower follow(RecordStore store, StoreConfig.FeedSettings rules) {
    var configs = new ActiveConfigFollower(store, rules);
    configs.thread.start();
    return configs;
  }

  @Override
  public Optional<ActiveConfig> activeConfig(SpaceId space) {
    ActiveConfigView activeConfigView = views.get(space);
    return (activeConfigView == null ? load(space) : activeConfigView).active();
  }

  @Override
  public Optional<ActiveConfig> activeConfig(Snapshot snapshot) {
    ActiveConfigView activeConfigView = views.get(snapshot.space());
    if (activeConfigView != null) {
      return activeConfigView.active();
    }
    signalChange(snapshot.space());
    return deployments.activeVersion(snapshot).map(ActiveConfig::of);
  }

  @Override
  public Optional<ActiveConfig> activeConfig(SpaceId space, long sequence) {
    ActiveConfigView activeConfigView = views.get(space);
    return (activeConfigView == null || activeConfigView.seen().sequence() < sequence
            ? load(space)
            : activeConfigView)
        .active();
  }

  @Override
  public Optional<ActiveConfig> activeConfigAt(Snapshot snapshot, Instant time) {
    return deployments.activeVersion(snapshot, time).map(stored -> reuse(snapshot.space(), stored));
  }

  /** Reads the active configuration as of now. */
  private ActiveConfigView load(SpaceId space) {
    loading.lock();
    try {
      long epoch = store.changes().head(space).epoch();
      ActiveConfigView activeConfigView =
          store.read(
              space,
              snapshot ->
                  new ActiveConfigView(
                      new FeedCursor(epoch, snapshot.sequence()),
                      deployments.activeVersion(snapshot).map(stored -> reuse(space, stored))));
      views.put(space, activeConfigView);
      return activeConfigView;
    } finally {
      loading.unlock();
    }
  }

  /** Returns the known instance of a version, which never changes, or a new one. */
  private ActiveConfig reuse(SpaceId space, StoredConfig stored) {
    return Optional.ofNullable(views.get(space))
        .flatMap(ActiveConfigView::active)
        .filter(active -> active.id().equals(stored.id()))
        .orElseGet(() -> ActiveConfig.of(stored));
  }

  private void followFeed() {
    while (true) {
      Set<SpaceId> spaces = awaitSignalled();
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
      LOG.warn(
          "Space {}: the active configuration could not be reloaded; the previously loaded configuration stays in use. Cause: {}",
          space,
          e.toLine());
    } catch (RuntimeException e) {
      LOG.error(
          "Space {}: the active configuration could not be reloaded; the previously loaded configuration stays in use",
          space,
          e);
    }
  }

  /** Reads the feed from the known position, and reloads the configuration if it was changed. */
  private void catchUp(SpaceId space) {
    ActiveConfigView activeConfigView = views.get(space);
    if (activeConfigView == null) {
      load(space);
      return;
    }
    FeedCursor cursor = activeConfigView.seen();
    boolean touched = false;
    List<Commit> commits;
    do {
      commits = read(space, cursor);
      touched |= commits.stream().anyMatch(ActiveConfigFollower::touchesConfigs);
      cursor = commits.isEmpty() ? cursor : cursorAfter(cursor, commits.getLast());
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

  private static FeedCursor cursorAfter(FeedCursor cursor, Commit commit) {
    return new FeedCursor(cursor.epoch(), commit.sequence());
  }

  private static boolean touchesConfigs(Commit commit) {
    return commit.changes().stream()
        .anyMatch(recordChange -> recordChange.table().equals(StoredConfig.TABLE.name()));
  }

  /** Stores the position in the feed, unless another thread has read further. */
  private void advance(SpaceId space, FeedCursor seen) {
    loading.lock();
    try {
      views.computeIfPresent(
          space,
          (_, activeConfigView) ->
              activeConfigView.seen().epoch() == seen.epoch()
                      && activeConfigView.seen().sequence() < seen.sequence()
                  ? new ActiveConfigView(seen, activeConfigView.active())
                  : activeConfigView);
    } finally {
      loading.unlock();
    }
  }

  private void signalChange(SpaceId space) {
    signals.lock();
    try {
      signalledSpaces.add(space);
      signalled.signalAll();
    } finally {
      signals.unlock();
    }
  }

  /** Returns the signalled spaces; all known ones if there was no signal for the poll interval. */
  private Set<SpaceId> awaitSignalled() {
    signals.lock();
    try {
      long nanos = rules.pollInterval().toNanos();
      while (signalledSpaces.isEmpty() && !stopping && nanos > 0) {
        nanos = signalled.awaitNanos(nanos);
      }
      Set<SpaceId> spaces =
          Set.copyOf(signalledSpaces.isEmpty() ? views.keySet() : signalledSpaces);
      signalledSpaces.clear();
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
    feedSubscription.close();
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
