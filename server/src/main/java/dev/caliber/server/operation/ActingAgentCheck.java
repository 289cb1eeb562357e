package dev.caliber.server.operation;

import dev.caliber.agents.ActingAgent;
import dev.caliber.agents.Agents;
import dev.caliber.agents.RequiredPermissions;
import dev.caliber.kernel.CaliberException;
import dev.caliber.store.Transaction;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** A permission check for calls that act as an agent; other calls pass. */
record ActingAgentCheck(Agents agents) {

  /** A call as it was received. */
  record PermissionRequest<I extends Record>(
      Operation<I, ?> operation, Caller caller, I input, JsonNode rawInput) {
    RequiredPermissions requiredPermissions() {
      RequiredPermissions requiredPermissions = operation.requiredPermissions(input);
      return FenceParameter.of(rawInput)
          .flatMap(FenceParameter::agent)
          .map(holder -> requiredPermissions.and(RequiredPermissions.forAgents(List.of(holder))))
          .orElse(requiredPermissions);
    }
  }

  /** Checks before any work starts, and records a refusal. */
  void requirePermission(PermissionRequest<?> permissionRequest) {
    permissionRequest
        .caller()
        .agent()
        .ifPresent(
            agent ->
                agents.requirePermissions(
                    permissionRequest.caller().space(),
                    agent,
                    permissionRequest.requiredPermissions()));
  }

  /** Checks again in the commit, if it can: the agent's permissions may have changed meanwhile. */
  void recheckInCommit(Transaction transaction, PermissionRequest<?> permissionRequest) {
    if (permissionRequest
        .caller()
        .agent()
        .filter(agent -> agent.home().equals(transaction.space()))
        .isPresent()) {
      requireInCommit(transaction, permissionRequest);
    }
  }

  /** Checks as part of a commit; a refusal carries the trace to write afterwards. */
  void requireInCommit(Transaction transaction, PermissionRequest<?> permissionRequest) {
    if (permissionRequest.caller().agent().isEmpty()) {
      return;
    }
    ActingAgent agent = permissionRequest.caller().agent().get();
    try {
      agents.requirePermissions(transaction, agent, permissionRequest.requiredPermissions());
    } catch (CaliberException refusal) {
      throw ServerException.inPart(
          "",
          refusal,
          () -> agents.recordRefusal(agent, permissionRequest.operation().name(), refusal));
    }
  }
}
