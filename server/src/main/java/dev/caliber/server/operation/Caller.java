package dev.caliber.server.operation;

import dev.caliber.agents.registry.ActingAgent;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.ReadableSubjects;
import java.util.List;
import java.util.Optional;

/**
 * The caller of an operation.
 *
 * @param id the id of the key, because names may repeat; empty without a key
 * @param actor the name in the audit log; that of the agent, if the caller acts as one
 * @param space the space of the request
 * @param spaces the spaces that the caller may enter; empty: all
 * @param agent the acting agent, whose grants apply; without one, the right alone decides
 * @param subject the one subject whose records this call sees, beside those without a subject;
 *     bound by the key or named by the request. Without one, the call sees the whole space
 */
public record Caller(
    String id,
    String actor,
    SpaceId space,
    AccessRight right,
    List<SpaceId> spaces,
    Optional<ActingAgent> agent,
    Optional<String> subject) {
  public Caller {
    spaces = List.copyOf(spaces);
  }

  /** Creates a caller that acts as no agent. */
  public Caller(String id, String actor, SpaceId space, AccessRight right, List<SpaceId> spaces) {
    this(id, actor, space, right, spaces, Optional.empty(), Optional.empty());
  }

  /** Returns this caller, acting as the agent. */
  public Caller actingAs(ActingAgent acting) {
    return new Caller(
        id, acting.agent().value(), space, right, spaces, Optional.of(acting), subject);
  }

  /** Limits this caller to a subject; refuses a second, different subject. */
  public Caller forSubject(String name) {
    if (subject.filter(own -> !own.equals(name)).isPresent()) {
      throw ServerException.subjectDenied();
    }
    return new Caller(id, actor, space, right, spaces, agent, Optional.of(name));
  }

  /** Refuses a caller with a subject, for operations that report on a whole space. */
  public void requireWholeSpace(String wanted) {
    if (subject.isPresent()) {
      throw ServerException.notForSubjects(wanted);
    }
  }

  /** The subjects whose records this call sees. */
  public ReadableSubjects subjectScope() {
    return subject.isPresent() ? ReadableSubjects.of(subject) : ReadableSubjects.everySubject();
  }

  /** Returns whether the caller is limited to the subject of these labels. */
  boolean isLimitedTo(Labels labels) {
    return subject.isPresent() && subject.equals(labels.subject());
  }

  public boolean canEnter(SpaceId other) {
    return spaces.isEmpty() || spaces.contains(other);
  }
}
