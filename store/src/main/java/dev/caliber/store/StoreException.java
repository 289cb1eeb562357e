package dev.caliber.store;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import java.nio.file.Path;
import java.time.Duration;

/** Error of the store, with its code and, where there is any, advice. */
public final class StoreException extends CaliberException {

  private static final long serialVersionUID = 1L;

  private StoreException(StoreErrorCode code, String message) {
    super(code, message);
  }

  private StoreException(StoreErrorCode code, String message, String advice) {
    super(code, message, advice);
  }

  private StoreException(StoreErrorCode code, String message, Throwable cause) {
    super(code, message, cause);
  }

  private StoreException(StoreErrorCode code, String message, String advice, Throwable cause) {
    super(code, message, advice, cause);
  }

  public static StoreException notFound(String table, String key, SpaceId space) {
    return new StoreException(
        StoreErrorCode.NOT_FOUND,
        "There is no %s '%s' in space '%s'".formatted(table, key, space.value()));
  }

  public static StoreException keyExists(String table, String key) {
    return new StoreException(
        StoreErrorCode.INSERT_FAILED,
        "The %s '%s' cannot be inserted: this key exists already".formatted(table, key));
  }

  public static StoreException revisionChanged(
      String table, String key, long expected, long found) {
    return new StoreException(
        StoreErrorCode.UPDATE_FAILED,
        "The %s '%s' was not changed: it has revision %d, but the write expects revision %d"
            .formatted(table, key, found, expected));
  }

  public static StoreException notUnique(String table, String index, String key) {
    return new StoreException(
        StoreErrorCode.INDEX_ERROR,
        "The %s '%s' repeats values that unique index '%s' already contains"
            .formatted(table, key, index));
  }

  public static StoreException notUnique(String detail) {
    return new StoreException(
        StoreErrorCode.INDEX_ERROR,
        "A record repeats values that a unique index already contains: " + detail);
  }

  public static StoreException transactionFailed(String reason) {
    return new StoreException(
        StoreErrorCode.TRANSACTION_FAILED, reason + "; nothing was written", "Try again.");
  }

  public static StoreException transactionFailed(String reason, Throwable cause) {
    return new StoreException(
        StoreErrorCode.TRANSACTION_FAILED, reason + "; nothing was written", "Try again.", cause);
  }

  public static StoreException jobTakenOver(String kind, Id job) {
    return transactionFailed(
        "Lost the lease of job '%s' of kind '%s': another runner took it over, or this process is shutting down"
            .formatted(job, kind));
  }

  public static StoreException invalidRecord(String table, String reason) {
    return new StoreException(
        StoreErrorCode.INVALID_RECORD,
        "A record of table '%s' cannot be stored: %s".formatted(table, reason));
  }

  static StoreException invalidCursor(String reason) {
    return new StoreException(
        StoreErrorCode.INVALID_CURSOR, "The page cursor of the query is not valid: " + reason);
  }

  public static StoreException unknownSpace(SpaceId space) {
    return new StoreException(
        StoreErrorCode.SPACE_NOT_FOUND, "There is no space '%s'".formatted(space.value()));
  }

  public static StoreException nestedCall() {
    return new StoreException(
        StoreErrorCode.NESTED_WRITE,
        "A read or a write of the store was started inside another read or write");
  }

  public static StoreException writeTooLong(Duration limit) {
    return new StoreException(
        StoreErrorCode.WRITE_TIMED_OUT,
        "A write took longer than store.writes.time-limit (%s); nothing was written"
            .formatted(limit),
        "Do slow work before the write, or raise store.writes.time-limit.");
  }

  public static StoreException busy(String what, String setting) {
    return new StoreException(StoreErrorCode.BUSY, "%s (%s)".formatted(what, setting));
  }

  public static StoreException closed() {
    return new StoreException(StoreErrorCode.CLOSED, "The store is closed");
  }

  public static StoreException feedTruncated(SpaceId space, FeedCursor cursor, FeedCursor oldest) {
    return new StoreException(
        StoreErrorCode.FEED_TRUNCATED,
        "The change feed of space '%s' no longer holds the commits after the cursor: the feed begins at epoch %d, commit %d; the cursor is at epoch %d, commit %d"
            .formatted(
                space.value(),
                oldest.epoch(),
                oldest.sequence(),
                cursor.epoch(),
                cursor.sequence()),
        "Read the records again, then follow the feed from its last commit.");
  }

  public static StoreException inUse(String place, String holder) {
    return new StoreException(
        StoreErrorCode.STORE_IN_USE,
        "The store %s cannot be opened: it is in use by %s".formatted(place, holder));
  }

  public static StoreException tooNew(String place, String what, long found, long known) {
    return new StoreException(
        StoreErrorCode.STORE_TOO_NEW,
        "%s was written by a newer version: %s is %d, this version knows %d"
            .formatted(place, what, found, known));
  }

  public static StoreException tooOld(String place, long found, long oldest) {
    return unreadable(
        place,
        "an unreleased version wrote it: its format is %d, and names of tables and fields have changed up to %d"
            .formatted(found, oldest));
  }

  public static StoreException tooNew(String place, String what, String found) {
    return new StoreException(
        StoreErrorCode.STORE_TOO_NEW,
        "%s was written by a newer version: this version does not know %s called '%s'"
            .formatted(place, what, found));
  }

  public static StoreException unreadable(String place, String reason) {
    return new StoreException(
        StoreErrorCode.STORE_UNREADABLE,
        "%s cannot be opened as a store: %s".formatted(place, reason));
  }

  public static StoreException readOnly(String place) {
    return new StoreException(
        StoreErrorCode.STORE_READ_ONLY,
        "The store %s cannot be opened: this user may not write there".formatted(place));
  }

  public static StoreException schemaMismatch(String table, String reason) {
    return new StoreException(
        StoreErrorCode.SCHEMA_MISMATCH,
        "Table '%s' does not fit its declaration: %s".formatted(table, reason));
  }

  public static StoreException isolationBroken(String reason) {
    return new StoreException(
        StoreErrorCode.ROW_SECURITY_INSUFFICIENT,
        "PostgreSQL does not isolate the spaces of this store from each other: " + reason);
  }

  public static StoreException diskFull(String place, Throwable cause) {
    return new StoreException(
        StoreErrorCode.DISK_FULL,
        "No disk space left for %s; nothing was written".formatted(place),
        "Free some disk space; the store continues without a restart.",
        cause);
  }

  public static StoreException corrupt(String what) {
    return new StoreException(StoreErrorCode.CORRUPT, what);
  }

  public static StoreException corrupt(String what, Throwable cause) {
    return new StoreException(
        StoreErrorCode.CORRUPT,
        what,
        "Run 'caliber doctor'; if it reports damage, restore the last backup.",
        cause);
  }

  public static StoreException storeFileMissing(Path file, boolean isThere, Path index) {
    return new StoreException(
        StoreErrorCode.STORE_FILE_MISSING,
        "%s %s, but %s holds a search index of its records: the records are lost"
            .formatted(file, isThere ? "has 0 bytes" : "is missing", index),
        "Move the store and its index away and restore a backup ('caliber restore FILE'), or delete %s to start with an empty store."
            .formatted(index.getParent()));
  }

  public static StoreException unreachable(String place, String reason, Throwable cause) {
    return new StoreException(
        StoreErrorCode.UNREACHABLE,
        "The database server %s does not answer: %s".formatted(place, reason),
        "Check that the database server runs, and that its host, port, database and user are right in store.postgres.",
        cause);
  }

  public static StoreException commitUnknown(String reason, Throwable cause) {
    return new StoreException(
        StoreErrorCode.COMMIT_OUTCOME_UNKNOWN,
        reason + "; the outcome of the commit is unknown",
        "Read the records before writing again.",
        cause);
  }

  public static StoreException importRefused(String place, String reason, String advice) {
    return new StoreException(
        StoreErrorCode.IMPORT_INVALID,
        "%s: %s; nothing was imported".formatted(place, reason),
        advice);
  }

  public static StoreException fileExists(String file) {
    return new StoreException(
        StoreErrorCode.FILE_EXISTS, "The file %s exists already".formatted(file));
  }

  public static StoreException fileFailed(String doing, String file, Throwable cause) {
    return new StoreException(
        StoreErrorCode.FILE_IO_FAILED,
        "%s %s failed: %s".formatted(doing, file, reason(cause)),
        "Check that the directory exists, can be written and has free space.",
        cause);
  }

  /**
   * Describes a cause by its message, or by its type too if the message is only a path, as file
   * systems do.
   */
  private static String reason(Throwable cause) {
    return cause instanceof java.nio.file.FileSystemException e && e.getReason() == null
        ? cause.getClass().getSimpleName()
        : String.valueOf(cause.getMessage());
  }

  public static StoreException notEmpty(String place, String table, long rows) {
    return new StoreException(
        StoreErrorCode.STORE_NOT_EMPTY,
        "The backup cannot be restored into the store %s, because the store holds records (%d in table '%s'); nothing was restored"
            .formatted(place, rows, table),
        "Restore into a new, empty store.");
  }

  public static StoreException engineFailed(String what, Throwable cause) {
    return new StoreException(
        StoreErrorCode.ENGINE_FAILED, "%s: %s".formatted(what, cause.getMessage()), cause);
  }
}
