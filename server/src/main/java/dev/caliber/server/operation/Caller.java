package dev.caliber.server.operation;

import dev.caliber.agents.ActingAgent;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.SubjectScope;
import java.util.List;
import java.util.Optional;

/**
 * Who asks.
 *
 * @param id tells one from another: of the key, or empty for who needs none; names may be the same
 * @param actor its name, as the audit log shows it; of an agent, if it acts as one
 * @param space where the request is about
 * @param spaces where else this caller may act; empty: everywhere
 * @param agent as whom it acts, and with whose grants; without one, with all that its right covers
 * @param subject the one subject whose records this call sees, beside those without a subject;
 *     bound by the key or named by the request. Without one, the call sees the whole space
 */
public record Caller(
    String id,
    String actor,
    SpaceId space,
    Right right,
    List<SpaceId> spaces,
    Optional<ActingAgent> agent,
    Optional<String> subject) {
  public Caller {
    spaces = List.copyOf(spaces);
  }

  /** One who acts as no agent. */
  public Caller(String id, String actor, SpaceId space, Right right, List<SpaceId> spaces) {
    this(id, actor, space, right, spaces, Optional.empty(), Optional.empty());
  }

  /** The same, acting as an agent. */
  public Caller as(ActingAgent acting) {
    return new Caller(
        id, acting.agent().value(), space, right, spaces, Optional.of(acting), subject);
  }

  /** This caller limited to a subject; refuses another one than it is limited to already. */
  public Caller forSubject(String name) {
    if (subject.filter(own -> !own.equals(name)).isPresent()) {
      throw ServerException.subjectDenied();
    }
    return new Caller(id, actor, space, right, spaces, agent, Optional.of(name));
  }

  /** Refuses a caller with a subject, for what tells of a whole space. */
  public void requireWholeSpace(String wanted) {
    if (subject.isPresent()) {
      throw ServerException.notForSubjects(wanted);
    }
  }

  /** The subjects whose records this call sees. */
  public SubjectScope scope() {
    return subject.isPresent() ? SubjectScope.of(subject) : SubjectScope.every();
  }

  /** Whether the caller is limited to the subject of these labels. */
  boolean owns(Labels labels) {
    return subject.isPresent() && subject.equals(labels.subject());
  }

  public boolean mayEnter(SpaceId other) {
    return spaces.isEmpty() || spaces.contains(other);
  }
}
