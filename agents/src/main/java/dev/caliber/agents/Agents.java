package dev.caliber.agents;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.config.CoordinationConfig;
import dev.caliber.memory.CleanupStep;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryParts;
import dev.caliber.memory.QuotingRoom;
import dev.caliber.store.Jobs;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/**
 * Agents that work together. Every change is an {@link AgentCommand}; each is one commit with its
 * trace, and can also be a part of a larger one, together with commands of memory and a {@link
 * Fence}.
 */
public interface Agents {

  /** Agents over a store that was opened with {@link #tables} and those of memory. */
  static Agents of(RecordStore store, AgentsConfig config, AgentsParts parts) {
    return new RecordedAgents(store, config, parts);
  }

  /** The tables that agents need, beside those of memory. */
  static List<Table<?>> tables() {
    return List.of(
        Agent.TABLE,
        Heartbeat.TABLE,
        Lease.TABLE,
        LeaseWait.TABLE,
        Message.TABLE,
        Delegation.TABLE,
        Handoff.TABLE,
        Conflict.TABLE);
  }

  /** Forgets what memory forgets; for {@link MemoryParts#withQuoting}. */
  static QuotingRoom quoting() {
    return new ForgettingAgents();
  }

  /**
   * Removes leases whose time is over, and messages and conflicts of no task that ended long ago;
   * for {@link MemoryParts#withCleanup}.
   */
  static List<CleanupStep> cleanup(AgentsConfig config, CoordinationConfig rules) {
    return AgentsCleanup.steps(config, rules);
  }

  /** Does it in a commit of its own, durable on return. A refusal leaves a trace. */
  <R> R run(SpaceId space, AgentCommand<R> command);

  /** Does it as part of this commit. */
  <R> R run(Transaction transaction, AgentCommand<R> command);

  /** The command with what is slow in it done, so that a commit can take it: a snapshot. */
  <R> AgentCommand<R> prepare(SpaceId space, AgentCommand<R> command);

  /** Reads from one snapshot. */
  <T> T view(SpaceId space, Function<AgentsView, T> reading);

  /**
   * Takes messages like {@link ReceiveMessages}, and waits for one when there is none; empty after
   * {@code atMost}, which is no longer than {@code agents.awaiting.longest}.
   */
  List<Message> await(SpaceId space, ReceiveMessages command, Duration atMost)
      throws InterruptedException;

  /**
   * Asks for a lease with a place in the queue, and waits until it is granted; after {@code atMost}
   * it answers the place, which is kept for a while.
   */
  Acquisition await(SpaceId space, AcquireLease command, Duration atMost)
      throws InterruptedException;

  /**
   * Lets nobody wait any more, because the process is about to end: whoever waits is answered now,
   * as if the time were over.
   */
  void endWaiting();

  /**
   * A write of the agent's own that this fence protects. A stale fence refuses it, and a conflict
   * with whoever holds the resource now is written down. So does somebody else's fence.
   */
  <T> T write(SpaceId space, AgentId agent, Fence fence, Function<Transaction, T> work);

  /** Writes down that a command was refused which was part of a larger commit. */
  void refused(SpaceId space, AgentCommand<?> command, CaliberException refusal);

  /** Writes down that a fence has refused a commit of somebody else's making. */
  void refused(SpaceId space, AgentId agent, Fence fence, CaliberException refusal);

  /** Writes down that something was refused that was to be done as an agent. */
  void refused(ActingAgent agent, String what, CaliberException refusal);

  /**
   * Refuses, and writes down, what an agent is not allowed in a space: the grants for the kinds of
   * memory that it touches, and no name but its own.
   */
  void require(SpaceId space, ActingAgent agent, Needs needs);

  /**
   * The same inside a commit of the space that the agent is registered in; that it was refused is
   * for its maker to write down.
   */
  void require(Transaction transaction, ActingAgent agent, Needs needs);

  /** Whether that would pass. */
  boolean allows(Transaction transaction, ActingAgent agent, Needs needs);

  /**
   * Looks for conflicts, and writes down those that it found; the search is outside of any commit.
   * It answers what was found, and what else is open in the task.
   */
  DetectConflicts.Found detect(SpaceId space, DetectConflicts search);

  /** What crossed to the receiver of a delegation that it accepted, or of a handoff. */
  Briefing briefing(SpaceId space, AgentId receiver, Id delegationOrHandoff);

  /**
   * Memory for an agent that is registered in this space: it may do what it was granted, here and
   * elsewhere, and nothing else.
   */
  Memory memoryOf(SpaceId home, AgentId agent);

  /** Lets these jobs notice failures, time-outs and deadlines. */
  void attach(Jobs jobs);

  /** Lets somebody look when something is due next; for a store that others have written to. */
  void arm(SpaceId space);

  /** Sees to what is due, here and now; answers what there was. */
  Tended tend(SpaceId space);
}
