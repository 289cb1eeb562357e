package dev.caliber.server.operation;

import dev.caliber.memory.command.Command;
import dev.caliber.store.Transaction;
import java.util.function.Function;

/**
 * A command of memory with a model call, which is slow and therefore runs before the commit.
 *
 * @param view the part of the result that the caller may see
 */
record MemoryCommandChange<I, O>(
    ServerModules modules, Function<I, Command<O>> command, ResultView<I, O> view)
    implements Operation.OperationChange<I, O> {
  MemoryCommandChange(ServerModules modules, Function<I, Command<O>> command) {
    this(modules, command, (_, _, _, result) -> result);
  }

  /** Returns what the caller may see of a result. */
  interface ResultView<I, O> {
    O visiblePart(Transaction transaction, Caller caller, I input, O result);
  }

  @Override
  public O apply(Transaction transaction, Caller caller, I input) {
    O result = modules.memory().run(transaction, command.apply(input));
    return view.visiblePart(transaction, caller, input, result);
  }

  @Override
  public Operation.OperationChange<I, O> prepare(Caller caller, I input) {
    Function<Transaction, O> ready =
        modules.memory().prepareCommand(caller.space(), command.apply(input));
    return (transaction, _, _) ->
        view.visiblePart(transaction, caller, input, ready.apply(transaction));
  }

  @Override
  public boolean isCostly(I input) {
    return modules.hasChatModel();
  }
}
