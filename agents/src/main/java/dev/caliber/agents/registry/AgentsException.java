package dev.caliber.agents.registry;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Id;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Refusal of an agent's command, with its code and advice, if there is any. */
public final class AgentsException extends CaliberException {

  private static final long serialVersionUID = 1L;

  private static final String AGENT = "agent";
  private static final String RESOURCE = "resource";
  private static final String REASON = "reason";

  private final transient Optional<Deadlock> deadlock;
  private final transient Map<String, String> fields;

  private AgentsException(AgentsErrorCode code, String message, Map<String, String> fields) {
    this(code, message, fields, Optional.empty());
  }

  private AgentsException(
      AgentsErrorCode code,
      String message,
      Map<String, String> fields,
      Optional<Deadlock> deadlock) {
    super(code, message);
    this.fields = new TreeMap<>(fields);
    this.deadlock = deadlock;
  }

  @Override
  public Map<String, String> fields() {
    return Collections.unmodifiableMap(fields);
  }

  /**
   * Cycle of agents that wait for each other.
   *
   * @param last the agent that waits for the first one
   * @param resource the resource that the first agent waits for
   */
  public record Deadlock(AgentId first, AgentId last, String resource) {}

  /** Returns the deadlock that was refused; empty for other refusals. */
  public Optional<Deadlock> deadlock() {
    return deadlock;
  }

  public static AgentsException notRegistered(AgentId agent) {
    return new AgentsException(
        AgentsErrorCode.NOT_REGISTERED,
        "Agent '%s' is not registered in this space".formatted(agent),
        Map.of(AGENT, agent.value()));
  }

  public static AgentsException agentFailed(AgentId agent) {
    return new AgentsException(
        AgentsErrorCode.AGENT_FAILED,
        "Agent '%s' is FAILED: it missed its heartbeats or reported a failure".formatted(agent),
        Map.of(AGENT, agent.value()));
  }

  public static AgentsException agentBusy(AgentId agent, String with) {
    return new AgentsException(
        AgentsErrorCode.AGENT_BUSY,
        "Agent '%s' cannot be unregistered: it still has %s".formatted(agent, with),
        Map.of(AGENT, agent.value(), REASON, with));
  }

  public static AgentsException circularHierarchy(List<AgentId> line) {
    return new AgentsException(
        AgentsErrorCode.CIRCULAR_REPORTING,
        "The agents cannot report to each other in a circle: %s".formatted(joinNames(line)),
        Map.of(AGENT, line.getFirst().value()));
  }

  public static AgentsException accessDenied(AgentId agent, String action, String resource) {
    return new AgentsException(
        AgentsErrorCode.PERMISSION_DENIED,
        "Agent '%s' may not %s %s".formatted(agent, action, resource),
        Map.of(AGENT, agent.value(), "action", action, RESOURCE, resource));
  }

  public static AgentsException unknownRecord(String kind, Id id) {
    return new AgentsException(
        AgentsErrorCode.UNKNOWN_RECORD,
        "There is no %s '%s' in this space".formatted(kind, id),
        Map.of(kind, id.toString()));
  }

  /** Names the first of the agents that hold the resource or wait for it. */
  public static AgentsException resourceHeld(String resource, List<AgentId> by, boolean cut) {
    return new AgentsException(
        AgentsErrorCode.LEASE_NOT_ACQUIRED,
        "The lease was not granted: resource %s is held or awaited by %s%s"
            .formatted(resource, joinNames(by), cut ? " and others" : ""),
        Map.of(RESOURCE, resource, "holder", by.getFirst().value()));
  }

  public static AgentsException leaseExpired(Id lease) {
    return new AgentsException(
        AgentsErrorCode.LEASE_EXPIRED,
        "The lease '%s' has ended and protects nothing any more".formatted(lease),
        Map.of("lease", lease.toString()));
  }

  /** Names all requests of the cycle. */
  public static AgentsException deadlock(Deadlock deadlock, Collection<?> cycle) {
    return new AgentsException(
        AgentsErrorCode.DEADLOCK,
        "Deadlock: " + joinNames(cycle),
        Map.of(RESOURCE, deadlock.resource()),
        Optional.of(deadlock));
  }

  public static AgentsException staleFence(String resource, long token) {
    return new AgentsException(
        AgentsErrorCode.STALE_FENCE,
        "The write was refused: the lease on %s with token %d (its fence) has ended"
            .formatted(resource, token),
        Map.of(RESOURCE, resource, "token", Long.toString(token)));
  }

  /** Names only the recipient, because no message exists yet. */
  public static AgentsException noRecipient(Recipient to) {
    String reason = "no such agent or agent type is registered in this space";
    return new AgentsException(
        AgentsErrorCode.MESSAGE_DELIVERY_FAILED,
        "The message to %s was not delivered: %s".formatted(to, reason),
        Map.of("recipient", to.toString(), REASON, reason));
  }

  public static AgentsException messageNotDelivered(Id message, String reason) {
    return new AgentsException(
        AgentsErrorCode.MESSAGE_DELIVERY_FAILED,
        "Message '%s' was not delivered: %s".formatted(message, reason),
        Map.of("message", message.toString(), REASON, reason));
  }

  public static AgentsException keyReused(Id sent) {
    return new AgentsException(
        AgentsErrorCode.IDEMPOTENCY_KEY_REUSED,
        "The message was not sent: its idempotency key was already used for message '%s' with another recipient or content"
            .formatted(sent),
        Map.of("message", sent.toString()));
  }

  public static AgentsException inboxFull(String inbox, int limit) {
    return new AgentsException(
        AgentsErrorCode.INBOX_FULL,
        "The message was not delivered: the inbox of %s is full with %d messages (agents.messages.inbox-limit)"
            .formatted(inbox, limit),
        Map.of("inbox", inbox));
  }

  public static AgentsException tooManyWaiting(int places) {
    return new AgentsException(
        AgentsErrorCode.TOO_MANY_BLOCKING_CALLS,
        "The call cannot wait: %d calls of this process are waiting already (agents.blocking-calls.max-calls)"
            .formatted(places),
        Map.of());
  }

  public static AgentsException delegationFailed(String reason) {
    return new AgentsException(AgentsErrorCode.DELEGATION_FAILED, reason, Map.of(REASON, reason));
  }

  public static AgentsException handoffFailed(String reason) {
    return new AgentsException(AgentsErrorCode.HANDOFF_FAILED, reason, Map.of(REASON, reason));
  }

  public static AgentsException contextNotAssembled(CaliberException cause) {
    AgentsException refusal =
        handoffFailed("the context of the task cannot be assembled: " + cause.getMessage());
    refusal.initCause(cause);
    return refusal;
  }

  private static String joinNames(Collection<?> things) {
    return things.stream().map(Object::toString).collect(Collectors.joining(", "));
  }
}
