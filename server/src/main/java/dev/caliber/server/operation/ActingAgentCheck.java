package dev.caliber.server.operation;

import dev.caliber.agents.Agents;
import dev.caliber.agents.registry.ActingAgent;
import dev.caliber.kernel.CaliberException;
import dev.caliber.store.Transaction;

/**
 * The permission check of calls that act as an agent; other calls pass. No other class of the
 * server checks the grants of an agent.
 */
record ActingAgentCheck(Agents agents) {

  /** Checks before any work starts, and records a refusal. */
  void requirePermission(OperationInvocation<?, ?> invocation) {
    Caller caller = invocation.caller();
    caller
        .agent()
        .ifPresent(
            agent ->
                agents.requirePermissions(caller.space(), agent, invocation.requiredPermissions()));
  }

  /** Checks again in the commit, if it can: the agent's permissions may have changed meanwhile. */
  void recheckInCommit(Transaction transaction, OperationInvocation<?, ?> invocation) {
    if (invocation
        .caller()
        .agent()
        .filter(agent -> agent.home().equals(transaction.space()))
        .isPresent()) {
      requireInCommit(transaction, invocation);
    }
  }

  /** Checks as part of a commit; a refusal carries the trace to write afterwards. */
  void requireInCommit(Transaction transaction, OperationInvocation<?, ?> invocation) {
    if (invocation.caller().agent().isEmpty()) {
      return;
    }
    ActingAgent agent = invocation.caller().agent().get();
    try {
      agents.requirePermissions(transaction, agent, invocation.requiredPermissions());
    } catch (CaliberException refusal) {
      throw ServerException.inPart(
          "", refusal, () -> agents.recordRefusal(agent, invocation.operation().name(), refusal));
    }
  }
}
