package dev.caliber.server.webhook;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Id;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What went wrong with a webhook. No message repeats an address or a secret. */
@SuppressWarnings("serial") // never serialised
final class WebhookException extends CaliberException {
  private final Optional<Duration> retryAfter;

  private WebhookException(WebhookErrorCode code, String message, Optional<Duration> retryAfter) {
    super(code, message, code.advice());
    this.retryAfter = retryAfter;
  }

  @Override
  public Optional<Duration> retryAfter() {
    return retryAfter;
  }

  static WebhookException unknown(Id id) {
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

  static WebhookException notDead(Id id) {
    return new WebhookException(
        WebhookErrorCode.DELIVERY_NOT_DEAD,
        "Wanted a delivery that was given up, found '%s' under way".formatted(id),
        Optional.empty());
  }

  static WebhookException noSecretKey(String variable) {
    return new WebhookException(
        WebhookErrorCode.SECRET_KEY_MISSING,
        "A webhook's secret is not stored in plain text, and there is no key to encrypt it with: the"
            + " environment variable %s (server.webhooks.key-variable) is not set"
                .formatted(variable),
        Optional.empty());
  }

  static WebhookException secretKeyUnreadable(String where, @Nullable String reason) {
    return new WebhookException(
        WebhookErrorCode.SECRET_KEY_UNREADABLE,
        "%s holds no key for webhook secrets: %s".formatted(where, reason),
        Optional.empty());
  }

  static WebhookException secretLost(Id id) {
    return new WebhookException(
        WebhookErrorCode.SECRET_LOST,
        "The secret of webhook '%s' was encrypted with a key that this server does not have"
            .formatted(id),
        Optional.empty());
  }

  static WebhookException refused(int status, Optional<Duration> retryAfter) {
    return new WebhookException(
        WebhookErrorCode.DELIVERY_REFUSED,
        "The receiver answered with status %d".formatted(status),
        retryAfter);
  }
}
