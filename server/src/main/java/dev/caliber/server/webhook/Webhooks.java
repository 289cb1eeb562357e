package dev.caliber.server.webhook;

import dev.caliber.kernel.Chance;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.SpaceId;
import dev.caliber.models.Outbound;
import dev.caliber.server.operation.Operation;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.store.JobEffect;
import dev.caliber.store.JobRun;
import dev.caliber.store.Jobs;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells addresses outside of commits. A message is a job: tried again with pauses, put aside when
 * the last attempt fails, and delivered at least once under a name that stays the same.
 */
public final class Webhooks implements AutoCloseable {
  static final String KIND = "webhook";

  private static final Logger LOG = LoggerFactory.getLogger(Webhooks.class);

  /** How many secrets of an older version are encrypted at one start. */
  private static final int SECRETS_BOUND = 1000;

  private final Parts parts;
  private final Sender sender;
  private final SecretBox secrets;
  private final FeedFollower follower;

  private Webhooks(Parts parts, Jobs jobs) {
    this.parts = parts;
    this.secrets = new SecretBox(parts.keys(), parts.chance());
    this.sender = new Sender(parts.store(), parts.outbound(), secrets, parts.clock());
    sealOld();
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
      SecretKeys keys,
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
    return new WebhookOperations(parts, sender, secrets).all();
  }

  /** Encrypts secrets that an older version wrote in plain text. */
  private void sealOld() {
    List<WebhookSecret> plain =
        parts.store().spaces().contains(SpaceId.SERVER)
            ? parts.store().read(SpaceId.SERVER, Webhooks::plainSecrets)
            : List.of();
    if (plain.isEmpty()) {
      return;
    }
    if (!secrets.canSeal()) {
      LOG.warn(
          "{} webhook secrets are stored in plain text. Set {} to base64 of 32 random bytes and"
              + " restart; then they are encrypted.",
          plain.size(),
          parts.config().webhooks().keyVariable());
      return;
    }
    parts.store().write(SpaceId.SERVER, transaction -> sealAll(transaction, plain));
    LOG.info("{} webhook secrets that were stored in plain text are encrypted now", plain.size());
  }

  private static List<WebhookSecret> plainSecrets(Snapshot snapshot) {
    return snapshot
        .scan(
            Query.over(WebhookSecret.TABLE).where(each -> !SecretBox.isSealed(each.secret())),
            SECRETS_BOUND)
        .records();
  }

  private int sealAll(Transaction transaction, List<WebhookSecret> plain) {
    for (WebhookSecret each : plain) {
      String sealed = secrets.seal(each.webhook(), each.secret());
      transaction.put(WebhookSecret.TABLE, new WebhookSecret(each.webhook(), sealed));
    }
    return plain.size();
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
