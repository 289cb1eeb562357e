package dev.caliber.agents;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Id;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/** What agents were refused, with its code and, where there is one, what to do about it. */
public final class AgentsException extends CaliberException {

  private static final long serialVersionUID = 1L;

  private final transient List<Waiting.Wish> cycle;

  private AgentsException(AgentsErrorCode code, String message) {
    this(code, message, List.of());
  }

  private AgentsException(AgentsErrorCode code, String message, List<Waiting.Wish> cycle) {
    super(code, message, code.advice());
    this.cycle = List.copyOf(cycle);
  }

  /** The circle of waiting that was refused; empty where it was something else. */
  List<Waiting.Wish> cycle() {
    return cycle;
  }

  static AgentsException notRegistered(AgentId agent) {
    return new AgentsException(
        AgentsErrorCode.NOT_REGISTERED, "There is no agent '%s' here".formatted(agent));
  }

  static AgentsException failed(AgentId agent) {
    return new AgentsException(
        AgentsErrorCode.AGENT_FAILED,
        "Wanted an agent that is heard of, found '%s' failed".formatted(agent));
  }

  static AgentsException circular(List<AgentId> line) {
    return new AgentsException(
        AgentsErrorCode.CIRCULAR_REPORTING,
        "An agent cannot report to itself: %s".formatted(joined(line)));
  }

  static AgentsException denied(AgentId agent, String action, String resource) {
    return new AgentsException(
        AgentsErrorCode.PERMISSION_DENIED, "'%s' may not %s %s".formatted(agent, action, resource));
  }

  static AgentsException unknown(String kind, Id id) {
    return new AgentsException(
        AgentsErrorCode.UNKNOWN_RECORD, "There is no %s '%s' here".formatted(kind, id));
  }

  /** With the first of those who hold it or wait for it. */
  static AgentsException held(Resource resource, List<AgentId> by, boolean cut) {
    return new AgentsException(
        AgentsErrorCode.LOCK_ACQUISITION_FAILED,
        "Wanted %s, found it with %s%s"
            .formatted(resource, joined(by), cut ? " and others" : ""));
  }

  static AgentsException expired(Id lease) {
    return new AgentsException(
        AgentsErrorCode.LOCK_EXPIRED, "Wanted a live lease, found '%s' ended".formatted(lease));
  }

  static AgentsException deadlock(List<Waiting.Wish> cycle) {
    return new AgentsException(
        AgentsErrorCode.DEADLOCK, "Nobody of these could go on: " + joined(cycle), cycle);
  }

  static AgentsException stale(Fence fence) {
    return new AgentsException(
        AgentsErrorCode.STALE_FENCE,
        "Wanted a live lease on %s, found token %d of one that ended"
            .formatted(fence.resource(), fence.token()));
  }

  static AgentsException undelivered(String message, String reason) {
    return new AgentsException(
        AgentsErrorCode.MESSAGE_DELIVERY_FAILED, "%s: %s".formatted(message, reason));
  }

  static AgentsException inboxFull(String inbox, int limit) {
    return new AgentsException(
        AgentsErrorCode.INBOX_FULL,
        "agents.mail.inbox: wanted at most %d messages in %s, found one more"
            .formatted(limit, inbox));
  }

  static AgentsException tooManyWaiting(int places) {
    return new AgentsException(
        AgentsErrorCode.TOO_MANY_WAITING,
        "agents.awaiting.places: %d wait here already".formatted(places));
  }

  static AgentsException delegation(String reason) {
    return new AgentsException(AgentsErrorCode.DELEGATION_FAILED, reason);
  }

  static AgentsException handoff(String reason) {
    return new AgentsException(AgentsErrorCode.HANDOFF_FAILED, reason);
  }

  static AgentsException unassembled(CaliberException cause) {
    AgentsException refusal = handoff("its context cannot be assembled: " + cause.getMessage());
    refusal.initCause(cause);
    return refusal;
  }

  private static String joined(Collection<?> things) {
    return things.stream().map(Object::toString).collect(Collectors.joining(", "));
  }
}
