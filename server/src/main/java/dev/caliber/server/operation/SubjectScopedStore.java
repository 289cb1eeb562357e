package dev.caliber.server.operation;

import dev.caliber.memory.record.SubjectScope;
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
 * record that is not there. All rooms read through it, so that no operation has to filter.
 *
 * <pre>{@code
 * RecordStore store = new SubjectScopedStore(RecordStore.open(…));       // memory and the others are over it
 * SubjectScopedStore.during(SubjectScope.of(Optional.of("bob")), () -> memory.view(space, …));
 * }</pre>
 *
 * <p>Jobs run without a subject. The search index is not read through the store: recall takes the
 * scope itself.
 */
public final class SubjectScopedStore extends FilteredStore {
  private static final ScopedValue<SubjectScope> SCOPE = ScopedValue.newInstance();

  public SubjectScopedStore(RecordStore store) {
    super(store);
  }

  /** Does it with only the records that the scope sees. */
  static <T> T during(SubjectScope scope, Supplier<T> work) {
    return ScopedValue.where(SCOPE, scope).call(work::get);
  }

  /** Does it with the records of every subject, after its caller has been held to its own. */
  static <T> T freely(Supplier<T> work) {
    return during(SubjectScope.every(), work);
  }

  /** The transaction with the records of every subject, to find out what is not the caller's. */
  static Transaction unfiltered(Transaction transaction) {
    return unfiltered(Owned.class, transaction);
  }

  @Override
  protected Optional<Function<Snapshot, Visibility>> visibility() {
    SubjectScope scope = SCOPE.orElse(SubjectScope.every());
    return scope.all() ? Optional.empty() : Optional.of(all -> new Owned(all, scope));
  }

  private static final class Owned implements Visibility {
    private final RecordOwners owners;

    Owned(Snapshot all, SubjectScope scope) {
      this.owners = new RecordOwners(all, scope);
    }

    @Override
    public <T> boolean sees(Table<T> table, T record) {
      return owners.sees(table, record);
    }

    /** A caller with a subject reads shared records and removes none. */
    @Override
    public <T> void requireDeletable(Table<T> table, T record) {
      if (RecordOwners.isShared(record)) {
        throw ServerException.sharedRecord(table.name(), table.keyOf(record));
      }
    }

    @Override
    public <T> void requireChangeable(Table<T> table, T old, T changed) {
      RecordOwners.requireNotTaken(table, old, changed);
    }
  }
}
