package dev.caliber.kernel;

/**
 * What an error means to its caller, whatever the family: each wire protocol maps a kind to one
 * status.
 */
public enum ErrorKind {
  /** The request is wrong in itself. */
  INVALID(false),
  /** What the request names does not exist, or not for this caller. */
  NOT_FOUND(false),
  /** The request does not fit the present state; look again, then decide anew. */
  CONFLICT(false),
  /** The caller may not do this. */
  DENIED(false),
  /** A written limit was passed. */
  LIMIT(false),
  /** Something needed is away for now. */
  UNAVAILABLE(true),
  /** A promise of the system itself was broken. */
  INTERNAL(false);

  private final boolean retryable;

  ErrorKind(boolean retryable) {
    this.retryable = retryable;
  }

  /** Whether the very same request, sent again later, may succeed. */
  public boolean retryable() {
    return retryable;
  }
}
