package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.memory.command.Recollection.Hit;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Role;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.spi.TokenCounter;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes hits of records, with the names of their sessions. */
final class RecallHits {
  private final MemoryView view;
  private final TokenCounter counter;
  private final Map<Id, Optional<String>> sessions = new HashMap<>();
  private final Map<Id, List<String>> turns = new HashMap<>();

  RecallHits(MemoryView view, TokenCounter counter) {
    this.view = view;
    this.counter = counter;
  }

  Hit note(Note note) {
    turns.put(note.id(), note.turns());
    return hit(
        new Origin(EntityType.NOTE, note.id(), note.createdAt(), note.labels().subject()),
        note.content(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(note.type()));
  }

  Hit turn(Turn turn) {
    return hit(
        new Origin(EntityType.TURN, turn.id(), turn.createdAt(), turn.labels().subject()),
        turn.words(),
        session(turn.trajectory()),
        Optional.of(turn.role()),
        Optional.empty());
  }

  /** Empty for an artifact that is no text. */
  Optional<Hit> artifact(Artifact made) {
    return made.content()
        .text()
        .map(
            text ->
                hit(
                    new Origin(
                        EntityType.ARTIFACT, made.id(), made.createdAt(), made.labels().subject()),
                    text,
                    session(made.trajectory()),
                    Optional.empty(),
                    Optional.empty()));
  }

  /** A turn and the notes of what it states are one hit: the turn, at the place of the best. */
  List<Hit> once(List<Hit> hits) {
    Map<Id, Hit> once = new LinkedHashMap<>();
    for (Hit hit : hits) {
      List<String> said = turns.getOrDefault(hit.id(), List.of());
      Hit shown =
          hits.stream()
              .filter(other -> said.contains(other.id().toString()))
              .findFirst()
              .orElse(hit);
      once.putIfAbsent(shown.id(), shown.found(hit.similarity(), hit.why()));
    }
    return List.copyOf(once.values());
  }

  private record Origin(EntityType type, Id id, Instant createdAt, Optional<String> subject) {}

  private Hit hit(
      Origin origin,
      String text,
      Optional<String> session,
      Optional<Role> role,
      Optional<NoteType> noteType) {
    return new Hit(
        origin.type,
        origin.id,
        text,
        0,
        counter.count(text),
        origin.createdAt,
        origin.subject,
        session,
        role,
        noteType,
        "");
  }

  private Optional<String> session(Id trajectory) {
    return sessions.computeIfAbsent(
        trajectory,
        id ->
            view.snapshot()
                .find(Trajectory.TABLE, id)
                .flatMap(found -> found.labels().externalId()));
  }
}
