package dev.caliber.server.webhook;

import dev.caliber.kernel.Chance;
import dev.caliber.kernel.Json;
import dev.caliber.models.Outbound;
import dev.caliber.server.operation.Operation;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.store.JobEffect;
import dev.caliber.store.JobRun;
import dev.caliber.store.Jobs;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Table;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Tells addresses outside of commits. A message is a job: tried again with pauses, put aside when
 * the last attempt fails, and delivered at least once under a name that stays the same.
 */
public final class Webhooks implements AutoCloseable {
  static final String KIND = "webhook";

  private final Parts parts;
  private final Sender sender;
  private final FeedFollower follower;

  private Webhooks(Parts parts, Jobs jobs) {
    this.parts = parts;
    this.sender = new Sender(parts.store(), parts.outbound(), parts.clock());
    jobs.handle(KIND, this::deliver);
    this.follower = new FeedFollower(parts.store(), parts.config().keeping());
  }

  /**
   * What they stand on.
   *
   * @param tables the names of all tables that a webhook can ask for
   */
  public record Parts(
      RecordStore store,
      Outbound outbound,
      ServerConfig config,
      Set<String> tables,
      Clock clock,
      Chance chance) {
    public Parts {
      tables = Set.copyOf(tables);
    }
  }

  /** Begins to follow; deliveries are made when the jobs run. */
  public static Webhooks start(Parts parts, Jobs jobs) {
    return new Webhooks(parts, jobs);
  }

  /** What the store has to be opened with. */
  public static List<Table<?>> tables() {
    return List.of(Webhook.TABLE, WebhookSecret.TABLE, FedUntil.TABLE);
  }

  public List<Operation<?, ?>> operations() {
    return new WebhookOperations(parts, sender).all();
  }

  private JobEffect deliver(JobRun run) {
    Message message = Json.read(run.job().payload(), Message.class);
    Optional<Webhook> webhook =
        parts
            .store()
            .read(run.space(), snapshot -> snapshot.find(Webhook.TABLE, message.webhook()));
    if (webhook.isPresent()) {
      Sender.Outcome outcome = sender.send(webhook.get(), message);
      if (!outcome.isTaken()) {
        throw WebhookException.refused(outcome.status(), outcome.retryAfter());
      }
    }
    return JobEffect.none();
  }

  @Override
  public void close() {
    follower.close();
    sender.close();
  }
}
