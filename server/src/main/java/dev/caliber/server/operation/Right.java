package dev.caliber.server.operation;

/** What a caller may do; each right includes those before it. */
public enum Right {
  READ,
  WRITE,
  ADMIN;

  boolean covers(Right wanted) {
    return compareTo(wanted) >= 0;
  }
}
