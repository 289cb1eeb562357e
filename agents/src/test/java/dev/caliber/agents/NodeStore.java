package dev.caliber.agents;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.ForwardingStore;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Transaction;
import java.util.function.Function;

/** Store as one node sees it; after the node's death every write fails. */
final class NodeStore extends ForwardingStore {
  private final Life life = new Life();

  NodeStore(RecordStore store) {
    super(store);
  }

  Life life() {
    return life;
  }

  /** Remaining writes of the node. */
  static final class Life {
    private int writes = Integer.MAX_VALUE;
    private boolean over;

    /** Lets the node die after {@code more} writes. */
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

  /** Failure of a dead node, which no code of the node handles. */
  static final class Died extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Died() {
      super("The node has died");
    }
  }

  @Override
  public <T> T write(SpaceId space, Function<Transaction, T> work) {
    life.spend();
    return delegate().write(space, work);
  }
}
