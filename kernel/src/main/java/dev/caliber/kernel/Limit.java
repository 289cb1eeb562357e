package dev.caliber.kernel;

/**
 * Written bound on something that could grow: a value beyond it is refused, never silently
 * truncated.
 */
public record Limit(String name, long max) {
  public Limit {
    if (name.isBlank()) {
      throw KernelException.requiredFieldMissing("name of a limit");
    }
    if (max < 0) {
      throw KernelException.invalidValue(name, "a limit of 0 or more", Long.toString(max));
    }
  }

  /** Returns the value if it is within the limit, else throws. */
  public long requireWithin(long value) {
    if (value > max) {
      throw KernelException.limitExceeded(name, max, value);
    }
    return value;
  }

  /**
   * Returns the value if it is within the limit; else refuses it under the name of the caller's
   * field.
   */
  public long requireWithin(String field, long value) {
    if (value > max) {
      throw KernelException.limitExceeded(field, this, value);
    }
    return value;
  }
}
