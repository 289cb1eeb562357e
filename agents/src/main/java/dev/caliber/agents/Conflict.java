package dev.caliber.agents;

import dev.caliber.kernel.Hashing;
import dev.caliber.kernel.Id;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.store.Table;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Two things that do not go together. While it is unresolved, there is one for a type and a pair of
 * records; between two agents, one for each thing that it is about.
 *
 * @param about what it is about, by name: a resource, or why
 */
public record Conflict(
    Id id,
    ConflictType type,
    Item first,
    Item second,
    String about,
    Optional<Id> trajectory,
    ConflictStatus status,
    Optional<Resolution> resolution,
    Instant detectedAt,
    Optional<Instant> resolvedAt) {

  /** One side of it, and whose it is. */
  public record Item(EntityRef record, Optional<AgentId> agent) {
    static Item of(EntityRef record) {
      return new Item(record, Optional.empty());
    }

    static Item of(AgentId agent) {
      return new Item(EntityRef.agent(agent.value()), Optional.of(agent));
    }

    boolean isAgent() {
      return record.type() == EntityType.AGENT;
    }

    @Override
    public String toString() {
      return record.type().word() + "/" + record.id();
    }
  }

  public static final Table<Conflict> TABLE =
      Table.of("conflict", "Things that do not go together.", Conflict.class, Conflict::id)
          .text("type", conflict -> conflict.type.name())
          .text("status", conflict -> conflict.status.name())
          .text("open_in", conflict -> conflict.isOpen() ? Columns.text(conflict.trajectory) : null)
          .text("trajectory", conflict -> Columns.text(conflict.trajectory))
          .text("first_item", conflict -> conflict.first.toString())
          .text("second_item", conflict -> conflict.second.toString())
          .text("open_pair", Conflict::openPair)
          .text("resolved_pair", Conflict::resolvedPair)
          .instant("loose_since", Conflict::looseSince)
          .index("status")
          .index("open_in")
          .index("trajectory")
          .index("first_item")
          .index("second_item")
          .index("resolved_pair")
          .index("loose_since")
          .unique("open_pair");

  private @Nullable String openPair() {
    return isOpen() ? pair(type, first, second, about) : null;
  }

  private @Nullable String resolvedPair() {
    return isOpen() ? null : pair(type, first, second, about);
  }

  /** Since when nothing needs it: one of a task goes with the task. */
  private @Nullable Instant looseSince() {
    return trajectory.isPresent() ? null : Columns.instant(resolvedAt);
  }

  /** The same, whichever of the two comes first. */
  static String pair(ConflictType type, Item one, Item other, String about) {
    boolean ordered = one.toString().compareTo(other.toString()) <= 0;
    String pair = "%s %s %s".formatted(type, ordered ? one : other, ordered ? other : one);
    boolean agents = one.isAgent() && other.isAgent();
    return agents ? pair + " " + Hashing.hash("about", about) : pair;
  }

  boolean isOpen() {
    return status != ConflictStatus.RESOLVED;
  }

  Conflict moved(ConflictStatus.Event event, Optional<Resolution> decided, Instant now) {
    ConflictStatus next = status.after(event);
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
