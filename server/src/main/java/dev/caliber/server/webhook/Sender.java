package dev.caliber.server.webhook;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.models.Incoming;
import dev.caliber.models.Outbound;
import dev.caliber.store.RecordStore;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Sends one message, signed as Standard Webhooks says. */
final class Sender implements AutoCloseable {
  private static final String ALGORITHM = "HmacSHA256";
  private static final String VERSION = "v1,";
  static final String SECRET_PREFIX = "whsec_";

  private final RecordStore store;
  private final Outbound outbound;
  private final SecretBox secrets;
  private final InstantSource clock;

  Sender(RecordStore store, Outbound outbound, SecretBox secrets, InstantSource clock) {
    this.store = store;
    this.outbound = outbound;
    this.secrets = secrets;
    this.clock = clock;
  }

  /** What came back. */
  record Outcome(int status, Optional<Duration> retryAfter) {
    private static final int SUCCESS = 200;
    private static final int REDIRECT = 300;

    boolean isTaken() {
      return status >= SUCCESS && status < REDIRECT;
    }
  }

  /** Refuses an address that nothing may be sent to. */
  void check(URI address) {
    outbound.check(address);
  }

  Outcome send(Webhook webhook, Message message) {
    String time = Long.toString(clock.instant().getEpochSecond());
    Map<String, String> headers =
        Map.of(
            "webhook-id", message.name(),
            "webhook-timestamp", time,
            "webhook-signature", signature(secret(webhook.id()), message, time));
    byte[] body = message.body().getBytes(StandardCharsets.UTF_8);
    try (Incoming answer = outbound.post(URI.create(webhook.url()), headers, body)) {
      return new Outcome(answer.status(), answer.retryAfter(clock));
    }
  }

  private String secret(Id webhook) {
    String kept =
        store
            .read(SpaceId.SERVER, snapshot -> snapshot.find(WebhookSecret.TABLE, webhook))
            .orElseThrow(() -> WebhookException.unknown(webhook))
            .secret();
    return SecretBox.isSealed(kept) ? secrets.open(webhook, kept) : kept;
  }

  private static String signature(String secret, Message message, String time) {
    String signed = "%s.%s.%s".formatted(message.name(), time, message.body());
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      byte[] key = Base64.getDecoder().decode(secret.substring(SECRET_PREFIX.length()));
      mac.init(new SecretKeySpec(key, ALGORITHM));
      byte[] sum = mac.doFinal(signed.getBytes(StandardCharsets.UTF_8));
      return VERSION + Base64.getEncoder().encodeToString(sum);
    } catch (GeneralSecurityException e) {
      throw new AssertionError("every Java has " + ALGORITHM, e);
    }
  }

  @Override
  public void close() {
    outbound.close();
  }
}
