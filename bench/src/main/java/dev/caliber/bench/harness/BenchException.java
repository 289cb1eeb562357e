package dev.caliber.bench.harness;

import dev.caliber.kernel.CaliberException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.sql.SQLException;

/** An error that ends a run without figures: half a comparison is worth nothing. */
@SuppressWarnings("serial")
public // never serialised
final class BenchException extends CaliberException {

  private static final String LAYOUTS = "The layout of each format is in docs/evaluation.md.";

  private BenchException(BenchErrorCode code, String message) {
    super(code, message);
  }

  private BenchException(BenchErrorCode code, String message, String advice) {
    super(code, message, advice);
  }

  private BenchException(BenchErrorCode code, String message, String advice, Throwable cause) {
    super(code, message, advice, cause);
  }

  private BenchException(BenchErrorCode code, String message, Throwable cause) {
    super(code, message, cause);
  }

  public static BenchException rawJdbcFailed(SQLException e) {
    return new BenchException(
        BenchErrorCode.BENCH_BASELINE_FAILED, "The raw side failed: " + e.getMessage(), e);
  }

  public static BenchException preparationFailed(String what, Exception e) {
    return new BenchException(
        BenchErrorCode.BENCH_NOT_PREPARED, "%s failed: %s".formatted(what, e.getMessage()), e);
  }

  public static BenchException contendersDiffer(Object ours, Object raw) {
    return new BenchException(
        BenchErrorCode.BENCH_RESULTS_DIFFER, "Caliber reads %s, raw JDBC %s".formatted(ours, raw));
  }

  public static BenchException notDelivered(long sequence) {
    return new BenchException(
        BenchErrorCode.BENCH_COMMIT_NOT_DELIVERED,
        "Commit %d never reached the follower".formatted(sequence));
  }

  public static BenchException eventsNotReceived(long listeners) {
    return new BenchException(
        BenchErrorCode.BENCH_COMMIT_NOT_DELIVERED,
        "%d event streams did not receive a commit".formatted(listeners));
  }

  /** Returns the error for a file of a data set that is missing, is a directory, or is not text. */
  public static BenchException unreadable(Path file, Exception e) {
    String reason =
        switch (e) {
          case NoSuchFileException _ -> "there is no such file or directory";
          case NotDirectoryException _ -> "it is not a directory";
          case CharacterCodingException _ -> "it is not UTF-8 text";
          default -> String.valueOf(e.getMessage());
        };
    return new BenchException(
        BenchErrorCode.BENCH_NOT_PREPARED,
        "Cannot read %s: %s".formatted(file, reason),
        LAYOUTS,
        e);
  }

  /** Returns the error for a data set that does not have the layout of its format. */
  public static BenchException badData(Path file, String place, String wanted, String found) {
    return new BenchException(
        BenchErrorCode.BENCH_NOT_PREPARED,
        "%s, at %s: expected %s, found %s".formatted(file, place, wanted, found),
        LAYOUTS);
  }

  public static BenchException notEmbedded(String reason) {
    return new BenchException(
        BenchErrorCode.BENCH_NOT_PREPARED, "The embedder returned no vector for a text: " + reason);
  }
}
