package dev.caliber.server.operation;

/** A caller's right; each includes the ones before it. */
public enum AccessRight {
  READ,
  WRITE,
  ADMIN;

  boolean covers(AccessRight wanted) {
    return compareTo(wanted) >= 0;
  }
}
