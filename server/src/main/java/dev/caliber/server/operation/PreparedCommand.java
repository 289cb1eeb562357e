package dev.caliber.server.operation;

import dev.caliber.memory.command.Command;
import dev.caliber.store.Transaction;
import java.util.function.Function;

/** A command of memory to which a model may have its say, which is slow: so before the commit. */
record PreparedCommand<I, O>(Rooms rooms, Function<I, Command<O>> command)
    implements Operation.Change<I, O> {
  @Override
  public O apply(Transaction transaction, Caller caller, I input) {
    return rooms.memory().run(transaction, command.apply(input));
  }

  @Override
  public Operation.Change<I, O> prepared(Caller caller, I input) {
    Function<Transaction, O> ready = rooms.memory().prepare(caller.space(), command.apply(input));
    return (transaction, _, _) -> ready.apply(transaction);
  }

  @Override
  public boolean isCostly(I input) {
    return rooms.asking();
  }
}
