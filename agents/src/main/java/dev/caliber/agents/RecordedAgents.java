package dev.caliber.agents;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.Memory;
import dev.caliber.memory.TraceEvent;
import dev.caliber.store.FeedCursor;
import dev.caliber.store.Jobs;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Agents as records of a store. */
final class RecordedAgents implements Agents {
  private static final Logger LOG = LoggerFactory.getLogger(RecordedAgents.class);

  private final RecordStore store;
  private final AgentsConfig config;
  private final AgentsParts parts;

  RecordedAgents(RecordStore store, AgentsConfig config, AgentsParts parts) {
    this.store = store;
    this.config = config;
    this.parts = parts;
  }

  @Override
  public <R> R run(SpaceId space, AgentCommand<R> command) {
    try {
      return store.write(space, transaction -> run(transaction, command));
    } catch (AgentsException refusal) {
      record(space, command, refusal);
      throw refusal;
    }
  }

  @Override
  public <R> R run(Transaction transaction, AgentCommand<R> command) {
    return operations(transaction).run(command);
  }

  /** What was refused changed nothing; that it was refused is written down. */
  private void record(SpaceId space, AgentCommand<?> command, AgentsException refusal) {
    try {
      store.write(
          space,
          transaction -> {
            transaction.insert(TraceEvent.TABLE, Refusals.of(transaction, command, refusal));
            return true;
          });
    } catch (CaliberException e) {
      LOG.warn("A refusal could not be recorded: {}", e.getMessage());
    }
  }

  @Override
  public <T> T view(SpaceId space, Function<AgentsView, T> reading) {
    return store.read(space, snapshot -> reading.apply(new AgentsView(snapshot, config)));
  }

  @Override
  public List<Message> await(SpaceId space, ReceiveMessages command, Duration atMost)
      throws InterruptedException {
    Instant end = parts.clock().instant().plus(atMost);
    FeedCursor cursor = store.changes().head(space);
    while (view(space, view -> view.waiting(command.agent(), 1)).isEmpty()) {
      Duration rest = Duration.between(parts.clock().instant(), end);
      if (!rest.isPositive() || store.changes().await(space, cursor, 1, rest).isEmpty()) {
        return List.of();
      }
      cursor = store.changes().head(space);
    }
    return run(space, command);
  }

  @Override
  public Memory memoryOf(SpaceId home, AgentId agent) {
    return new AgentMemory(parts.memory(), this, home, agent);
  }

  @Override
  public void attach(Jobs jobs) {
    jobs.handle(
        Timers.JOB,
        run -> {
          tend(run.space());
          return transaction -> new Times(desk(transaction)).armNext();
        });
  }

  @Override
  public void tend(SpaceId space) {
    int batch = config.tending().batch();
    boolean more = true;
    while (more) {
      more = store.write(space, transaction -> operations(transaction).tend(batch));
    }
  }

  private Desk desk(Transaction transaction) {
    return new Desk(transaction, config, parts);
  }

  private Operations operations(Transaction transaction) {
    return new Operations(desk(transaction));
  }
}
