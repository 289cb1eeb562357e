package dev.caliber.agents;

import dev.caliber.agents.command.AcquireLease;
import dev.caliber.agents.command.AcquireLeaseResult;
import dev.caliber.agents.command.AgentCommand;
import dev.caliber.agents.command.DetectConflicts;
import dev.caliber.agents.command.ReceiveMessages;
import dev.caliber.agents.command.ReportConflict;
import dev.caliber.agents.command.RequiredPermissions;
import dev.caliber.agents.command.StartHandoff;
import dev.caliber.agents.conflict.Conflict;
import dev.caliber.agents.delegation.Briefing;
import dev.caliber.agents.lease.Fence;
import dev.caliber.agents.lease.FencedStore;
import dev.caliber.agents.lease.Lease;
import dev.caliber.agents.lease.LeaseQueueFront;
import dev.caliber.agents.lease.LeaseRequest;
import dev.caliber.agents.mail.Message;
import dev.caliber.agents.registry.ActingAgent;
import dev.caliber.agents.registry.Agent;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.agents.registry.AgentsException;
import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.ErrorKind;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.context.window.AssembleRequest;
import dev.caliber.memory.context.window.Window;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Transaction;
import dev.caliber.store.job.JobEffect;
import dev.caliber.store.job.JobRun;
import dev.caliber.store.job.Jobs;
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

/** Coordination of agents by records of a store. */
final class RecordStoreAgents implements Agents {
  private static final Logger LOG = LoggerFactory.getLogger(RecordStoreAgents.class);

  /** Kinds of errors that are failures of the system, not refusals. */
  private static final Set<ErrorKind> FAILURES =
      EnumSet.of(ErrorKind.INTERNAL, ErrorKind.UNAVAILABLE);

  private final RecordStore store;
  private final AgentsConfig config;
  private final AgentsDependencies parts;
  private final BoundedChangeWaiter boundedChangeWaiter;

  RecordStoreAgents(RecordStore store, AgentsConfig config, AgentsDependencies parts) {
    this.store = store;
    this.config = config;
    this.parts = parts;
    this.boundedChangeWaiter = new BoundedChangeWaiter(store.changes(), config.blockingCalls());
  }

  @Override
  public <R> R run(SpaceId space, AgentCommand<R> command) {
    try {
      AgentCommand<R> prepared = prepareCommand(space, command);
      return store.write(space, transaction -> run(transaction, prepared));
    } catch (CaliberException refusal) {
      recordRefusal(space, command, refusal);
      throw refusal;
    }
  }

  @Override
  public void recordRefusal(SpaceId space, AgentCommand<?> command, CaliberException refusal) {
    writeRefusal(
        space,
        refusal,
        agentsUnitOfWork -> RefusalTraceWriter.of(agentsUnitOfWork).record(command, refusal));
  }

  @Override
  public void recordRefusal(SpaceId space, AgentId agent, Fence fence, CaliberException refusal) {
    writeRefusal(
        space,
        refusal,
        agentsUnitOfWork -> RefusalTraceWriter.of(agentsUnitOfWork).record(agent, fence, refusal));
  }

  @Override
  @SuppressWarnings("unchecked") // a StartHandoff has the result type of a StartHandoff
  public <R> AgentCommand<R> prepareCommand(SpaceId space, AgentCommand<R> command) {
    return command instanceof StartHandoff startHandoff && startHandoff.snapshot().isEmpty()
        ? (AgentCommand<R>) startHandoff.withSnapshot(assembleSnapshot(space, startHandoff))
        : command;
  }

  /**
   * Assembles the snapshot of a handoff; checks the assignment first, because assembling takes a
   * while.
   */
  private Window assembleSnapshot(SpaceId space, StartHandoff command) {
    Agent from = view(space, view -> view.agent(command.from()));
    if (command.supersedes().isEmpty()) {
      HandoffHandler.requireAssigned(from, command.trajectory());
    }
    try {
      return parts
          .contexts()
          .assemble(space, AssembleRequest.of(command.trajectory()).withDryRun())
          .window();
    } catch (CaliberException e) {
      throw FAILURES.contains(e.code().kind()) ? e : AgentsException.contextNotAssembled(e);
    }
  }

  @Override
  public DetectConflicts.DetectConflictsResult detectConflicts(
      SpaceId space, DetectConflicts search) {
    try {
      ConflictDetector.ConflictReports conflictReports =
          store.read(
              space, snapshot -> new ConflictDetector(snapshot, config, parts, search).detect());
      List<Conflict> written = writeConflicts(space, conflictReports.found());
      return view(
          space,
          view -> view.openConflicts(search.trajectory(), written, conflictReports.uncompared()));
    } catch (CaliberException refusal) {
      recordRefusal(space, search.agent(), "DetectConflicts", refusal);
      throw refusal;
    }
  }

  /** Writes the conflicts in batches, because the size of a commit is limited. */
  private List<Conflict> writeConflicts(SpaceId space, List<ReportConflict> found) {
    List<Conflict> all = new ArrayList<>();
    int batch = config.maintenance().batch();
    for (int next = 0; next < found.size(); next += batch) {
      List<ReportConflict> some = found.subList(next, Math.min(found.size(), next + batch));
      all.addAll(
          store.<List<Conflict>>write(
              space, transaction -> dispatcher(transaction).recordDetectedConflicts(some)));
    }
    return all;
  }

  @Override
  public <T> T writeFenced(
      SpaceId space, AgentId agent, Fence fence, Function<Transaction, T> work) {
    try {
      return store.write(
          space,
          transaction -> {
            fence.check(transaction, agent);
            return work.apply(transaction);
          });
    } catch (AgentsException refusal) {
      recordRefusal(space, agent, fence, refusal);
      throw refusal;
    }
  }

  @Override
  public Briefing briefing(SpaceId space, AgentId receiver, Id work) {
    try {
      return new BriefingReader(store, config, parts).readBriefing(space, receiver, work);
    } catch (AgentsException refusal) {
      recordRefusal(space, receiver, "briefing", refusal);
      throw refusal;
    }
  }

  @Override
  public <R> R run(Transaction transaction, AgentCommand<R> command) {
    return dispatcher(transaction).run(command);
  }

  private void recordRefusal(SpaceId space, AgentId agent, String what, CaliberException refusal) {
    writeRefusal(
        space,
        refusal,
        agentsUnitOfWork -> RefusalTraceWriter.of(agentsUnitOfWork).record(agent, what, refusal));
  }

  /** Records a refusal in its own commit; the refused commit changed nothing. */
  private void writeRefusal(
      SpaceId space, CaliberException refusal, Consumer<AgentsUnitOfWork> record) {
    if (FAILURES.contains(refusal.code().kind())) {
      return;
    }
    try {
      FencedStore.withoutCommitCheck(
          () -> store.commit(space, transaction -> record.accept(unitOfWork(transaction))));
    } catch (CaliberException e) {
      LOG.warn(
          "A command of an agent was refused ({}) in space {}; writing the refusal to the trace failed. Cause: {}",
          refusal.code().name(),
          space,
          e.getMessage());
    }
  }

  @Override
  public <T> T view(SpaceId space, Function<AgentsView, T> reading) {
    return store.read(space, snapshot -> reading.apply(AgentsView.of(snapshot, config)));
  }

  @Override
  public List<Message> awaitMessages(SpaceId space, ReceiveMessages command, Duration atMost)
      throws InterruptedException {
    MailPoll mail = new MailPoll(this, space, command);
    return boundedChangeWaiter
        .await(BoundedChangeWaiter.WakeCondition.forMail(space, atMost), atMost, mail::pollMessages)
        .orElse(List.of());
  }

  /** Returns whether there are messages, or the agent was unregistered meanwhile. */
  boolean shouldPollAgain(SpaceId space, ReceiveMessages command) {
    Instant now = parts.clock().instant();
    return view(
        space,
        view ->
            view.findAgent(command.agent()).isEmpty()
                || !view.waitingMessages(command.agent(), now, 1).isEmpty());
  }

  @Override
  public AcquireLeaseResult awaitLease(SpaceId space, AcquireLease command, Duration atMost)
      throws InterruptedException {
    LeasePoll wish = new LeasePoll(this, space, command.withQueueing());
    Duration again = config.leases().queueEntryTimeout().dividedBy(2);
    Optional<Lease> granted =
        boundedChangeWaiter.await(
            BoundedChangeWaiter.WakeCondition.forLease(space, again), atMost, wish::pollLease);
    return granted
        .<AcquireLeaseResult>map(AcquireLeaseResult.GrantedLease::new)
        .orElseGet(wish::lastResult);
  }

  @Override
  public void endWaiting() {
    boundedChangeWaiter.close();
  }

  /** Returns whether the request can be granted, or its place has to be kept. */
  boolean shouldPollAgain(SpaceId space, AcquireLease command) {
    Instant now = parts.clock().instant();
    Instant soon = now.plus(config.leases().queueEntryTimeout().dividedBy(2));
    LeaseRequest leaseRequest = command.request();
    return store.read(
        space,
        snapshot -> {
          LeaseQueueFront leaseQueueFront = LeaseQueueFront.of(snapshot, leaseRequest, 1);
          boolean kept =
              leaseQueueFront.ownEntry().filter(wait -> wait.keptUntil().isAfter(soon)).isPresent();
          return !kept
              || leaseQueueFront.hasExpiredEntry(now)
              || leaseQueueFront.blockingAgents().isEmpty();
        });
  }

  @Override
  public void requirePermissions(
      SpaceId space, ActingAgent agent, RequiredPermissions requiredPermissions) {
    Optional<AgentsException> refusal =
        store.read(
            agent.home(),
            snapshot ->
                new AgentPermissionCheck(snapshot, agent, space).refusal(requiredPermissions));
    refusal.ifPresent(
        denied -> {
          recordRefusal(agent, requiredPermissions.traceLabel(), denied);
          throw denied;
        });
  }

  @Override
  public void requirePermissions(
      Transaction transaction, ActingAgent agent, RequiredPermissions requiredPermissions) {
    refusal(transaction, agent, requiredPermissions)
        .ifPresent(
            denied -> {
              throw denied;
            });
  }

  @Override
  public boolean hasPermissions(
      Transaction transaction, ActingAgent agent, RequiredPermissions requiredPermissions) {
    return refusal(transaction, agent, requiredPermissions).isEmpty();
  }

  /** Reads the agent from the commit, so it must be registered in the commit's space. */
  private static Optional<AgentsException> refusal(
      Transaction transaction, ActingAgent agent, RequiredPermissions requiredPermissions) {
    SpaceId space = transaction.space();
    return space.equals(agent.home())
        ? new AgentPermissionCheck(transaction, agent, space).refusal(requiredPermissions)
        : Optional.of(
            AgentsException.accessDenied(agent.agent(), "join", "a commit of space " + space));
  }

  @Override
  public void recordRefusal(ActingAgent agent, String what, CaliberException refusal) {
    recordRefusal(agent.home(), agent.agent(), what, refusal);
  }

  @Override
  public void registerJobHandlers(Jobs jobs) {
    jobs.registerHandler(DueWorkScheduler.JOB, this::runDueWork);
    jobs.registerHandler(
        DelegationHandler.END_TASK,
        run -> transaction -> dispatcher(transaction).endTask(Id.parse(run.job().payload())));
  }

  /**
   * Runs due work and schedules the next run; after a failure it is scheduled after the heartbeat
   * grace time.
   */
  private JobEffect runDueWork(JobRun run) {
    boolean done = dueWorkRunner().runAll(run.space(), run::renewLease).isEmpty();
    return transaction -> {
      DueWorkScheduler dueWorkScheduler = new DueWorkScheduler(unitOfWork(transaction));
      if (done) {
        dueWorkScheduler.scheduleNext();
      } else {
        dueWorkScheduler.schedule(transaction.now().plus(config.heartbeats().timeout()));
      }
    };
  }

  private DueWorkRunner dueWorkRunner() {
    return new DueWorkRunner(store, parts.clock(), config.maintenance(), this::dispatcher);
  }

  @Override
  public void scheduleJobs(SpaceId space) {
    store.commit(
        space,
        transaction -> new DueWorkScheduler(unitOfWork(transaction)).scheduleNextUnlessSooner());
  }

  @Override
  public DueWorkResult runMaintenance(SpaceId space) {
    DueWorkRunner dueWorkRunner = dueWorkRunner();
    dueWorkRunner
        .runAll(space, () -> true)
        .ifPresent(
            failure -> {
              throw failure;
            });
    return dueWorkRunner.result();
  }

  private AgentsUnitOfWork unitOfWork(Transaction transaction) {
    return new AgentsUnitOfWork(transaction, config, parts);
  }

  private AgentsCommandDispatcher dispatcher(Transaction transaction) {
    return new AgentsCommandDispatcher(unitOfWork(transaction));
  }
}
