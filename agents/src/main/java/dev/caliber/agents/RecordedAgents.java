package dev.caliber.agents;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.ErrorKind;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.Memory;
import dev.caliber.memory.context.AssembleRequest;
import dev.caliber.memory.context.Window;
import dev.caliber.store.JobEffect;
import dev.caliber.store.JobRun;
import dev.caliber.store.Jobs;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
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
    try {
      AgentCommand<R> prepared = prepare(space, command);
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

  @Override
  @SuppressWarnings("unchecked") // a HandOver for a HandOver
  public <R> AgentCommand<R> prepare(SpaceId space, AgentCommand<R> command) {
    return command instanceof HandOver handOver && handOver.snapshot().isEmpty()
        ? (AgentCommand<R>) handOver.with(snapshot(space, handOver))
        : command;
  }

  /** Asks first whether it can be at all: a context takes a while. */
  private Window snapshot(SpaceId space, HandOver command) {
    Agent from = view(space, view -> view.agent(command.from()));
    if (command.supersedes().isEmpty()) {
      HandoffWork.requireAt(from, command.trajectory());
    }
    try {
      return parts
          .contexts()
          .as(command.from().value())
          .assemble(space, AssembleRequest.of(command.trajectory()).dry())
          .window();
    } catch (CaliberException e) {
      throw FAILURES.contains(e.code().kind()) ? e : AgentsException.unassembled(e);
    }
  }

  @Override
  public DetectConflicts.Found detect(SpaceId space, DetectConflicts search) {
    try {
      Detection.Result result =
          store.read(space, snapshot -> new Detection(snapshot, config, parts, search).find());
      List<Conflict> written = written(space, result.found());
      return view(space, view -> view.open(search.trajectory(), written, result.uncompared()));
    } catch (CaliberException refusal) {
      refused(space, search.agent(), "DetectConflicts", refusal);
      throw refusal;
    }
  }

  /** Some in each commit: a commit has a limit. */
  private List<Conflict> written(SpaceId space, List<ReportConflict> found) {
    List<Conflict> all = new ArrayList<>();
    int batch = config.tending().batch();
    for (int next = 0; next < found.size(); next += batch) {
      List<ReportConflict> some = found.subList(next, Math.min(found.size(), next + batch));
      all.addAll(
          store.<List<Conflict>>write(space, transaction -> operations(transaction).found(some)));
    }
    return all;
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
    try {
      return new Briefings(store, config, parts).of(space, receiver, work);
    } catch (AgentsException refusal) {
      refused(space, receiver, "briefing", refusal);
      throw refusal;
    }
  }

  @Override
  public <R> R run(Transaction transaction, AgentCommand<R> command) {
    return operations(transaction).run(command);
  }

  private void refused(SpaceId space, AgentId agent, String what, CaliberException refusal) {
    record(space, refusal, desk -> Refusals.of(desk).record(agent, what, refusal));
  }

  /** What was refused changed nothing; that it was refused is written down. */
  private void record(SpaceId space, CaliberException refusal, Consumer<Desk> record) {
    if (FAILURES.contains(refusal.code().kind())) {
      return;
    }
    try {
      FencedStore.freely(
          () ->
              store.write(
                  space,
                  transaction -> {
                    record.accept(desk(transaction));
                    return true;
                  }));
    } catch (CaliberException e) {
      LOG.warn("A refusal could not be recorded: {}", e.getMessage());
    }
  }

  @Override
  public <T> T view(SpaceId space, Function<AgentsView, T> reading) {
    return store.read(space, snapshot -> reading.apply(AgentsView.of(snapshot, config)));
  }

  @Override
  public List<Message> await(SpaceId space, ReceiveMessages command, Duration atMost)
      throws InterruptedException {
    AwaitedMail mail = new AwaitedMail(this, space, command);
    return waiting
        .await(WaitingRoom.Wanted.mail(space, atMost), atMost, mail::taken)
        .orElse(List.of());
  }

  /** Whether there is mail, or an agent that has gone meanwhile is to be refused. */
  boolean isWorthAsking(SpaceId space, ReceiveMessages command) {
    Instant now = parts.clock().instant();
    return view(
        space,
        view ->
            view.find(command.agent()).isEmpty()
                || !view.waiting(command.agent(), now, 1).isEmpty());
  }

  @Override
  public Acquisition await(SpaceId space, AcquireLease command, Duration atMost)
      throws InterruptedException {
    QueuedWish wish = new QueuedWish(this, space, command.waiting());
    Duration again = config.leases().place().dividedBy(2);
    Optional<Lease> granted =
        waiting.await(WaitingRoom.Wanted.turn(space, again), atMost, wish::granted);
    return granted.<Acquisition>map(Acquisition.Granted::new).orElseGet(wish::last);
  }

  @Override
  public void endWaiting() {
    waiting.close();
  }

  /** Whether nobody is before it any more, or its place has to be kept. */
  boolean isWorthAsking(SpaceId space, AcquireLease command) {
    Instant now = parts.clock().instant();
    Instant soon = now.plus(config.leases().place().dividedBy(2));
    Waiting.Wish wish = Waiting.Wish.of(command);
    return store.read(
        space,
        snapshot -> {
          Line line = Line.of(AgentsView.of(snapshot, config).rows(), wish, 1);
          boolean kept = line.place().filter(wait -> wait.keptUntil().isAfter(soon)).isPresent();
          return !kept || line.hasEnded(now) || line.before().isEmpty();
        });
  }

  @Override
  public Memory memoryOf(SpaceId home, AgentId agent) {
    return new AgentMemory(parts.memory().as(agent.value()), this, new ActingAgent(home, agent));
  }

  @Override
  public void require(SpaceId space, ActingAgent agent, Needs needs) {
    Optional<AgentsException> refusal =
        store.read(
            agent.home(), snapshot -> new AccessRules(snapshot, agent, space).refusal(needs));
    refusal.ifPresent(
        denied -> {
          refused(agent, needs.word(), denied);
          throw denied;
        });
  }

  @Override
  public void require(Transaction transaction, ActingAgent agent, Needs needs) {
    refusal(transaction, agent, needs)
        .ifPresent(
            denied -> {
              throw denied;
            });
  }

  @Override
  public boolean allows(Transaction transaction, ActingAgent agent, Needs needs) {
    return refusal(transaction, agent, needs).isEmpty();
  }

  /** Inside a commit the agent is read from that commit, so it has to be registered there. */
  private static Optional<AgentsException> refusal(
      Transaction transaction, ActingAgent agent, Needs needs) {
    SpaceId space = transaction.space();
    return space.equals(agent.home())
        ? new AccessRules(transaction, agent, space).refusal(needs)
        : Optional.of(AgentsException.denied(agent.agent(), "join", "a commit of space " + space));
  }

  @Override
  public void refused(ActingAgent agent, String what, CaliberException refusal) {
    refused(agent.home(), agent.agent(), what, refusal);
  }

  @Override
  public void attach(Jobs jobs) {
    jobs.handle(Alarm.JOB, this::tend);
    jobs.handle(
        ForgettingAgents.FORMER_JOB, run -> ForgettingAgents.goOn(run.job(), config.tending()));
    jobs.handle(
        DelegationWork.END_TASK,
        run -> transaction -> operations(transaction).endTask(Id.parse(run.job().payload())));
  }

  /** The chain of looks never ends: what could not be done is tried again after a while. */
  private JobEffect tend(JobRun run) {
    boolean done = tending().all(run.space(), run::renew).isEmpty();
    return transaction -> {
      Alarm alarm = new Alarm(desk(transaction));
      if (done) {
        alarm.scheduleNext();
      } else {
        alarm.schedule(transaction.now().plus(config.heartbeats().grace()));
      }
    };
  }

  private Tending tending() {
    return new Tending(store, parts.clock(), config.tending(), this::operations);
  }

  @Override
  public void arm(SpaceId space) {
    store.write(
        space,
        transaction -> {
          new Alarm(desk(transaction)).armNext();
          return true;
        });
  }

  @Override
  public Tended tend(SpaceId space) {
    Tending tending = tending();
    tending
        .all(space, () -> true)
        .ifPresent(
            failure -> {
              throw failure;
            });
    return tending.done();
  }

  private Desk desk(Transaction transaction) {
    return new Desk(transaction, config, parts);
  }

  private Operations operations(Transaction transaction) {
    return new Operations(desk(transaction));
  }
}
