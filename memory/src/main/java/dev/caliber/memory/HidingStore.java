package dev.caliber.memory;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.FilteredStore;
import dev.caliber.store.ForwardingStore;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A store in which records that are being forgotten do not exist: from the commit of a {@link
 * ForgetRequest} no read, list or count shows what it covers, and no write changes it. So a reader
 * sees a forgotten subject wholly or not at all, however many commits erase it.
 */
public final class HidingStore extends FilteredStore {
  private static final ScopedValue<Boolean> SHOWN = ScopedValue.newInstance();

  private HidingStore(RecordStore store) {
    super(store);
  }

  /** The store itself if it hides what is being forgotten already. */
  public static RecordStore over(RecordStore store) {
    return isOver(store, HidingStore.class) ? store : new HidingStore(store);
  }

  /** The store with what is being forgotten, for work that erases it. */
  static RecordStore showing(RecordStore store) {
    return new Showing(store);
  }

  private static final class Showing extends ForwardingStore {
    Showing(RecordStore store) {
      super(store);
    }

    @Override
    public <T> T read(SpaceId space, Function<Snapshot, T> work) {
      return ScopedValue.where(SHOWN, true).call(() -> store().read(space, work));
    }

    @Override
    public <T> T write(SpaceId space, Function<Transaction, T> work) {
      return ScopedValue.where(SHOWN, true).call(() -> store().write(space, work));
    }
  }

  @Override
  protected Optional<Function<Snapshot, Visibility>> visibility() {
    return SHOWN.isBound() ? Optional.empty() : Optional.of(Unforgotten::new);
  }

  /** Looks for requests when a table that they may cover is first read. */
  private static final class Unforgotten implements Visibility {
    private final Snapshot all;
    private @Nullable List<ForgetCoverage> covered;

    Unforgotten(Snapshot all) {
      this.all = all;
    }

    @Override
    public <T> boolean sees(Table<T> table, T record) {
      return !ForgetCoverage.mayCover(table)
          || covered().stream().noneMatch(one -> one.covers(table, record));
    }

    @Override
    public boolean mayHide(Table<?> table) {
      return ForgetCoverage.mayCover(table) && !covered().isEmpty();
    }

    private List<ForgetCoverage> covered() {
      List<ForgetCoverage> known = covered;
      if (known == null) {
        known =
            ForgetRequest.open(all).stream()
                .map(request -> ForgetCoverage.of(all, request))
                .toList();
        covered = known;
      }
      return known;
    }
  }
}
