package dev.caliber.memory;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.ChangeFeed;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Transaction;
import java.util.SortedSet;
import java.util.function.Consumer;
import java.util.function.Function;

/** A store with which something happens at the end of each commit, before it stands. */
record TroubledStore(RecordStore store, Consumer<Transaction> trouble) implements RecordStore {

  @Override
  public <T> T read(SpaceId space, Function<Snapshot, T> work) {
    return store.read(space, work);
  }

  @Override
  public <T> T write(SpaceId space, Function<Transaction, T> work) {
    return store.write(
        space,
        transaction -> {
          T done = work.apply(transaction);
          trouble.accept(transaction);
          return done;
        });
  }

  @Override
  public ChangeFeed changes() {
    return store.changes();
  }

  @Override
  public void createSpace(SpaceId space) {
    store.createSpace(space);
  }

  @Override
  public SortedSet<SpaceId> spaces() {
    return store.spaces();
  }

  @Override
  public void close() {
    store.close();
  }
}
