package dev.caliber.server.webhook;

import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.ErrorFamily;
import dev.caliber.kernel.ErrorKind;

/** What webhooks refuse or report. */
enum WebhookErrorCode implements ErrorCode {
  UNKNOWN_WEBHOOK(ErrorKind.NOT_FOUND, "List the webhooks to see their ids."),
  UNKNOWN_DELIVERY(ErrorKind.NOT_FOUND, "List the deliveries to see their ids."),
  DELIVERY_NOT_DEAD(ErrorKind.CONFLICT, "It will be tried again by itself."),
  DELIVERY_REFUSED(ErrorKind.UNAVAILABLE, ""),
  SECRET_KEY_MISSING(ErrorKind.UNAVAILABLE, "Set it to base64 of 32 random bytes, and restart."),
  SECRET_KEY_UNREADABLE(
      ErrorKind.INVALID, "Put the key back, or remove it and make the webhooks anew."),
  SECRET_LOST(
      ErrorKind.UNAVAILABLE,
      "Put the key back that the server had, or delete the webhook and make it anew.");

  private final ErrorKind kind;
  private final String advice;

  WebhookErrorCode(ErrorKind kind, String advice) {
    this.kind = kind;
    this.advice = advice;
  }

  String advice() {
    return advice;
  }

  @Override
  public ErrorFamily family() {
    return ErrorFamily.VALIDATION;
  }

  @Override
  public ErrorKind kind() {
    return kind;
  }
}
