package dev.caliber.server.webhook;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.models.GuardedHttpClient;
import dev.caliber.models.ResponseStream;
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

/** A sender of messages, signed as Standard Webhooks requires. */
final class WebhookSender implements AutoCloseable {
  private static final String ALGORITHM = "HmacSHA256";
  private static final String VERSION = "v1,";
  static final String SECRET_PREFIX = "whsec_";

  private final RecordStore store;
  private final GuardedHttpClient guardedHttpClient;
  private final WebhookSecretCipher secrets;
  private final InstantSource clock;

  WebhookSender(
      RecordStore store,
      GuardedHttpClient guardedHttpClient,
      WebhookSecretCipher secrets,
      InstantSource clock) {
    this.store = store;
    this.guardedHttpClient = guardedHttpClient;
    this.secrets = secrets;
    this.clock = clock;
  }

  /** The response of a receiver. */
  record WebhookResponse(int status, Optional<Duration> retryAfter) {
    private static final int SUCCESS = 200;
    private static final int REDIRECT = 300;

    boolean isAccepted() {
      return status >= SUCCESS && status < REDIRECT;
    }
  }

  /** Refuses an address outside of the allowed ones. */
  void checkAddress(URI address) {
    guardedHttpClient.check(address);
  }

  WebhookResponse sendMessage(Webhook webhook, WebhookMessage webhookMessage) {
    String time = Long.toString(clock.instant().getEpochSecond());
    Map<String, String> headers =
        Map.of(
            "webhook-id", webhookMessage.name(),
            "webhook-timestamp", time,
            "webhook-signature", signature(readSecret(webhook.id()), webhookMessage, time));
    byte[] body = webhookMessage.body().getBytes(StandardCharsets.UTF_8);
    try (ResponseStream answer = guardedHttpClient.post(URI.create(webhook.url()), headers, body)) {
      return new WebhookResponse(answer.status(), answer.retryAfter(clock));
    }
  }

  private String readSecret(Id webhook) {
    String stored =
        store
            .read(SpaceId.SERVER, snapshot -> snapshot.find(WebhookSecret.TABLE, webhook))
            .orElseThrow(() -> WebhookException.unknownWebhook(webhook))
            .secret();
    return WebhookSecretCipher.isEncrypted(stored) ? secrets.decrypt(webhook, stored) : stored;
  }

  private static String signature(String secret, WebhookMessage webhookMessage, String time) {
    String signed = "%s.%s.%s".formatted(webhookMessage.name(), time, webhookMessage.body());
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      byte[] key = Base64.getDecoder().decode(secret.substring(SECRET_PREFIX.length()));
      mac.init(new SecretKeySpec(key, ALGORITHM));
      byte[] sum = mac.doFinal(signed.getBytes(StandardCharsets.UTF_8));
      return VERSION + Base64.getEncoder().encodeToString(sum);
    } catch (GeneralSecurityException e) {
      throw new AssertionError("every JDK has " + ALGORITHM, e);
    }
  }

  @Override
  public void close() {
    guardedHttpClient.close();
  }
}
