package dev.caliber.memory;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.ForwardingStore;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Transaction;
import java.util.function.Consumer;
import java.util.function.Function;

/** Store that runs an action at the end of each commit, before it is durable. */
public final class TroubledStore extends ForwardingStore {
  private final Consumer<Transaction> trouble;
  private int begun;
  private int stood;

  public TroubledStore(RecordStore store, Consumer<Transaction> trouble) {
    super(store);
    this.trouble = trouble;
  }

  /** Returns the number of commits that failed. */
  public int refused() {
    return begun - stood;
  }

  @Override
  public <T> T write(SpaceId space, Function<Transaction, T> work) {
    begun++;
    T answer =
        delegate()
            .write(
                space,
                transaction -> {
                  T done = work.apply(transaction);
                  trouble.accept(transaction);
                  return done;
                });
    stood++;
    return answer;
  }
}
