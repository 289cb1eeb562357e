package dev.caliber.bench;

import java.sql.SQLException;

/** The raw side failed: a figure without its counterpart is worth nothing, so the run ends. */
@SuppressWarnings("serial") // never serialised
final class BenchException extends IllegalStateException {

  private BenchException(String message, Throwable cause) {
    super(message, cause);
  }

  static BenchException rawSide(SQLException e) {
    return new BenchException("The raw side failed: " + e.getMessage(), e);
  }

  static BenchException preparing(String what, Exception e) {
    return new BenchException("%s failed: %s".formatted(what, e.getMessage()), e);
  }
}
