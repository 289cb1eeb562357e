package dev.caliber.agents;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Id;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What agents were refused, with its code and, where there is one, what to do about it. */
public final class AgentsException extends CaliberException {

  private static final long serialVersionUID = 1L;

  private static final String AGENT = "agent_id";
  private static final String RESOURCE = "resource";
  private static final String REASON = "reason";

  private final transient List<Waiting.Wish> cycle;
  private final transient Map<String, String> fields;

  private AgentsException(AgentsErrorCode code, String message, Map<String, String> fields) {
    this(code, message, fields, List.of());
  }

  private AgentsException(
      AgentsErrorCode code, String message, Map<String, String> fields, List<Waiting.Wish> cycle) {
    super(code, message, code.advice());
    this.fields = new TreeMap<>(fields);
    this.cycle = List.copyOf(cycle);
  }

  @Override
  public Map<String, String> fields() {
    return Collections.unmodifiableMap(fields);
  }

  /** The circle of waiting that was refused; empty where it was something else. */
  List<Waiting.Wish> cycle() {
    return cycle;
  }

  static AgentsException notRegistered(AgentId agent) {
    return new AgentsException(
        AgentsErrorCode.NOT_REGISTERED,
        "There is no agent '%s' here".formatted(agent),
        Map.of(AGENT, agent.value()));
  }

  static AgentsException failed(AgentId agent) {
    return new AgentsException(
        AgentsErrorCode.AGENT_FAILED,
        "Wanted an agent that is heard of, found '%s' failed".formatted(agent),
        Map.of(AGENT, agent.value()));
  }

  static AgentsException engaged(AgentId agent, String with) {
    return new AgentsException(
        AgentsErrorCode.AGENT_ENGAGED,
        "Wanted '%s' free, found it with %s".formatted(agent, with),
        Map.of(AGENT, agent.value(), REASON, with));
  }

  static AgentsException circular(List<AgentId> line) {
    return new AgentsException(
        AgentsErrorCode.CIRCULAR_REPORTING,
        "An agent cannot report to itself: %s".formatted(joined(line)),
        Map.of(AGENT, line.getFirst().value()));
  }

  static AgentsException denied(AgentId agent, String action, String resource) {
    return new AgentsException(
        AgentsErrorCode.PERMISSION_DENIED,
        "'%s' may not %s %s".formatted(agent, action, resource),
        Map.of(AGENT, agent.value(), "action", action, RESOURCE, resource));
  }

  static AgentsException unknown(String kind, Id id) {
    return new AgentsException(
        AgentsErrorCode.UNKNOWN_RECORD,
        "There is no %s '%s' here".formatted(kind, id),
        Map.of(kind + "_id", id.toString()));
  }

  /** With the first of those who hold it or wait for it. */
  static AgentsException held(Resource resource, List<AgentId> by, boolean cut) {
    return new AgentsException(
        AgentsErrorCode.LOCK_ACQUISITION_FAILED,
        "Wanted %s, found it with %s%s".formatted(resource, joined(by), cut ? " and others" : ""),
        Map.of(RESOURCE, resource.toString(), "holder", by.getFirst().value()));
  }

  static AgentsException expired(Id lease) {
    return new AgentsException(
        AgentsErrorCode.LOCK_EXPIRED,
        "Wanted a live lease, found '%s' ended".formatted(lease),
        Map.of("lock_id", lease.toString()));
  }

  static AgentsException deadlock(List<Waiting.Wish> cycle) {
    return new AgentsException(
        AgentsErrorCode.DEADLOCK,
        "Nobody of these could go on: " + joined(cycle),
        Map.of(RESOURCE, cycle.getFirst().resource().toString()),
        cycle);
  }

  static AgentsException stale(Fence fence) {
    return new AgentsException(
        AgentsErrorCode.STALE_FENCE,
        "Wanted a live lease on %s, found token %d of one that ended"
            .formatted(fence.resource(), fence.token()),
        Map.of(RESOURCE, fence.resource().toString(), "token", Long.toString(fence.token())));
  }

  /** There is no message yet, so that only its recipient can be named. */
  static AgentsException undeliverable(Address to) {
    String reason = "there is no such agent here";
    return new AgentsException(
        AgentsErrorCode.MESSAGE_DELIVERY_FAILED,
        "message to %s: %s".formatted(to, reason),
        Map.of("recipient", to.toString(), REASON, reason));
  }

  static AgentsException undelivered(Id message, String reason) {
    return new AgentsException(
        AgentsErrorCode.MESSAGE_DELIVERY_FAILED,
        "message %s: %s".formatted(message, reason),
        Map.of("message_id", message.toString(), REASON, reason));
  }

  static AgentsException keyReused(Message sent) {
    return new AgentsException(
        AgentsErrorCode.MESSAGE_KEY_REUSED,
        "Wanted the recipient and letter that this key was first sent with, found others than of %s"
            .formatted(sent.id()),
        Map.of("message_id", sent.id().toString()));
  }

  static AgentsException inboxFull(String inbox, int limit) {
    return new AgentsException(
        AgentsErrorCode.INBOX_FULL,
        "agents.mail.inbox: wanted at most %d messages in %s, found one more"
            .formatted(limit, inbox),
        Map.of("inbox", inbox));
  }

  static AgentsException tooManyWaiting(int places) {
    return new AgentsException(
        AgentsErrorCode.TOO_MANY_WAITING,
        "agents.awaiting.places: %d wait here already".formatted(places),
        Map.of());
  }

  static AgentsException delegation(String reason) {
    return new AgentsException(AgentsErrorCode.DELEGATION_FAILED, reason, Map.of(REASON, reason));
  }

  static AgentsException handoff(String reason) {
    return new AgentsException(AgentsErrorCode.HANDOFF_FAILED, reason, Map.of(REASON, reason));
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
