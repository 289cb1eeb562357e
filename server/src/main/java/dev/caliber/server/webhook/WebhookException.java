package dev.caliber.server.webhook;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Id;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An error of a webhook. No message repeats an address or a secret. */
@SuppressWarnings("serial") // never serialised
final class WebhookException extends CaliberException {
  private final Optional<Duration> retryAfter;

  private WebhookException(WebhookErrorCode code, String message, Optional<Duration> retryAfter) {
    super(code, message);
    this.retryAfter = retryAfter;
  }

  @Override
  public Optional<Duration> retryAfter() {
    return retryAfter;
  }

  static WebhookException unknownWebhook(Id id) {
    return new WebhookException(
        WebhookErrorCode.UNKNOWN_WEBHOOK,
        "There is no webhook '%s'".formatted(id),
        Optional.empty());
  }

  static WebhookException unknownDelivery(Id id) {
    return new WebhookException(
        WebhookErrorCode.UNKNOWN_DELIVERY,
        "There is no delivery '%s'".formatted(id),
        Optional.empty());
  }

  static WebhookException deliveryNotDead(Id id) {
    return new WebhookException(
        WebhookErrorCode.DELIVERY_NOT_DEAD,
        "Delivery '%s' cannot be retried: it is still being attempted, and only a delivery that was given up can be retried"
            .formatted(id),
        Optional.empty());
  }

  static WebhookException noSecretKey(String variable) {
    return new WebhookException(
        WebhookErrorCode.SECRET_KEY_MISSING,
        "The webhook was not created, because its secret cannot be encrypted: the environment variable %s (server.webhooks.key-variable) is not set"
            .formatted(variable),
        Optional.empty());
  }

  static WebhookException secretKeyUnreadable(String where, @Nullable String reason) {
    return new WebhookException(
        WebhookErrorCode.SECRET_KEY_UNREADABLE,
        "%s does not hold a key for webhook secrets: %s".formatted(where, reason),
        Optional.empty());
  }

  static WebhookException secretLost(Id id) {
    return new WebhookException(
        WebhookErrorCode.SECRET_UNDECRYPTABLE,
        "The secret of webhook '%s' was encrypted with a key that this server does not have"
            .formatted(id),
        Optional.empty());
  }

  static WebhookException deliveryRefused(int status, Optional<Duration> retryAfter) {
    return new WebhookException(
        WebhookErrorCode.DELIVERY_REJECTED,
        "The receiver of the webhook answered with status %d".formatted(status),
        retryAfter);
  }
}
