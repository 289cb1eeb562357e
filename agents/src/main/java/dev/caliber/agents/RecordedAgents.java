package dev.caliber.agents;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.ErrorKind;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.Artifact;
import dev.caliber.memory.Memory;
import dev.caliber.memory.Note;
import dev.caliber.memory.context.AssembleRequest;
import dev.caliber.memory.context.Window;
import dev.caliber.store.Jobs;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Agents as records of a store. */
final class RecordedAgents implements Agents {
  private static final Logger LOG = LoggerFactory.getLogger(RecordedAgents.class);

  /** What is no refusal, but a trouble of the system's own. */
  private static final Set<ErrorKind> FAILURES =
      EnumSet.of(ErrorKind.INTERNAL, ErrorKind.UNAVAILABLE);

  private final RecordStore store;
  private final AgentsConfig config;
  private final AgentsParts parts;
  private final WaitingRoom waiting;

  RecordedAgents(RecordStore store, AgentsConfig config, AgentsParts parts) {
    this.store = store;
    this.config = config;
    this.parts = parts;
    this.waiting = new WaitingRoom(store.changes(), config.awaiting());
  }

  @Override
  public <R> R run(SpaceId space, AgentCommand<R> command) {
    AgentCommand<R> prepared = prepare(space, command);
    try {
      return store.write(space, transaction -> run(transaction, prepared));
    } catch (CaliberException refusal) {
      refused(space, command, refusal);
      throw refusal;
    }
  }

  @Override
  public void refused(SpaceId space, AgentCommand<?> command, CaliberException refusal) {
    record(space, refusal, desk -> Refusals.of(desk).record(command, refusal));
  }

  @Override
  public void refused(SpaceId space, AgentId agent, Fence fence, CaliberException refusal) {
    record(space, refusal, desk -> Refusals.of(desk).record(agent, fence, refusal));
  }

  /** What may be slow is done here, before the commit. */
  @SuppressWarnings("unchecked") // a HandOver for a HandOver
  private <R> AgentCommand<R> prepare(SpaceId space, AgentCommand<R> command) {
    return command instanceof HandOver handOver && handOver.snapshot().isEmpty()
        ? (AgentCommand<R>) handOver.with(snapshot(space, handOver))
        : command;
  }

  private Window snapshot(SpaceId space, HandOver command) {
    return parts
        .contexts()
        .assemble(space, AssembleRequest.of(command.trajectory()).dry())
        .window();
  }

  @Override
  public <T> T write(SpaceId space, AgentId agent, Fence fence, Function<Transaction, T> work) {
    try {
      return store.write(
          space,
          transaction -> {
            fence.check(transaction, agent);
            return work.apply(transaction);
          });
    } catch (AgentsException refusal) {
      refused(space, agent, fence, refusal);
      throw refusal;
    }
  }

  @Override
  public Briefing briefing(SpaceId space, AgentId receiver, Id work) {
    Optional<Handoff> handoff = store.read(space, snapshot -> snapshot.find(Handoff.TABLE, work));
    return handoff
        .map(found -> handedOver(space, receiver, found))
        .orElseGet(() -> delegated(space, receiver, view(space, view -> view.delegation(work))));
  }

  private Briefing delegated(SpaceId space, AgentId receiver, Delegation delegation) {
    requireReceiver(receiver, delegation.delegatee());
    return briefing(space, delegation.task().shared(), Optional.empty());
  }

  private Briefing handedOver(SpaceId space, AgentId receiver, Handoff handoff) {
    requireReceiver(receiver, handoff.receiver());
    Optional<String> context =
        Optional.of(handoff.snapshot())
            .filter(_ -> handoff.sharing() == Sharing.WHOLE_CONTEXT)
            .map(id -> parts.contexts().replay(space, parts.contexts().window(space, id)));
    return briefing(space, handoff.shared(), context);
  }

  private Briefing briefing(SpaceId space, Shared shared, Optional<String> context) {
    return store.read(
        space,
        snapshot ->
            new Briefing(
                found(snapshot, Artifact.TABLE, shared.artifacts()),
                found(snapshot, Note.TABLE, shared.notes()),
                context));
  }

  /** Those that were not forgotten since. */
  private static <T> List<T> found(Snapshot snapshot, Table<T> table, List<Id> ids) {
    return ids.stream().flatMap(id -> snapshot.find(table, id).stream()).toList();
  }

  private static void requireReceiver(AgentId agent, Optional<AgentId> receiver) {
    if (receiver.filter(agent::equals).isEmpty()) {
      throw AgentsException.denied(agent, "read", "what crossed to another");
    }
  }

  @Override
  public <R> R run(Transaction transaction, AgentCommand<R> command) {
    return operations(transaction).run(command);
  }

  void refused(SpaceId space, AgentId agent, String what, AgentsException refusal) {
    record(space, refusal, desk -> Refusals.of(desk).record(agent, what, refusal));
  }

  /** What was refused changed nothing; that it was refused is written down. */
  private void record(SpaceId space, CaliberException refusal, Consumer<Desk> record) {
    if (FAILURES.contains(refusal.code().kind())) {
      return;
    }
    try {
      store.write(
          space,
          transaction -> {
            record.accept(desk(transaction));
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
    return waiting
        .await(
            new WaitingRoom.Wanted(space, Message.TABLE, atMost),
            atMost,
            () -> taken(space, command))
        .orElse(List.of());
  }

  /** Looks before it writes: many may wait for what one of them gets. */
  private Optional<List<Message>> taken(SpaceId space, ReceiveMessages command) {
    boolean there =
        !view(space, view -> view.waiting(command.agent(), parts.clock().instant(), 1)).isEmpty();
    return Optional.of(there)
        .filter(is -> is)
        .map(_ -> run(space, command))
        .filter(messages -> !messages.isEmpty());
  }

  @Override
  public Acquisition await(SpaceId space, AcquireLease command, Duration atMost)
      throws InterruptedException {
    QueuedWish wish = new QueuedWish(this, space, command.waiting());
    Duration again = config.leases().place().dividedBy(2);
    Optional<Lease> granted =
        waiting.await(new WaitingRoom.Wanted(space, Lease.TABLE, again), atMost, wish::granted);
    return granted.<Acquisition>map(Acquisition.Granted::new).orElseGet(wish::last);
  }

  /** Whether nobody is before it any more, or its place has to be kept. */
  boolean isWorthAsking(SpaceId space, AcquireLease command) {
    Instant now = parts.clock().instant();
    Instant soon = now.plus(config.leases().place().dividedBy(2));
    Waiting.Wish wish = new Waiting.Wish(command.agent(), command.resource(), command.mode());
    return store.read(
        space,
        snapshot -> {
          Waiting here = new Waiting(snapshot, now);
          boolean kept =
              here.queue(command.resource()).stream()
                  .anyMatch(
                      wait ->
                          wait.agent().equals(command.agent()) && wait.keptUntil().isAfter(soon));
          return !kept || here.before(wish).isEmpty();
        });
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
  public void arm(SpaceId space) {
    store.write(
        space,
        transaction -> {
          new Times(desk(transaction)).arm();
          return true;
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
