package dev.caliber.agents;

import dev.caliber.agents.command.AcquireLease;
import dev.caliber.agents.command.AcquireLeaseResult;
import dev.caliber.agents.command.AgentCommand;
import dev.caliber.agents.command.DetectConflicts;
import dev.caliber.agents.command.ReceiveMessages;
import dev.caliber.agents.command.RequiredPermissions;
import dev.caliber.agents.conflict.Conflict;
import dev.caliber.agents.delegation.Briefing;
import dev.caliber.agents.delegation.Delegation;
import dev.caliber.agents.delegation.Handoff;
import dev.caliber.agents.lease.Fence;
import dev.caliber.agents.lease.Lease;
import dev.caliber.agents.lease.LeaseQueueEntry;
import dev.caliber.agents.mail.Message;
import dev.caliber.agents.registry.ActingAgent;
import dev.caliber.agents.registry.Agent;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.agents.registry.Heartbeat;
import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.config.CoordinationConfig;
import dev.caliber.memory.view.CleanupStep;
import dev.caliber.memory.view.ForgetListener;
import dev.caliber.memory.view.MemoryDependencies;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import dev.caliber.store.job.Jobs;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/**
 * Coordination of agents. Every change is an {@link AgentCommand}; each is one commit with its
 * trace, and can also be a part of a larger commit, together with commands of memory and a {@link
 * Fence}.
 */
public interface Agents {

  /** Needs a store that was opened with {@link #tables} and those of memory. */
  static Agents of(RecordStore store, AgentsConfig config, AgentsDependencies parts) {
    return new RecordStoreAgents(store, config, parts);
  }

  /** Returns the tables of agents, besides those of memory. */
  static List<Table<?>> tables() {
    return List.of(
        Agent.TABLE,
        Heartbeat.TABLE,
        Lease.TABLE,
        LeaseQueueEntry.TABLE,
        Message.TABLE,
        Delegation.TABLE,
        Handoff.TABLE,
        Conflict.TABLE);
  }

  /**
   * Removes records of agents that refer to forgotten ones; for {@link
   * MemoryDependencies#withForgetListener}.
   */
  static ForgetListener forgetListener() {
    return new AgentsForgetListener();
  }

  /**
   * Removes expired leases, and old messages and conflicts without a task; for {@link
   * MemoryDependencies#withCleanup}.
   */
  static List<CleanupStep> cleanupSteps(AgentsConfig config, CoordinationConfig rules) {
    return AgentsCleanup.cleanupSteps(config, rules);
  }

  /** Runs a command in its own commit, durable on return. A refusal is traced. */
  <R> R run(SpaceId space, AgentCommand<R> command);

  /** Runs a command as part of this commit. */
  <R> R run(Transaction transaction, AgentCommand<R> command);

  /** Does the slow part of a command, assembling a snapshot, so that it can run in a commit. */
  <R> AgentCommand<R> prepareCommand(SpaceId space, AgentCommand<R> command);

  /** Reads from one snapshot. */
  <T> T view(SpaceId space, Function<AgentsView, T> reading);

  /**
   * Takes messages like {@link ReceiveMessages}, and waits for one when there is none; empty after
   * {@code atMost}, which is limited by {@code agents.blocking-calls.max-wait}.
   */
  List<Message> awaitMessages(SpaceId space, ReceiveMessages command, Duration atMost)
      throws InterruptedException;

  /**
   * Requests a lease with a place in the queue, and waits until it is granted; after {@code atMost}
   * it returns the place, which is kept for {@code agents.leases.queue-entry-timeout}.
   */
  AcquireLeaseResult awaitLease(SpaceId space, AcquireLease command, Duration atMost)
      throws InterruptedException;

  /** Ends all waiting calls before the process stops: they return as if their time were over. */
  void endWaiting();

  /**
   * Runs a write of the agent that this fence protects. A stale fence refuses it and records a
   * conflict with the current holders. A fence of another agent's lease refuses it, too.
   */
  <T> T writeFenced(SpaceId space, AgentId agent, Fence fence, Function<Transaction, T> work);

  /** Records the refusal of a command that was part of a larger commit. */
  void recordRefusal(SpaceId space, AgentCommand<?> command, CaliberException refusal);

  /** Records that a fence has refused a commit that was made elsewhere. */
  void recordRefusal(SpaceId space, AgentId agent, Fence fence, CaliberException refusal);

  /** Records the refusal of an action in the name of an agent. */
  void recordRefusal(ActingAgent agent, String what, CaliberException refusal);

  /**
   * Checks that an agent has the grants for the kinds of memory that it uses in a space, and that
   * it acts in its own name only. A refusal is recorded.
   */
  void requirePermissions(
      SpaceId space, ActingAgent agent, RequiredPermissions requiredPermissions);

  /**
   * Checks permissions inside a commit of the agent's space; the maker of the commit records a
   * refusal.
   */
  void requirePermissions(
      Transaction transaction, ActingAgent agent, RequiredPermissions requiredPermissions);

  /** Returns whether {@link #requirePermissions} would pass. */
  boolean hasPermissions(
      Transaction transaction, ActingAgent agent, RequiredPermissions requiredPermissions);

  /**
   * Searches for conflicts outside of any commit and records them. Returns those found, and the
   * other open conflicts of the task.
   */
  DetectConflicts.DetectConflictsResult detectConflicts(SpaceId space, DetectConflicts search);

  /** Returns the records shared with the receiver of an accepted delegation or handoff. */
  Briefing briefing(SpaceId space, AgentId receiver, Id delegationOrHandoff);

  /** Registers the handlers of the jobs that detect failures, time-outs and deadlines. */
  void registerJobHandlers(Jobs jobs);

  /** Schedules the next due work; for a store that other processes have written to. */
  void scheduleJobs(SpaceId space);

  /** Runs all due work now; returns the counts. */
  DueWorkResult runMaintenance(SpaceId space);
}
