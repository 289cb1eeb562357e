package dev.caliber.server.webhook;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.Limit;
import dev.caliber.kernel.SpaceId;
import dev.caliber.server.operation.Caller;
import dev.caliber.server.operation.Listed;
import dev.caliber.server.operation.Operation;
import dev.caliber.server.operation.Pages;
import dev.caliber.server.operation.Right;
import dev.caliber.server.operation.ServerException;
import dev.caliber.store.Job;
import dev.caliber.store.JobState;
import dev.caliber.store.Jobs;
import dev.caliber.store.Query;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Transaction;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** Making, listing, trying and deleting webhooks, and what became of their messages. */
final class WebhookOperations {
  private static final int SECRET_BYTES = 32;

  private final Webhooks.Parts parts;
  private final Sender sender;
  private final SecretBox secrets;
  private final Pages pages;

  WebhookOperations(Webhooks.Parts parts, Sender sender, SecretBox secrets) {
    this.parts = parts;
    this.sender = sender;
    this.secrets = secrets;
    this.pages = Pages.of(parts.store(), parts.config().limits());
  }

  List<Operation<?, ?>> all() {
    return List.<Operation<?, ?>>of(
        Operation.lasting(
                "create_webhook",
                "Lets an address be told of commits from now on; its secret is in the answer and"
                    + " nowhere else.",
                Create.class,
                this::create)
            .needing(Right.ADMIN)
            .confidential(),
        Operation.reading("list_webhooks", "The webhooks of a space.", Paged.class, this::list)
            .needing(Right.ADMIN),
        Operation.lasting(
                "delete_webhook",
                "Lets an address be told nothing more; what is under way is dropped.",
                Named.class,
                this::delete)
            .needing(Right.ADMIN),
        Operation.lasting(
                "test_webhook",
                "Sends a message of type 'test' at once, and says what came back.",
                Named.class,
                this::test)
            .needing(Right.ADMIN),
        Operation.reading(
                "list_deliveries",
                "Messages that nobody has taken yet: those that were given up, or those under way.",
                Wanted.class,
                this::deliveries)
            .needing(Right.ADMIN),
        Operation.writing(
                "redeliver",
                "Tries a message again that was given up.",
                Named.class,
                this::redeliver)
            .needing(Right.ADMIN));
  }

  /** An address to be told; without tables, of all changes. */
  record Create(String url, Optional<List<String>> tables, Optional<String> description) {}

  /** A webhook, and what its messages are signed with. */
  record Created(Webhook webhook, String secret) {}

  private Created create(Caller caller, Create wish) {
    sender.check(address(wish.url()));
    List<String> tables = wish.tables().orElse(List.of());
    for (int i = 0; i < tables.size(); i++) {
      requireTable(tables.get(i), i);
    }
    byte[] random = new byte[SECRET_BYTES];
    parts.chance().nextBytes(random);
    String secret = Sender.SECRET_PREFIX + Base64.getEncoder().encodeToString(random);
    Id id = keep(secret);
    try {
      Webhook made =
          parts.store().write(caller.space(), transaction -> insert(transaction, id, wish));
      return new Created(made, secret);
    } catch (RuntimeException e) {
      drop(id);
      throw e;
    }
  }

  /** Before there is a webhook, so that none is ever without its secret. */
  private Id keep(String secret) {
    parts.store().createSpace(SpaceId.SERVER);
    return parts
        .store()
        .write(
            SpaceId.SERVER,
            transaction -> {
              Id id = transaction.newId();
              transaction.put(WebhookSecret.TABLE, new WebhookSecret(id, secrets.seal(id, secret)));
              return id;
            });
  }

  private void drop(Id webhook) {
    parts
        .store()
        .write(SpaceId.SERVER, transaction -> transaction.delete(WebhookSecret.TABLE, webhook));
  }

  private Webhook insert(Transaction transaction, Id id, Create wish) {
    int most = parts.config().webhooks().limit();
    new Limit("server.webhooks.limit", most).check(FeedFollower.webhooks(transaction).size() + 1L);
    Webhook webhook =
        new Webhook(
            id,
            wish.url(),
            wish.tables().orElse(List.of()),
            wish.description(),
            transaction.revision(),
            transaction.now());
    transaction.insert(Webhook.TABLE, webhook);
    return webhook;
  }

  private static URI address(String url) {
    try {
      URI address = new URI(url);
      if (address.getHost() != null && address.getUserInfo() == null) {
        return address;
      }
    } catch (URISyntaxException _) {
      // refused below, without what it holds
    }
    throw ServerException.invalidInput(
        "/url", "Wanted an address with a host and without a user, found another");
  }

  private void requireTable(String table, int position) {
    if (!parts.tables().contains(table) || Webhook.isOwn(table)) {
      throw ServerException.invalidInput(
          "/tables/%d".formatted(position), "Wanted a table whose changes are told, found another");
    }
  }

  /** Which part of a list. */
  record Paged(Optional<Integer> limit, Optional<String> cursor) {
    Pages.Wanted page() {
      return new Pages.Wanted(limit, cursor);
    }
  }

  private Listed<Webhook> list(Caller caller, Paged wish) {
    return pages.read(caller, Query.over(Webhook.TABLE), wish.page());
  }

  /** One of them. */
  record Named(Id id) {}

  private Webhook delete(Caller caller, Named wish) {
    Webhook webhook = find(caller, wish.id());
    parts
        .store()
        .write(caller.space(), transaction -> transaction.delete(Webhook.TABLE, webhook.id()));
    drop(webhook.id());
    return webhook;
  }

  private Webhook find(Caller caller, Id id) {
    return parts
        .store()
        .read(caller.space(), snapshot -> snapshot.find(Webhook.TABLE, id))
        .orElseThrow(() -> WebhookException.unknown(id));
  }

  /**
   * What came of a test.
   *
   * @param message its {@code webhook-id}
   */
  record Tested(String message, int status, boolean taken) {}

  private Tested test(Caller caller, Named wish) {
    Webhook webhook = find(caller, wish.id());
    Message message = Message.test(webhook, caller.space(), parts.clock().instant());
    Sender.Outcome outcome = sender.send(webhook, message);
    return new Tested(message.name(), outcome.status(), outcome.isTaken());
  }

  /** Those in a state; without one, those that were given up. */
  record Wanted(Optional<JobState> state, Optional<Integer> limit, Optional<String> cursor) {}

  /**
   * A message that nobody has taken yet.
   *
   * @param message its {@code webhook-id}
   * @param due when it is tried next, or would have been
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
      Message message = Json.read(job.payload(), Message.class);
      return new WebhookDelivery(
          job.id(),
          message.webhook(),
          message.name(),
          job.state(),
          job.attempts(),
          job.lastError(),
          job.due(),
          job.createdAt());
    }
  }

  private Listed<WebhookDelivery> deliveries(Caller caller, Wanted wish) {
    String state = wish.state().orElse(JobState.DEAD).name();
    Listed<Job> jobs =
        pages.read(
            caller,
            Query.over(Jobs.TABLE, "state", "kind").equal(state, Webhooks.KIND),
            new Pages.Wanted(wish.limit(), wish.cursor()));
    return new Listed<>(jobs.items().stream().map(WebhookDelivery::of).toList(), jobs.next());
  }

  private WebhookDelivery redeliver(Transaction transaction, Caller caller, Named wish) {
    Job job = job(transaction, wish.id());
    if (job.state() != JobState.DEAD) {
      throw WebhookException.notDead(wish.id());
    }
    Jobs.revive(transaction, job.id());
    return WebhookDelivery.of(job(transaction, wish.id()));
  }

  private static Job job(Snapshot snapshot, Id id) {
    return snapshot
        .find(Jobs.TABLE, id)
        .filter(job -> job.kind().equals(Webhooks.KIND))
        .orElseThrow(() -> WebhookException.unknownDelivery(id));
  }
}
