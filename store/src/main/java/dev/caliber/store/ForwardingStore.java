package dev.caliber.store;

import dev.caliber.kernel.SpaceId;
import java.util.SortedSet;
import java.util.function.Function;

/**
 * A store that passes everything on to another; a subclass adds to every write, and may add to
 * reads.
 */
public abstract class ForwardingStore implements RecordStore {
  private final RecordStore store;

  protected ForwardingStore(RecordStore store) {
    this.store = store;
  }

  /** Whether a store is one of this kind, or passes on to one. */
  protected static boolean isOver(RecordStore store, Class<? extends ForwardingStore> kind) {
    return kind.isInstance(store)
        || (store instanceof ForwardingStore forwarding && isOver(forwarding.store, kind));
  }

  /** The one that it passes on to. */
  protected final RecordStore store() {
    return store;
  }

  @Override
  public abstract <T> T write(SpaceId space, Function<Transaction, T> work);

  @Override
  public <T> T read(SpaceId space, Function<Snapshot, T> work) {
    return store.read(space, work);
  }

  @Override
  public final ChangeFeed changes() {
    return store.changes();
  }

  @Override
  public final void createSpace(SpaceId space) {
    store.createSpace(space);
  }

  @Override
  public final SortedSet<SpaceId> spaces() {
    return store.spaces();
  }

  @Override
  public final boolean purgeDeleted() {
    return store.purgeDeleted();
  }

  @Override
  public final void close() {
    store.close();
  }
}
