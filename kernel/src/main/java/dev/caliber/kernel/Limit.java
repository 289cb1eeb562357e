package dev.caliber.kernel;

/** A written bound on something that could grow: past it there is a refusal, never a silent cut. */
public record Limit(String name, long max) {
  public Limit {
    if (name.isBlank()) {
      throw KernelException.requiredFieldMissing("name of a limit");
    }
    if (max < 0) {
      throw KernelException.invalidValue(name, "a limit of 0 or more", Long.toString(max));
    }
  }

  /** The value itself, if it is within the limit. */
  public long check(long value) {
    if (value > max) {
      throw KernelException.limitExceeded(name, max, value);
    }
    return value;
  }

  /** The same for what a caller has sent: a refusal names it as the caller does, and the limit. */
  public long check(String field, long value) {
    if (value > max) {
      throw KernelException.limitExceeded(field, this, value);
    }
    return value;
  }
}
