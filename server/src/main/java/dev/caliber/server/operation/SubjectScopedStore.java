package dev.caliber.server.operation;

import dev.caliber.memory.record.ReadableSubjects;
import dev.caliber.store.FilteredStore;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A store in which, during the call of a caller with a subject, records of other subjects do not
 * exist: no read finds them, no list holds them, and a change of one is refused as a change of a
 * record that is not there. All modules read through it, so that no operation has to filter.
 *
 * <pre>{@code
 * RecordStore store = new SubjectScopedStore(Stores.open(…));       // all modules use it
 * SubjectScopedStore.withScope(ReadableSubjects.of(Optional.of("bob")), () -> memory.view(space, …));
 * }</pre>
 *
 * <p>Jobs run without a subject. The search index is not read through the store: recall takes the
 * scope itself.
 */
public final class SubjectScopedStore extends FilteredStore {
  private static final ScopedValue<ReadableSubjects> SCOPE = ScopedValue.newInstance();

  public SubjectScopedStore(RecordStore store) {
    super(store);
  }

  /** Runs work that sees only the records of the scope. */
  static <T> T withScope(ReadableSubjects scope, Supplier<T> work) {
    return ScopedValue.where(SCOPE, scope).call(work::get);
  }

  /**
   * Runs work that sees the records of every subject; the caller's own access was checked before.
   */
  static <T> T withEverySubject(Supplier<T> work) {
    return withScope(ReadableSubjects.everySubject(), work);
  }

  /** Returns the transaction with the records of every subject, for checks. */
  static Transaction unfiltered(Transaction transaction) {
    return unfiltered(SubjectVisibility.class, transaction);
  }

  @Override
  protected Optional<Function<Snapshot, Visibility>> visibility() {
    ReadableSubjects scope = SCOPE.orElse(ReadableSubjects.everySubject());
    return scope.all() ? Optional.empty() : Optional.of(all -> new SubjectVisibility(all, scope));
  }

  private static final class SubjectVisibility implements Visibility {
    private final RecordVisibilityRules owners;

    SubjectVisibility(Snapshot all, ReadableSubjects scope) {
      this.owners = new RecordVisibilityRules(all, scope);
    }

    @Override
    public <T> boolean isVisible(Table<T> table, T record) {
      return owners.canSee(table, record);
    }

    /**
     * Refuses the deletion of shared records by a caller with a subject, who may only read them.
     */
    @Override
    public <T> void requireDeletable(Table<T> table, T record) {
      if (RecordVisibilityRules.isShared(record)) {
        throw ServerException.sharedRecord(table.name(), table.keyOf(record));
      }
    }

    @Override
    public <T> void requireChangeable(Table<T> table, T old, T changed) {
      RecordVisibilityRules.requireStaysShared(table, old, changed);
    }
  }
}
