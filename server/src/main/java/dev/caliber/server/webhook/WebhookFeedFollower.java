package dev.caliber.server.webhook;

import dev.caliber.kernel.Json;
import dev.caliber.kernel.SpaceId;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.store.ChangeFeed;
import dev.caliber.store.Commit;
import dev.caliber.store.FeedCursor;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Transaction;
import dev.caliber.store.job.JobRequest;
import dev.caliber.store.job.Jobs;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A scheduler of deliveries for commits, with one follower for each space that has a webhook.
 * Deliveries and their cursor are one commit, so that each commit of the feed is delivered once,
 * with any number of processes.
 */
final class WebhookFeedFollower implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WebhookFeedFollower.class);
  private static final int WEBHOOKS_BOUND = 1000;

  private final RecordStore store;
  private final ChangeFeed feed;
  private final ServerConfig.ServerRetention pace;
  private final Map<SpaceId, Thread> following = new ConcurrentHashMap<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final ChangeFeed.FeedSubscription feedSubscription;

  WebhookFeedFollower(RecordStore store, ServerConfig.ServerRetention pace) {
    this.store = store;
    this.feed = store.changes();
    this.pace = pace;
    this.feedSubscription = feed.subscribe(Webhook.TABLE, this::startFollower);
    store.spaces().forEach(this::startFollower);
  }

  static List<Webhook> webhooks(Snapshot snapshot) {
    return snapshot.scan(Query.over(Webhook.TABLE), WEBHOOKS_BOUND).records();
  }

  private List<Webhook> webhooks(SpaceId space) {
    return store.read(space, WebhookFeedFollower::webhooks);
  }

  private void startFollower(SpaceId space) {
    if (!isClosed()) {
      following.computeIfAbsent(
          space,
          _ ->
              Thread.ofVirtual()
                  .name("caliber-webhooks-" + space.value())
                  .start(() -> followUntilNoWebhooks(space)));
    }
  }

  private boolean isClosed() {
    return closed.getCount() == 0;
  }

  private void followUntilNoWebhooks(SpaceId space) {
    try {
      boolean again = true;
      while (again && !isClosed()) {
        again = followOrRetry(space);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // only a stop interrupts
      return;
    }
    following.remove(space);
    if (!isClosed() && hasWebhooks(space)) {
      startFollower(space); // a webhook was created after the last check
    }
  }

  /** Returns whether the space has webhooks; true if that cannot be read: the follower retries. */
  private boolean hasWebhooks(SpaceId space) {
    try {
      return !webhooks(space).isEmpty();
    } catch (RuntimeException e) {
      LOG.warn(
          "Space {}: the webhooks cannot be read; reading them will be retried. Cause: {}",
          space,
          e.getMessage());
      return true;
    }
  }

  /** Follows the feed; returns whether to start again after a failure. */
  private boolean followOrRetry(SpaceId space) throws InterruptedException {
    try {
      follow(space);
      return false;
    } catch (RuntimeException e) {
      if (!isClosed()) {
        LOG.warn(
            "Space {}: reading new commits for webhooks failed and will be retried. Cause: {}",
            space,
            e.getMessage());
      }
      return !closed.await(pace.heartbeatInterval().toNanos(), TimeUnit.NANOSECONDS);
    }
  }

  private void follow(SpaceId space) throws InterruptedException {
    List<Webhook> webhooks = webhooks(space);
    FeedCursor cursor = startCursor(space, webhooks);
    FeedCursor acknowledged = cursor;
    while (!isClosed() && !webhooks.isEmpty()) {
      List<Commit> commits = feed.await(space, cursor, pace.batch(), pace.heartbeatInterval());
      if (commits.isEmpty() || cursor.sequence() - acknowledged.sequence() >= pace.batch()) {
        feed.acknowledge(space, WebhookCursor.NAME, cursor);
        acknowledged = cursor;
      }
      if (commits.isEmpty()) {
        continue;
      }
      if (commits.stream().anyMatch(WebhookFeedFollower::isAboutWebhooks)) {
        webhooks = webhooks(space);
      }
      cursor = scheduleDeliveries(space, cursor, commits, webhooks);
    }
    feed.forgetFollower(space, WebhookCursor.NAME);
  }

  private static boolean isAboutWebhooks(Commit commit) {
    return commit.changes().stream()
        .anyMatch(recordChange -> recordChange.table().equals(Webhook.TABLE.name()));
  }

  /** Returns the position to start at; events that the feed no longer retains are skipped. */
  private FeedCursor startCursor(SpaceId space, List<Webhook> webhooks) {
    FeedCursor head = feed.head(space);
    long first = webhooks.stream().mapToLong(Webhook::since).min().orElse(head.sequence());
    long fed =
        store
            .read(space, snapshot -> snapshot.find(WebhookCursor.TABLE, WebhookCursor.NAME))
            .map(WebhookCursor::cursor)
            .filter(cursor -> cursor.epoch() == head.epoch())
            .map(FeedCursor::sequence)
            .orElse(first);
    long seen =
        feed.followerCursor(space, WebhookCursor.NAME)
            .filter(cursor -> cursor.epoch() == head.epoch())
            .map(FeedCursor::sequence)
            .orElse(first);
    long oldest = feed.oldestCursor(space).sequence();
    long start = Math.max(Math.max(first, fed), Math.max(seen, oldest));
    return new FeedCursor(head.epoch(), Math.min(start, head.sequence()));
  }

  /**
   * Schedules deliveries of these commits, unless another process has; returns the next position.
   */
  private FeedCursor scheduleDeliveries(
      SpaceId space, FeedCursor from, List<Commit> commits, List<Webhook> webhooks) {
    FeedCursor until = new FeedCursor(from.epoch(), commits.getLast().sequence());
    List<WebhookMessage> messages =
        commits.stream()
            .flatMap(
                commit ->
                    webhooks.stream()
                        .filter(webhook -> !webhook.relevantChanges(commit).isEmpty())
                        .map(webhook -> WebhookMessage.of(webhook, from.epoch(), commit)))
            .toList();
    return messages.isEmpty()
        ? until
        : store.write(space, transaction -> scheduleMessages(transaction, from, until, messages));
  }

  private static FeedCursor scheduleMessages(
      Transaction transaction, FeedCursor from, FeedCursor until, List<WebhookMessage> messages) {
    Optional<FeedCursor> ahead =
        transaction
            .find(WebhookCursor.TABLE, WebhookCursor.NAME)
            .map(WebhookCursor::cursor)
            .filter(cursor -> cursor.epoch() == from.epoch())
            .filter(cursor -> cursor.sequence() > from.sequence());
    if (ahead.isPresent()) {
      return ahead.get();
    }
    for (WebhookMessage webhookMessage : messages) {
      Jobs.schedule(
          transaction,
          JobRequest.of(Webhooks.KIND, Json.text(webhookMessage), transaction.now())
              .withDeduplicationKey(webhookMessage.name()));
    }
    transaction.put(WebhookCursor.TABLE, WebhookCursor.of(until));
    return until;
  }

  /** Stops the followers before the store is closed. */
  @Override
  public void close() {
    closed.countDown();
    feedSubscription.close();
    following.values().forEach(Thread::interrupt);
    try {
      for (Thread thread : following.values()) {
        boolean _ = thread.join(pace.heartbeatInterval());
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
