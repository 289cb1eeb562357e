package dev.caliber.server.webhook;

import dev.caliber.kernel.Json;
import dev.caliber.kernel.RandomSource;
import dev.caliber.kernel.SpaceId;
import dev.caliber.models.GuardedHttpClient;
import dev.caliber.server.operation.Operation;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import dev.caliber.store.job.JobEffect;
import dev.caliber.store.job.JobRun;
import dev.caliber.store.job.Jobs;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The delivery of commits to addresses outside. A message is a job: it is retried with pauses, set
 * aside after the last attempt, and delivered at least once under an id that stays the same.
 */
public final class Webhooks implements AutoCloseable {
  static final String KIND = "server.webhook-delivery";

  private static final Logger LOG = LoggerFactory.getLogger(Webhooks.class);

  /** The most secrets of an older version that one start encrypts. */
  private static final int SECRETS_BOUND = 1000;

  private final WebhookDependencies webhookDependencies;
  private final WebhookSender webhookSender;
  private final WebhookSecretCipher secrets;
  private final WebhookFeedFollower follower;

  private Webhooks(WebhookDependencies webhookDependencies, Jobs jobs) {
    this.webhookDependencies = webhookDependencies;
    this.secrets =
        new WebhookSecretCipher(webhookDependencies.keys(), webhookDependencies.chance());
    this.webhookSender =
        new WebhookSender(
            webhookDependencies.store(),
            webhookDependencies.outbound(),
            secrets,
            webhookDependencies.clock());
    encryptPlainSecrets();
    jobs.registerHandler(KIND, this::deliverMessage);
    this.follower =
        new WebhookFeedFollower(
            webhookDependencies.store(), webhookDependencies.config().keeping());
  }

  /**
   * The dependencies of webhooks.
   *
   * @param tables the names of all tables that a webhook can ask for
   */
  public record WebhookDependencies(
      RecordStore store,
      GuardedHttpClient outbound,
      ServerConfig config,
      Set<String> tables,
      WebhookKeyProvider keys,
      Clock clock,
      RandomSource chance) {
    public WebhookDependencies {
      tables = Set.copyOf(tables);
    }
  }

  /** Starts following the feeds; jobs make the deliveries. */
  public static Webhooks start(WebhookDependencies webhookDependencies, Jobs jobs) {
    return new Webhooks(webhookDependencies, jobs);
  }

  /** The tables that the store has to be opened with. */
  public static List<Table<?>> tables() {
    return List.of(Webhook.TABLE, WebhookSecret.TABLE, WebhookCursor.TABLE);
  }

  public List<Operation<?, ?>> operations() {
    return new WebhookOperations(webhookDependencies, webhookSender, secrets).operations();
  }

  /** Encrypts secrets that an older version stored in plain text. */
  private void encryptPlainSecrets() {
    List<WebhookSecret> plain =
        webhookDependencies.store().spaces().contains(SpaceId.SERVER)
            ? webhookDependencies.store().read(SpaceId.SERVER, Webhooks::plainSecrets)
            : List.of();
    if (plain.isEmpty()) {
      return;
    }
    if (!secrets.canEncrypt()) {
      LOG.warn(
          "{} webhook secrets are stored in plain text. Set {} to base64 of 32 random bytes and"
              + " restart; then they are encrypted.",
          plain.size(),
          webhookDependencies.config().webhooks().keyVariable());
      return;
    }
    webhookDependencies
        .store()
        .write(SpaceId.SERVER, transaction -> encryptSecrets(transaction, plain));
    LOG.info("{} webhook secrets that were stored in plain text are encrypted now", plain.size());
  }

  private static List<WebhookSecret> plainSecrets(Snapshot snapshot) {
    return snapshot
        .scan(
            Query.over(WebhookSecret.TABLE)
                .where(each -> !WebhookSecretCipher.isEncrypted(each.secret())),
            SECRETS_BOUND)
        .records();
  }

  private int encryptSecrets(Transaction transaction, List<WebhookSecret> plain) {
    for (WebhookSecret each : plain) {
      String sealed = secrets.encrypt(each.webhook(), each.secret());
      transaction.put(WebhookSecret.TABLE, new WebhookSecret(each.webhook(), sealed));
    }
    return plain.size();
  }

  private JobEffect deliverMessage(JobRun run) {
    WebhookMessage webhookMessage = Json.read(run.job().payload(), WebhookMessage.class);
    Optional<Webhook> webhook =
        webhookDependencies
            .store()
            .read(run.space(), snapshot -> snapshot.find(Webhook.TABLE, webhookMessage.webhook()));
    if (webhook.isPresent()) {
      WebhookSender.WebhookResponse webhookResponse =
          webhookSender.sendMessage(webhook.get(), webhookMessage);
      if (!webhookResponse.isAccepted()) {
        throw WebhookException.deliveryRefused(
            webhookResponse.status(), webhookResponse.retryAfter());
      }
    }
    return JobEffect.none();
  }

  @Override
  public void close() {
    follower.close();
    webhookSender.close();
  }
}
