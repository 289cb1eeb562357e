package dev.caliber.server.webhook;

import dev.caliber.kernel.Json;
import dev.caliber.kernel.SpaceId;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.store.ChangeFeed;
import dev.caliber.store.Commit;
import dev.caliber.store.FeedCursor;
import dev.caliber.store.JobRequest;
import dev.caliber.store.Jobs;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Transaction;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns commits into deliveries: one follower for each space that has a webhook. Deliveries and how
 * far they reach are one commit, so that each commit of the feed becomes a delivery once, however
 * many processes follow.
 */
final class FeedFollower implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(FeedFollower.class);
  private static final int WEBHOOKS_BOUND = 1000;

  private final RecordStore store;
  private final ChangeFeed feed;
  private final ServerConfig.Keeping pace;
  private final Map<SpaceId, Thread> following = new ConcurrentHashMap<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final ChangeFeed.Watch watch;

  FeedFollower(RecordStore store, ServerConfig.Keeping pace) {
    this.store = store;
    this.feed = store.changes();
    this.pace = pace;
    this.watch = feed.watch(Webhook.TABLE, this::tend);
    store.spaces().forEach(this::tend);
  }

  static List<Webhook> webhooks(Snapshot snapshot) {
    return snapshot.scan(Query.over(Webhook.TABLE), WEBHOOKS_BOUND).records();
  }

  private List<Webhook> webhooks(SpaceId space) {
    return store.read(space, FeedFollower::webhooks);
  }

  private void tend(SpaceId space) {
    if (!isClosed()) {
      following.computeIfAbsent(
          space,
          _ ->
              Thread.ofVirtual()
                  .name("caliber-webhooks-" + space.value())
                  .start(() -> followUntilNobodyListens(space)));
    }
  }

  private boolean isClosed() {
    return closed.getCount() == 0;
  }

  private void followUntilNobodyListens(SpaceId space) {
    try {
      boolean again = true;
      while (again && !isClosed()) {
        again = tryToFollow(space);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // only a stop interrupts
      return;
    }
    following.remove(space);
    if (!isClosed() && hasAny(space)) {
      tend(space); // one was made between the last look and now
    }
  }

  /** Also where nobody can say: whoever follows looks again. */
  private boolean hasAny(SpaceId space) {
    try {
      return !webhooks(space).isEmpty();
    } catch (RuntimeException e) {
      LOG.warn("Webhooks of space {} cannot be read: {}", space, e.getMessage());
      return true;
    }
  }

  /** Whether there is a reason to begin anew. */
  private boolean tryToFollow(SpaceId space) throws InterruptedException {
    try {
      follow(space);
      return false;
    } catch (RuntimeException e) {
      if (!isClosed()) {
        LOG.warn("Webhooks of space {} begin anew: {}", space, e.getMessage());
      }
      return !closed.await(pace.heartbeat().toNanos(), TimeUnit.NANOSECONDS);
    }
  }

  private void follow(SpaceId space) throws InterruptedException {
    List<Webhook> webhooks = webhooks(space);
    FeedCursor cursor = start(space, webhooks);
    FeedCursor acknowledged = cursor;
    while (!isClosed() && !webhooks.isEmpty()) {
      List<Commit> commits = feed.await(space, cursor, pace.batch(), pace.heartbeat());
      if (commits.isEmpty() || cursor.sequence() - acknowledged.sequence() >= pace.batch()) {
        feed.acknowledge(space, FedUntil.NAME, cursor);
        acknowledged = cursor;
      }
      if (commits.isEmpty()) {
        continue;
      }
      if (commits.stream().anyMatch(FeedFollower::isAboutWebhooks)) {
        webhooks = webhooks(space);
      }
      cursor = hand(space, cursor, commits, webhooks);
    }
    feed.forget(space, FedUntil.NAME);
  }

  private static boolean isAboutWebhooks(Commit commit) {
    return commit.changes().stream()
        .anyMatch(change -> change.table().equals(Webhook.TABLE.name()));
  }

  /** Where it has stopped; what is no longer there has been told, or is told to nobody. */
  private FeedCursor start(SpaceId space, List<Webhook> webhooks) {
    FeedCursor head = feed.head(space);
    long first = webhooks.stream().mapToLong(Webhook::since).min().orElse(head.sequence());
    long fed =
        store
            .read(space, snapshot -> snapshot.find(FedUntil.TABLE, FedUntil.NAME))
            .map(FedUntil::cursor)
            .filter(cursor -> cursor.epoch() == head.epoch())
            .map(FeedCursor::sequence)
            .orElse(first);
    long seen =
        feed.position(space, FedUntil.NAME)
            .filter(cursor -> cursor.epoch() == head.epoch())
            .map(FeedCursor::sequence)
            .orElse(first);
    long oldest = feed.oldest(space).sequence();
    long start = Math.max(Math.max(first, fed), Math.max(seen, oldest));
    return new FeedCursor(head.epoch(), Math.min(start, head.sequence()));
  }

  /** Makes deliveries of these commits, unless another process has; answers where to go on. */
  private FeedCursor hand(
      SpaceId space, FeedCursor from, List<Commit> commits, List<Webhook> webhooks) {
    FeedCursor until = new FeedCursor(from.epoch(), commits.getLast().sequence());
    List<Message> messages =
        commits.stream()
            .flatMap(
                commit ->
                    webhooks.stream()
                        .filter(webhook -> !webhook.of(commit).isEmpty())
                        .map(webhook -> Message.of(webhook, from.epoch(), commit)))
            .toList();
    return messages.isEmpty()
        ? until
        : store.write(space, transaction -> schedule(transaction, from, until, messages));
  }

  private static FeedCursor schedule(
      Transaction transaction, FeedCursor from, FeedCursor until, List<Message> messages) {
    Optional<FeedCursor> ahead =
        transaction
            .find(FedUntil.TABLE, FedUntil.NAME)
            .map(FedUntil::cursor)
            .filter(cursor -> cursor.epoch() == from.epoch())
            .filter(cursor -> cursor.sequence() > from.sequence());
    if (ahead.isPresent()) {
      return ahead.get();
    }
    for (Message message : messages) {
      Jobs.schedule(
          transaction,
          JobRequest.of(Webhooks.KIND, Json.text(message), transaction.now()).once(message.name()));
    }
    transaction.put(FedUntil.TABLE, FedUntil.of(until));
    return until;
  }

  /** The store is closed next: nobody may read it any more. */
  @Override
  public void close() {
    closed.countDown();
    watch.close();
    following.values().forEach(Thread::interrupt);
    try {
      for (Thread thread : following.values()) {
        boolean _ = thread.join(pace.heartbeat());
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
