package dev.caliber.bench;

import dev.caliber.kernel.CaliberException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.sql.SQLException;

/** A run that cannot give figures: half a comparison is worth nothing, so it ends. */
@SuppressWarnings("serial") // never serialised
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

  static BenchException rawSide(SQLException e) {
    return new BenchException(
        BenchErrorCode.BENCH_RAW_SIDE_FAILED, "The raw side failed: " + e.getMessage(), e);
  }

  static BenchException preparing(String what, Exception e) {
    return new BenchException(
        BenchErrorCode.BENCH_NOT_PREPARED, "%s failed: %s".formatted(what, e.getMessage()), e);
  }

  static BenchException sidesDiffer(Object ours, Object raw) {
    return new BenchException(
        BenchErrorCode.BENCH_SIDES_DIFFER, "Caliber reads %s, raw JDBC %s".formatted(ours, raw));
  }

  static BenchException notDelivered(long sequence) {
    return new BenchException(
        BenchErrorCode.BENCH_COMMIT_NOT_DELIVERED,
        "Commit %d never reached the follower".formatted(sequence));
  }

  static BenchException notHeard(long listeners) {
    return new BenchException(
        BenchErrorCode.BENCH_COMMIT_NOT_DELIVERED,
        "%d event streams never told of a commit".formatted(listeners));
  }

  /** A file of a data set that is not there, is a directory, or is no text. */
  static BenchException unreadable(Path file, Exception e) {
    String reason =
        switch (e) {
          case NoSuchFileException _ -> "there is no such file or directory";
          case NotDirectoryException _ -> "it is no directory";
          case CharacterCodingException _ -> "it is no UTF-8 text";
          default -> String.valueOf(e.getMessage());
        };
    return new BenchException(
        BenchErrorCode.BENCH_NOT_PREPARED,
        "%s cannot be read: %s".formatted(file, reason),
        LAYOUTS,
        e);
  }

  /** A data set that is not laid out as its format says. */
  static BenchException badData(Path file, String place, String wanted, String found) {
    return new BenchException(
        BenchErrorCode.BENCH_NOT_PREPARED,
        "%s, at %s: wanted %s, found %s".formatted(file, place, wanted, found),
        LAYOUTS);
  }

  static BenchException notEmbedded(String reason) {
    return new BenchException(BenchErrorCode.BENCH_NOT_PREPARED, "A text got no vector: " + reason);
  }
}
