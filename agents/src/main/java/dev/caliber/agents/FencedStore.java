package dev.caliber.agents;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.ForwardingStore;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Transaction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A store for rooms whose work takes several commits, or whose commits are their own: during some
 * work, each of them is checked first.
 *
 * <pre>{@code
 * RecordStore store = new FencedStore(RecordStore.open(…));       // memory and the others are over it
 * FencedStore.during(space, fence::check, () -> memory.forget(space, command));
 * }</pre>
 *
 * <p>A commit that the check refuses does not happen; those before it stay. What the work leaves to
 * jobs is theirs.
 */
public final class FencedStore extends ForwardingStore {
  private static final ScopedValue<Check> CHECK = ScopedValue.newInstance();
  private static final Check NONE = new Check(_ -> {});

  public FencedStore(RecordStore store) {
    super(store);
  }

  private record Check(Consumer<Transaction> in) {}

  /**
   * Does it with a check in each commit that this thread makes to the space meanwhile, beside the
   * checks of the work around it.
   */
  public static <T> T during(SpaceId space, Consumer<Transaction> check, Supplier<T> work) {
    Check around = CHECK.orElse(NONE);
    Check here =
        new Check(
            transaction -> {
              around.in().accept(transaction);
              if (transaction.space().equals(space)) { // leases are of one space
                check.accept(transaction);
              }
            });
    return ScopedValue.where(CHECK, here).call(work::get);
  }

  /** Does it without: for what has to follow a commit that has happened. */
  public static <T> T freely(Supplier<T> work) {
    return ScopedValue.where(CHECK, NONE).call(work::get);
  }

  @Override
  public <T> T write(SpaceId space, Function<Transaction, T> work) {
    Check check = CHECK.orElse(NONE); // the work itself may run on a thread of the store
    return store()
        .write(
            space,
            transaction -> {
              check.in().accept(transaction);
              return work.apply(transaction);
            });
  }
}
