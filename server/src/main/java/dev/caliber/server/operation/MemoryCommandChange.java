package dev.caliber.server.operation;

import dev.caliber.memory.command.Command;
import dev.caliber.store.Transaction;
import java.util.function.Function;

/** A command of memory with a model call, which is slow and therefore runs before the commit. */
record MemoryCommandChange<I, O>(ServerModules modules, Function<I, Command<O>> command)
    implements Operation.OperationChange<I, O> {
  @Override
  public O apply(Transaction transaction, Caller caller, I input) {
    return modules.memory().run(transaction, command.apply(input));
  }

  @Override
  public Operation.OperationChange<I, O> prepare(Caller caller, I input) {
    Function<Transaction, O> ready =
        modules.memory().prepareCommand(caller.space(), command.apply(input));
    return (transaction, _, _) -> ready.apply(transaction);
  }

  @Override
  public boolean isCostly(I input) {
    return modules.hasChatModel();
  }
}
