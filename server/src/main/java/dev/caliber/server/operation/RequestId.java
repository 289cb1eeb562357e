package dev.caliber.server.operation;

import java.util.Optional;

/**
 * The id of the request that this thread works on. Its answer repeats the id, and so does every
 * line that the log has of it, so that an operator finds the cause of a failure that a caller
 * reports.
 */
public final class RequestId {
  /** The header and the metadata that carry it. */
  public static final String HEADER = "Caliber-Request-Id";

  private static final ScopedValue<String> CURRENT = ScopedValue.newInstance();

  private RequestId() {}

  /** Works on this request. */
  public static <T, X extends Throwable> T during(String id, ScopedValue.CallableOp<T, X> work)
      throws X {
    return ScopedValue.where(CURRENT, id).call(work);
  }

  public static void run(String id, Runnable work) {
    ScopedValue.where(CURRENT, id).run(work);
  }

  /** Nothing outside of a request. */
  public static Optional<String> current() {
    return CURRENT.isBound() ? Optional.of(CURRENT.get()) : Optional.empty();
  }
}
