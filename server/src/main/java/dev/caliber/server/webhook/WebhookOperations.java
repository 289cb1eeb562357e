package dev.caliber.server.webhook;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.Limit;
import dev.caliber.kernel.SpaceId;
import dev.caliber.server.operation.Caller;
import dev.caliber.server.operation.Operation;
import dev.caliber.server.operation.PageReader;
import dev.caliber.server.operation.PageResponse;
import dev.caliber.server.operation.ServerException;
import dev.caliber.store.Query;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Transaction;
import dev.caliber.store.job.Job;
import dev.caliber.store.job.JobState;
import dev.caliber.store.job.Jobs;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * The operations that create, list, test and delete webhooks, and list and retry their deliveries.
 */
final class WebhookOperations {
  private static final int SECRET_BYTES = 32;

  private final Webhooks.WebhookDependencies webhookDependencies;
  private final WebhookSender webhookSender;
  private final WebhookSecretCipher secrets;
  private final PageReader pageReader;

  WebhookOperations(
      Webhooks.WebhookDependencies webhookDependencies,
      WebhookSender webhookSender,
      WebhookSecretCipher secrets) {
    this.webhookDependencies = webhookDependencies;
    this.webhookSender = webhookSender;
    this.secrets = secrets;
    this.pageReader =
        PageReader.of(webhookDependencies.store(), webhookDependencies.config().limits());
  }

  List<Operation<?, ?>> operations() {
    return List.<Operation<?, ?>>of(
        Operation.longRunning("create_webhook", CreateWebhookRequest.class, this::create)
            .asConfidential(),
        pageReader.listOperation(
            "list_webhooks",
            PageReader.UnfilteredPageRequest.class,
            _ -> Query.over(Webhook.TABLE)),
        Operation.longRunning("delete_webhook", WebhookOrDeliveryRequest.class, this::delete),
        Operation.longRunning("test_webhook", WebhookOrDeliveryRequest.class, this::sendTest),
        Operation.readOnly(
            "list_webhook_deliveries", ListDeliveriesRequest.class, this::listDeliveries),
        Operation.transactional(
            "retry_webhook_delivery", WebhookOrDeliveryRequest.class, this::redeliver));
  }

  /** The request for a webhook; without tables, it receives all changes. */
  record CreateWebhookRequest(String url, List<String> tables, Optional<String> description) {}

  /** A webhook and its signing secret. */
  record CreatedWebhook(Webhook webhook, String secret) {}

  private CreatedWebhook create(Caller caller, CreateWebhookRequest request) {
    webhookSender.checkAddress(parseAddress(request.url()));
    List<String> tables = request.tables();
    for (int i = 0; i < tables.size(); i++) {
      requireTable(tables.get(i), i);
    }
    byte[] random = new byte[SECRET_BYTES];
    webhookDependencies.chance().nextBytes(random);
    String secret = WebhookSender.SECRET_PREFIX + Base64.getEncoder().encodeToString(random);
    Id id = storeSecret(secret);
    try {
      Webhook made =
          webhookDependencies
              .store()
              .write(caller.space(), transaction -> insertWebhook(transaction, id, request));
      return new CreatedWebhook(made, secret);
    } catch (RuntimeException e) {
      deleteSecret(id);
      throw e;
    }
  }

  /** Stores the secret before the webhook, so that no webhook is ever without one. */
  private Id storeSecret(String secret) {
    webhookDependencies.store().createSpace(SpaceId.SERVER);
    return webhookDependencies
        .store()
        .write(
            SpaceId.SERVER,
            transaction -> {
              Id id = transaction.newId();
              transaction.put(
                  WebhookSecret.TABLE, new WebhookSecret(id, secrets.encrypt(id, secret)));
              return id;
            });
  }

  private void deleteSecret(Id webhook) {
    webhookDependencies
        .store()
        .write(SpaceId.SERVER, transaction -> transaction.delete(WebhookSecret.TABLE, webhook));
  }

  private Webhook insertWebhook(Transaction transaction, Id id, CreateWebhookRequest request) {
    int most = webhookDependencies.config().webhooks().maxPerSpace();
    new Limit("server.webhooks.max-per-space", most)
        .requireWithin(WebhookFeedFollower.webhooks(transaction).size() + 1L);
    Webhook webhook =
        new Webhook(
            id,
            request.url(),
            request.tables(),
            request.description(),
            transaction.revision(),
            transaction.now());
    transaction.insert(Webhook.TABLE, webhook);
    return webhook;
  }

  private static URI parseAddress(String url) {
    try {
      URI address = new URI(url);
      if (address.getHost() != null && address.getUserInfo() == null) {
        return address;
      }
    } catch (URISyntaxException _) {
      // refused below, without quoting the address
    }
    throw ServerException.invalidInput(
        "/url", "Expected a URL with a host and without a user name");
  }

  private void requireTable(String table, int position) {
    if (!webhookDependencies.tables().contains(table) || Webhook.isWebhookTable(table)) {
      throw ServerException.invalidInput(
          "/tables/%d".formatted(position), "The records of this table cannot be sent to webhooks");
    }
  }

  record WebhookOrDeliveryRequest(Id id) {}

  private Webhook delete(Caller caller, WebhookOrDeliveryRequest request) {
    Webhook webhook = find(caller, request.id());
    webhookDependencies
        .store()
        .write(caller.space(), transaction -> transaction.delete(Webhook.TABLE, webhook.id()));
    deleteSecret(webhook.id());
    return webhook;
  }

  private Webhook find(Caller caller, Id id) {
    return webhookDependencies
        .store()
        .read(caller.space(), snapshot -> snapshot.find(Webhook.TABLE, id))
        .orElseThrow(() -> WebhookException.unknownWebhook(id));
  }

  /**
   * The result of a test.
   *
   * @param message its {@code webhook-id}
   */
  record WebhookTestResult(String message, int status, boolean taken) {}

  private WebhookTestResult sendTest(Caller caller, WebhookOrDeliveryRequest request) {
    Webhook webhook = find(caller, request.id());
    WebhookMessage webhookMessage =
        WebhookMessage.testMessage(webhook, caller.space(), webhookDependencies.clock().instant());
    WebhookSender.WebhookResponse webhookResponse =
        webhookSender.sendMessage(webhook, webhookMessage);
    return new WebhookTestResult(
        webhookMessage.name(), webhookResponse.status(), webhookResponse.isAccepted());
  }

  /** The filter of the delivery list by state; the default is those that were given up. */
  record ListDeliveriesRequest(
      Optional<JobState> state, Optional<Integer> limit, Optional<String> cursor)
      implements PageReader.PageRequest {}

  /**
   * A message that was not delivered yet.
   *
   * @param message its {@code webhook-id}
   * @param due the time of the next attempt, or of the one that is no longer made
   */
  record WebhookDelivery(
      Id id,
      Id webhook,
      String message,
      JobState state,
      int attempts,
      Optional<String> lastError,
      Instant due,
      Instant createdAt) {
    static WebhookDelivery of(Job job) {
      WebhookMessage webhookMessage = Json.read(job.payload(), WebhookMessage.class);
      return new WebhookDelivery(
          job.id(),
          webhookMessage.webhook(),
          webhookMessage.name(),
          job.state(),
          job.attempts(),
          job.lastError(),
          job.due(),
          job.createdAt());
    }
  }

  private PageResponse<WebhookDelivery> listDeliveries(
      Caller caller, ListDeliveriesRequest request) {
    String state = request.state().orElse(JobState.DEAD).name();
    PageResponse<Job> jobs =
        pageReader.read(
            caller, Query.over(Jobs.TABLE, "state", "kind").equal(state, Webhooks.KIND), request);
    return jobs.map(WebhookDelivery::of);
  }

  private WebhookDelivery redeliver(
      Transaction transaction, Caller caller, WebhookOrDeliveryRequest request) {
    Job job = deliveryJob(transaction, request.id());
    if (job.state() != JobState.DEAD) {
      throw WebhookException.deliveryNotDead(request.id());
    }
    Jobs.revive(transaction, job.id());
    return WebhookDelivery.of(deliveryJob(transaction, request.id()));
  }

  private static Job deliveryJob(Snapshot snapshot, Id id) {
    return snapshot
        .find(Jobs.TABLE, id)
        .filter(job -> job.kind().equals(Webhooks.KIND))
        .orElseThrow(() -> WebhookException.unknownDelivery(id));
  }
}
