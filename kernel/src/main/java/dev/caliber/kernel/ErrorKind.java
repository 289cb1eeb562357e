package dev.caliber.kernel;

/**
 * Meaning of an error for its caller, whatever the family: each wire protocol maps a kind to one
 * status.
 */
public enum ErrorKind {
  /** The request is wrong in itself. */
  INVALID(false),
  /** A record that the request names does not exist, or not for this caller. */
  NOT_FOUND(false),
  /** The request does not fit the present state; the caller must read it again and decide again. */
  CONFLICT(false),
  /** The caller may not do this. */
  DENIED(false),
  /** A written limit was exceeded. */
  LIMIT(false),
  /** A needed service is not available for now. */
  UNAVAILABLE(true),
  /** A guarantee of the system itself was broken. */
  INTERNAL(false);

  private final boolean retryable;

  ErrorKind(boolean retryable) {
    this.retryable = retryable;
  }

  /** Returns whether the very same request, sent again later, may succeed. */
  public boolean isRetryable() {
    return retryable;
  }
}
