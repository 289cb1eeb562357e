package dev.caliber.server.webhook;

import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.ErrorFamily;
import dev.caliber.kernel.ErrorKind;
import dev.caliber.kernel.ErrorTraits;

/** The errors of webhooks. */
enum WebhookErrorCode implements ErrorCode {
  UNKNOWN_WEBHOOK(ErrorKind.NOT_FOUND, "List the webhooks to see their ids."),
  UNKNOWN_DELIVERY(ErrorKind.NOT_FOUND, "List the deliveries to see their ids."),
  DELIVERY_NOT_DEAD(ErrorKind.CONFLICT, "Wait: the server makes the next attempt by itself."),
  DELIVERY_REJECTED(ErrorKind.UNAVAILABLE),
  SECRET_KEY_MISSING(
      ErrorKind.UNAVAILABLE,
      "Set the environment variable to base64 of 32 random bytes, and restart the server."),
  SECRET_KEY_UNREADABLE(
      ErrorKind.INVALID,
      "Restore the key. If the key is lost, remove it and create the webhooks again."),
  SECRET_UNDECRYPTABLE(
      ErrorKind.UNAVAILABLE,
      "Restore the server's former key, or delete the webhook and create it again.");

  private final ErrorTraits traits;

  WebhookErrorCode(ErrorKind kind, String... advice) {
    this.traits = ErrorTraits.of(ErrorFamily.VALIDATION, kind, advice);
  }

  @Override
  public ErrorTraits traits() {
    return traits;
  }
}
