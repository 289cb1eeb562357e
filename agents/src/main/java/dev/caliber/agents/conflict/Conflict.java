package dev.caliber.agents.conflict;

import dev.caliber.agents.registry.AgentId;
import dev.caliber.kernel.FieldHash;
import dev.caliber.kernel.Id;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.NullableColumns;
import dev.caliber.store.Table;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Conflict between two records or agents. There is at most one unresolved conflict of a type for a
 * pair of records; between two agents, one for each subject.
 *
 * @param about its subject: a resource, or a reason
 */
public record Conflict(
    Id id,
    ConflictType type,
    ConflictSide first,
    ConflictSide second,
    String about,
    Optional<Id> trajectory,
    ConflictStatus status,
    Optional<ConflictOutcome> resolution,
    Instant detectedAt,
    Optional<Instant> resolvedAt) {

  /** Side of a conflict, with its agent. */
  public record ConflictSide(EntityRef record, Optional<AgentId> agent) {
    public static ConflictSide of(EntityRef record) {
      return new ConflictSide(record, Optional.empty());
    }

    public static ConflictSide of(AgentId agent) {
      return new ConflictSide(EntityRef.agent(agent.value()), Optional.of(agent));
    }

    boolean isAgent() {
      return record.type() == EntityType.AGENT;
    }

    @Override
    public String toString() {
      return record.type().lowerCaseName() + "/" + record.id();
    }
  }

  public static final Table<Conflict> TABLE =
      Table.of("conflict", "Conflicts between records or agents.", Conflict.class, Conflict::id)
          .text("type", conflict -> conflict.type.name())
          .text("status", conflict -> conflict.status.name())
          .text(
              "open_in",
              conflict ->
                  conflict.isOpen() ? NullableColumns.textOrNull(conflict.trajectory) : null)
          .text("trajectory", conflict -> NullableColumns.textOrNull(conflict.trajectory))
          .text("first_item", conflict -> conflict.first.toString())
          .text("second_item", conflict -> conflict.second.toString())
          .text("open_pair", Conflict::openPairKey)
          .text("resolved_pair", Conflict::resolvedPairKey)
          .instant("loose_since", Conflict::removableSince)
          .index("status")
          .index("open_in")
          .index("trajectory")
          .index("first_item")
          .index("second_item")
          .index("resolved_pair")
          .index("loose_since")
          .unique("open_pair");

  private @Nullable String openPairKey() {
    return isOpen() ? pairKey(type, first, second, about) : null;
  }

  private @Nullable String resolvedPairKey() {
    return isOpen() ? null : pairKey(type, first, second, about);
  }

  /** Returns since when it may be removed; a conflict of a task is removed with the task. */
  private @Nullable Instant removableSince() {
    return trajectory.isPresent() ? null : NullableColumns.instantOrNull(resolvedAt);
  }

  /** Returns a key that does not depend on the order of the two sides. */
  public static String pairKey(
      ConflictType type, ConflictSide one, ConflictSide other, String about) {
    boolean ordered = one.toString().compareTo(other.toString()) <= 0;
    String pair = "%s %s %s".formatted(type, ordered ? one : other, ordered ? other : one);
    boolean agents = one.isAgent() && other.isAgent();
    return agents ? pair + " " + FieldHash.hash("about", about) : pair;
  }

  boolean isOpen() {
    return status != ConflictStatus.RESOLVED;
  }

  public Conflict withStatusAfter(
      ConflictStatus.ConflictTransition conflictTransition,
      Optional<ConflictOutcome> decided,
      Instant now) {
    ConflictStatus next = status.next(conflictTransition);
    return new Conflict(
        id,
        type,
        first,
        second,
        about,
        trajectory,
        next,
        decided.or(() -> resolution),
        detectedAt,
        Optional.of(now).filter(_ -> next == ConflictStatus.RESOLVED));
  }
}
