package dev.caliber.store;

import dev.caliber.kernel.SpaceId;
import java.util.SortedSet;
import java.util.function.Function;

/**
 * Store that passes every call on to another one; a subclass adds to every write, and may add to
 * reads.
 */
public abstract class ForwardingStore implements RecordStore {
  private final RecordStore store;

  protected ForwardingStore(RecordStore store) {
    this.store = store;
  }

  /** Returns whether a store is of this kind, or passes on to one that is. */
  protected static boolean hasLayer(RecordStore store, Class<? extends ForwardingStore> kind) {
    return kind.isInstance(store)
        || (store instanceof ForwardingStore forwarding && hasLayer(forwarding.store, kind));
  }

  /** Returns the store that calls are passed on to. */
  protected final RecordStore delegate() {
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
