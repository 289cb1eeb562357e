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
 * Message, verbatim.
 *
 * @param sequence position in its scope, from 0, without gaps
 * @param total totals of its trajectory up to and including it, because a turn does not rewrite its
 *     trajectory
 * @param tokens number of tokens, from the caller or the counter
 * @param archivedAt when it left the live set: a summary replaces it, and un-compacting reads it
 * @param rolledBackAt when a return to a checkpoint took it out of the live set
 */
public record Turn(
    Id id,
    Id trajectory,
    Id scope,
    int sequence,
    TurnTotals total,
    TurnRole role,
    List<TurnPart> parts,
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
          .text("subject", turn -> NullableColumns.textOrNull(turn.labels.subject()))
          .text("external_id", Turn::liveExternalId)
          .instant("created_at", Turn::createdAt)
          .instant("archived_at", turn -> NullableColumns.instantOrNull(turn.archivedAt))
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

  /** Returns its position in its trajectory, from 0, without gaps. */
  public int position() {
    return total.turns() - 1;
  }

  /** Returns whether it is in the live set, which contexts may show. */
  public boolean isLive() {
    return archivedAt.isEmpty() && rolledBackAt.isEmpty();
  }

  /** Returns whether it was in the live set at that time. */
  public boolean wasLive(Instant at) {
    return Stream.of(archivedAt, rolledBackAt)
        .flatMap(Optional::stream)
        .allMatch(out -> out.isAfter(at));
  }

  /** Returns the name of the speaker if several share a role: the label {@code speaker}. */
  public Optional<String> speaker() {
    return Optional.ofNullable(labels.metadata().get(SPEAKER)).map(Object::toString);
  }

  /** Returns the text for search and summaries. */
  public String searchableText() {
    return parts.stream()
        .map(TurnPart::searchableText)
        .filter(words -> !words.isEmpty())
        .collect(Collectors.joining("\n"));
  }

  /**
   * Column value: empty after a rollback, so that a turn with the same external id can be appended.
   */
  private @Nullable String liveExternalId() {
    return rolledBackAt.isPresent() ? null : NullableColumns.textOrNull(labels.externalId());
  }

  public Turn asArchived(Instant now) {
    return with(labels, archivedAt.or(() -> Optional.of(now)), rolledBackAt);
  }

  public Turn asRolledBack(Instant now) {
    return with(labels, archivedAt, rolledBackAt.or(() -> Optional.of(now)));
  }

  public Turn withSubject(String subject) {
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
