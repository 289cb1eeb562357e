package dev.caliber.memory.forget;

import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.view.ForgetRequest;
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
 * Store that hides records that are being forgotten. From the commit of a {@link ForgetRequest} no
 * read, list or count shows what it covers, and no write changes it. So a reader sees a forgotten
 * subject completely or not at all, however many commits erase it.
 */
public final class ForgetFilteredStore extends FilteredStore {
  private static final ScopedValue<Boolean> SHOWN = ScopedValue.newInstance();

  private ForgetFilteredStore(RecordStore store) {
    super(store);
  }

  /** Adds the filter, unless the store already has it. */
  public static RecordStore hideForgotten(RecordStore store) {
    return hasLayer(store, ForgetFilteredStore.class) ? store : new ForgetFilteredStore(store);
  }

  /** Returns a view of the store with the hidden records, for work that erases them. */
  public static RecordStore showForgotten(RecordStore store) {
    return new UnfilteredStore(store);
  }

  private static final class UnfilteredStore extends ForwardingStore {
    UnfilteredStore(RecordStore store) {
      super(store);
    }

    @Override
    public <T> T read(SpaceId space, Function<Snapshot, T> work) {
      return ScopedValue.where(SHOWN, true).call(() -> delegate().read(space, work));
    }

    @Override
    public <T> T write(SpaceId space, Function<Transaction, T> work) {
      return ScopedValue.where(SHOWN, true).call(() -> delegate().write(space, work));
    }
  }

  @Override
  protected Optional<Function<Snapshot, Visibility>> visibility() {
    return SHOWN.isBound() ? Optional.empty() : Optional.of(ForgetVisibility::new);
  }

  /** Visibility that reads the open requests when a table that they may cover is first read. */
  private static final class ForgetVisibility implements Visibility {
    private final Snapshot all;
    private @Nullable List<ForgetRecordMatcher> covered;

    ForgetVisibility(Snapshot all) {
      this.all = all;
    }

    @Override
    public <T> boolean isVisible(Table<T> table, T record) {
      return !ForgetRecordMatcher.mayCover(table)
          || openCoverages().stream().noneMatch(one -> one.covers(table, record));
    }

    @Override
    public boolean canHide(Table<?> table) {
      return ForgetRecordMatcher.mayCover(table) && !openCoverages().isEmpty();
    }

    private List<ForgetRecordMatcher> openCoverages() {
      List<ForgetRecordMatcher> known = covered;
      if (known == null) {
        known =
            ForgetRequest.openRequests(all).stream()
                .map(request -> ForgetRecordMatcher.of(all, request))
                .toList();
        covered = known;
      }
      return known;
    }
  }
}
