package dev.caliber.agents.lease;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.ForwardingStore;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Transaction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Store that runs a check in each commit of a piece of work, for modules whose work takes several
 * commits or makes its own.
 *
 * <pre>{@code
 * RecordStore store = new FencedStore(Stores.open(…)); // memory and others use it
 * FencedStore.withCommitCheck(space, fence::check, () -> memory.forget(space, command));
 * }</pre>
 *
 * <p>A commit that the check refuses does not happen; earlier ones are kept. Jobs scheduled by the
 * work are not checked.
 */
public final class FencedStore extends ForwardingStore {
  private static final ScopedValue<CommitCheck> CHECK = ScopedValue.newInstance();
  private static final CommitCheck NONE = new CommitCheck(_ -> {});

  public FencedStore(RecordStore store) {
    super(store);
  }

  private record CommitCheck(Consumer<Transaction> action) {}

  /**
   * Runs work with a check in each commit that this thread makes to the space meanwhile, in
   * addition to the checks of the surrounding work.
   */
  public static <T> T withCommitCheck(
      SpaceId space, Consumer<Transaction> check, Supplier<T> work) {
    CommitCheck around = CHECK.orElse(NONE);
    CommitCheck here =
        new CommitCheck(
            transaction -> {
              around.action().accept(transaction);
              if (transaction.space().equals(space)) { // a lease belongs to one space
                check.accept(transaction);
              }
            });
    return ScopedValue.where(CHECK, here).call(work::get);
  }

  /** Runs work without checks, for follow-ups of a commit that has happened. */
  public static void withoutCommitCheck(Runnable work) {
    ScopedValue.where(CHECK, NONE).run(work);
  }

  @Override
  public <T> T write(SpaceId space, Function<Transaction, T> work) {
    CommitCheck commitCheck = CHECK.orElse(NONE); // the work may run on a thread of the store
    return delegate()
        .write(
            space,
            transaction -> {
              commitCheck.action().accept(transaction);
              return work.apply(transaction);
            });
  }
}
