package dev.caliber.server.operation;

import java.util.Optional;

/**
 * The id of the request that this thread runs. The answer repeats it, and so does every log line,
 * so that an operator finds the cause of a failure that a caller reports.
 */
public final class RequestId {
  /** The header and metadata with the id. */
  public static final String HEADER = "Caliber-Request-Id";

  private static final ScopedValue<String> CURRENT = ScopedValue.newInstance();

  private RequestId() {}

  /** Runs the work of this request. */
  public static <T, X extends Throwable> T callWith(String id, ScopedValue.CallableOp<T, X> work)
      throws X {
    return ScopedValue.where(CURRENT, id).call(work);
  }

  public static void runWith(String id, Runnable work) {
    ScopedValue.where(CURRENT, id).run(work);
  }

  /** Returns the id, or nothing outside of a request. */
  public static Optional<String> current() {
    return CURRENT.isBound() ? Optional.of(CURRENT.get()) : Optional.empty();
  }
}
