package dev.caliber.memory.view;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Query;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/** Step of periodic clean-up that a module registers; each runs in commits of its own. */
public interface CleanupStep {

  /** Returns the name under which a report counts the removed records. */
  String name();

  /** Waits for what the next commit needs; called before each commit, outside of it. */
  default void prepareBatch(SpaceId space) {}

  /** Removes at most {@code batch} records in this commit. */
  CleanupProgress clean(Transaction transaction, int batch);

  /** Returns a step that does {@code action} in each of its commits. */
  static CleanupStep of(String name, CleanupAction action) {
    return new NamedCleanupStep(name, action);
  }

  /** Returns a step that deletes the rows of a query, such as those before a time. */
  static <T> CleanupStep deleting(String name, Function<Transaction, Query<T>> expired) {
    return of(
        name,
        (transaction, batch) -> {
          Query<T> query = expired.apply(transaction);
          List<T> found = transaction.list(query, batch);
          found.forEach(row -> transaction.delete(query.table(), query.table().keyOf(row)));
          return CleanupProgress.ofBatch(found.size(), batch);
        });
  }

  /** Returns a step that deletes the rows whose time in an indexed column is {@code age} ago. */
  static <T> CleanupStep deletingOlder(String name, Table<T> table, String column, Duration age) {
    return deleting(
        name, transaction -> Query.over(table, column).until(transaction.now().minus(age)));
  }

  /** Action that removes at most {@code batch} records in a commit. */
  @FunctionalInterface
  interface CleanupAction {
    CleanupProgress clean(Transaction transaction, int batch);
  }

  /** Step made of a name and an action. */
  record NamedCleanupStep(String name, CleanupAction action) implements CleanupStep {
    @Override
    public CleanupProgress clean(Transaction transaction, int batch) {
      return action.clean(transaction, batch);
    }
  }

  /**
   * Result of one commit.
   *
   * @param removed number of removed records, if the step counts them
   * @param more false when nothing is left to do
   */
  record CleanupProgress(int removed, boolean more) {

    /** Reports a batch; a full batch means that there may be more. */
    public static CleanupProgress ofBatch(int removed, int batch) {
      return new CleanupProgress(removed, removed == batch);
    }

    /** Reports a commit without a number of records. */
    public static CleanupProgress uncounted(boolean more) {
      return new CleanupProgress(0, more);
    }
  }
}
