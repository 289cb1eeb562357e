package dev.caliber.agents;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.ForwardingStore;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Transaction;
import java.util.function.Function;

/** The store as a node reaches it, until the node dies: then it reaches nothing any more. */
final class NodeStore extends ForwardingStore {
  private final Life life = new Life();

  NodeStore(RecordStore store) {
    super(store);
  }

  Life life() {
    return life;
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
  public <T> T write(SpaceId space, Function<Transaction, T> work) {
    life.spend();
    return store().write(space, work);
  }
}
