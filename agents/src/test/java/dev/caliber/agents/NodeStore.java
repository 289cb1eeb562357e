package dev.caliber.agents;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.ChangeFeed;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Transaction;
import java.util.SortedSet;
import java.util.function.Function;

/** The store as a node reaches it, until the node dies: then it reaches nothing any more. */
record NodeStore(RecordStore store, Life life) implements RecordStore {

  NodeStore(RecordStore store) {
    this(store, new Life());
  }

  /** How many writes are left to the node. */
  static final class Life {
    private int writes = Integer.MAX_VALUE;
    private boolean over;

    /** It dies after so many more writes. */
    void endAfter(int more) {
      writes = more;
    }

    void begin() {
      over = false;
      writes = Integer.MAX_VALUE;
    }

    boolean isOver() {
      return over;
    }

    private void spend() {
      if (writes == 0) {
        over = true;
        throw new Died();
      }
      writes--;
    }
  }

  /** The node is gone; nobody is there to handle it. */
  static final class Died extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Died() {
      super("The node has died");
    }
  }

  @Override
  public <T> T read(SpaceId space, Function<Snapshot, T> work) {
    return store.read(space, work);
  }

  @Override
  public <T> T write(SpaceId space, Function<Transaction, T> work) {
    life.spend();
    return store.write(space, work);
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
