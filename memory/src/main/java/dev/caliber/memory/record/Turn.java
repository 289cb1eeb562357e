package dev.caliber.memory.record;

import dev.caliber.kernel.Id;
import dev.caliber.store.Table;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One message, verbatim.
 *
 * @param sequence its place in its scope, from 0, without gaps
 * @param total what was said in its trajectory, up to and with it: the trajectory itself is not
 *     rewritten by a turn
 * @param tokens as the caller or the counter said
 * @param archivedAt since when it has left the live set: a summary stands for it, and it can be
 *     read again by un-compacting
 * @param rolledBackAt since when a return to a checkpoint has taken it out of the live set
 */
public record Turn(
    Id id,
    Id trajectory,
    Id scope,
    int sequence,
    Counters total,
    Role role,
    List<Part> parts,
    int tokens,
    Optional<String> model,
    Labels labels,
    Instant createdAt,
    Optional<Instant> archivedAt,
    Optional<Instant> rolledBackAt) {

  private static final String SPEAKER = "speaker";

  public static final Table<Turn> TABLE =
      Table.of("turn", "Messages, verbatim, tool calls and results included.", Turn.class, Turn::id)
          .text("trajectory", turn -> turn.trajectory.toString())
          .text("scope", turn -> turn.scope.toString())
          .integer("sequence", Turn::sequence)
          .integer("position", Turn::position)
          .text("role", turn -> turn.role.name())
          .integer("tokens", Turn::tokens)
          .text("subject", turn -> Columns.text(turn.labels.subject()))
          .text("external_id", Turn::liveExternalId)
          .instant("created_at", Turn::createdAt)
          .instant("archived_at", turn -> Columns.instant(turn.archivedAt))
          .unique("scope", "sequence")
          .unique("trajectory", "position")
          .unique("trajectory", "external_id")
          .index("subject", "created_at");

  public Turn {
    parts = List.copyOf(parts);
    if (parts.isEmpty()) {
      throw MemoryException.empty("turn");
    }
  }

  /** Its place in its trajectory, from 0, without gaps. */
  public int position() {
    return total.turns() - 1;
  }

  /** Whether it belongs to what an agent may be shown. */
  public boolean isLive() {
    return archivedAt.isEmpty() && rolledBackAt.isEmpty();
  }

  /** Whether nothing had taken it out of the live set by then. */
  public boolean wasLive(Instant at) {
    return Stream.of(archivedAt, rolledBackAt)
        .flatMap(Optional::stream)
        .allMatch(out -> out.isAfter(at));
  }

  /** Who says it by name, where several share a role: the label {@code speaker}. */
  public Optional<String> speaker() {
    return Optional.ofNullable(labels.metadata().get(SPEAKER)).map(Object::toString);
  }

  /** Its words, for search and summaries. */
  public String words() {
    return parts.stream()
        .map(Part::words)
        .filter(words -> !words.isEmpty())
        .collect(Collectors.joining("\n"));
  }

  /** One that was rolled back has given its name away: it may be said again. */
  private @Nullable String liveExternalId() {
    return rolledBackAt.isPresent() ? null : Columns.text(labels.externalId());
  }

  Turn archived(Instant now) {
    return with(labels, archivedAt.or(() -> Optional.of(now)), rolledBackAt);
  }

  Turn rolledBack(Instant now) {
    return with(labels, archivedAt, rolledBackAt.or(() -> Optional.of(now)));
  }

  Turn ofSubject(String subject) {
    return with(labels.withSubject(subject), archivedAt, rolledBackAt);
  }

  private Turn with(Labels newLabels, Optional<Instant> archived, Optional<Instant> rolledBack) {
    return new Turn(
        id,
        trajectory,
        scope,
        sequence,
        total,
        role,
        parts,
        tokens,
        model,
        newLabels,
        createdAt,
        archived,
        rolledBack);
  }
}
