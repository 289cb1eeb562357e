package dev.caliber.agents;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Id;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Refusal of an agent's command, with its code and advice, if there is any. */
public final class AgentsException extends CaliberException {

  private static final long serialVersionUID = 1L;

  private static final String AGENT = "agent";
  private static final String RESOURCE = "resource";
  private static final String REASON = "reason";

  private final transient List<WaitForGraph.LeaseRequest> cycle;
  private final transient Map<String, String> fields;

  private AgentsException(AgentsErrorCode code, String message, Map<String, String> fields) {
    this(code, message, fields, List.of());
  }

  private AgentsException(
      AgentsErrorCode code,
      String message,
      Map<String, String> fields,
      List<WaitForGraph.LeaseRequest> cycle) {
    super(code, message);
    this.fields = new TreeMap<>(fields);
    this.cycle = List.copyOf(cycle);
  }

  @Override
  public Map<String, String> fields() {
    return Collections.unmodifiableMap(fields);
  }

  /** Returns the deadlock cycle that was refused; empty for other refusals. */
  List<WaitForGraph.LeaseRequest> cycle() {
    return cycle;
  }

  static AgentsException notRegistered(AgentId agent) {
    return new AgentsException(
        AgentsErrorCode.NOT_REGISTERED,
        "Agent '%s' is not registered in this space".formatted(agent),
        Map.of(AGENT, agent.value()));
  }

  static AgentsException agentFailed(AgentId agent) {
    return new AgentsException(
        AgentsErrorCode.AGENT_FAILED,
        "Agent '%s' is FAILED: it missed its heartbeats or reported a failure".formatted(agent),
        Map.of(AGENT, agent.value()));
  }

  static AgentsException agentBusy(AgentId agent, String with) {
    return new AgentsException(
        AgentsErrorCode.AGENT_BUSY,
        "Agent '%s' cannot be unregistered: it still has %s".formatted(agent, with),
        Map.of(AGENT, agent.value(), REASON, with));
  }

  static AgentsException circularHierarchy(List<AgentId> line) {
    return new AgentsException(
        AgentsErrorCode.CIRCULAR_REPORTING,
        "The hierarchy of agents would be circular: %s".formatted(joinNames(line)),
        Map.of(AGENT, line.getFirst().value()));
  }

  static AgentsException accessDenied(AgentId agent, String action, String resource) {
    return new AgentsException(
        AgentsErrorCode.PERMISSION_DENIED,
        "'%s' may not %s %s".formatted(agent, action, resource),
        Map.of(AGENT, agent.value(), "action", action, RESOURCE, resource));
  }

  static AgentsException unknownRecord(String kind, Id id) {
    return new AgentsException(
        AgentsErrorCode.UNKNOWN_RECORD,
        "The %s '%s' does not exist in this space".formatted(kind, id),
        Map.of(kind, id.toString()));
  }

  /** Names the first of the agents that hold the resource or wait for it. */
  static AgentsException resourceHeld(Resource resource, List<AgentId> by, boolean cut) {
    return new AgentsException(
        AgentsErrorCode.LEASE_NOT_ACQUIRED,
        "Resource %s is not free: held or awaited by %s%s"
            .formatted(resource, joinNames(by), cut ? " and others" : ""),
        Map.of(RESOURCE, resource.toString(), "holder", by.getFirst().value()));
  }

  static AgentsException leaseExpired(Id lease) {
    return new AgentsException(
        AgentsErrorCode.LEASE_EXPIRED,
        "Lease '%s' has ended".formatted(lease),
        Map.of("lease", lease.toString()));
  }

  static AgentsException deadlock(List<WaitForGraph.LeaseRequest> cycle) {
    return new AgentsException(
        AgentsErrorCode.DEADLOCK,
        "Deadlock: " + joinNames(cycle),
        Map.of(RESOURCE, cycle.getFirst().resource().toString()),
        cycle);
  }

  static AgentsException staleFence(Fence fence) {
    return new AgentsException(
        AgentsErrorCode.STALE_FENCE,
        "The lease on %s with token %d has ended".formatted(fence.resource(), fence.token()),
        Map.of(RESOURCE, fence.resource().toString(), "token", Long.toString(fence.token())));
  }

  /** Names only the recipient, because no message exists yet. */
  static AgentsException noRecipient(Recipient to) {
    String reason = "no such agent is registered in this space";
    return new AgentsException(
        AgentsErrorCode.MESSAGE_DELIVERY_FAILED,
        "Message to %s was not delivered: %s".formatted(to, reason),
        Map.of("recipient", to.toString(), REASON, reason));
  }

  static AgentsException messageNotDelivered(Id message, String reason) {
    return new AgentsException(
        AgentsErrorCode.MESSAGE_DELIVERY_FAILED,
        "Message %s: %s".formatted(message, reason),
        Map.of("message", message.toString(), REASON, reason));
  }

  static AgentsException keyReused(Message sent) {
    return new AgentsException(
        AgentsErrorCode.IDEMPOTENCY_KEY_REUSED,
        "The key was already used for message %s with another recipient or content"
            .formatted(sent.id()),
        Map.of("message", sent.id().toString()));
  }

  static AgentsException inboxFull(String inbox, int limit) {
    return new AgentsException(
        AgentsErrorCode.INBOX_FULL,
        "Inbox %s is full: it has %d messages (agents.messages.inbox-limit)"
            .formatted(inbox, limit),
        Map.of("inbox", inbox));
  }

  static AgentsException tooManyWaiting(int places) {
    return new AgentsException(
        AgentsErrorCode.TOO_MANY_BLOCKING_CALLS,
        "All %d places for waiting calls are taken (agents.blocking-calls.max-calls)"
            .formatted(places),
        Map.of());
  }

  static AgentsException delegationFailed(String reason) {
    return new AgentsException(AgentsErrorCode.DELEGATION_FAILED, reason, Map.of(REASON, reason));
  }

  static AgentsException handoffFailed(String reason) {
    return new AgentsException(AgentsErrorCode.HANDOFF_FAILED, reason, Map.of(REASON, reason));
  }

  static AgentsException contextNotAssembled(CaliberException cause) {
    AgentsException refusal =
        handoffFailed("its context cannot be assembled: " + cause.getMessage());
    refusal.initCause(cause);
    return refusal;
  }

  private static String joinNames(Collection<?> things) {
    return things.stream().map(Object::toString).collect(Collectors.joining(", "));
  }
}
