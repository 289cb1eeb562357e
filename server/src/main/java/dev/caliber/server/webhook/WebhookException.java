package dev.caliber.server.webhook;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Id;
import java.time.Duration;
import java.util.Optional;

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

  static WebhookException refused(int status, Optional<Duration> retryAfter) {
    return new WebhookException(
        WebhookErrorCode.DELIVERY_REFUSED,
        "The receiver answered with status %d".formatted(status),
        retryAfter);
  }
}
