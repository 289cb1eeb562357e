package dev.caliber.memory.recall;

import dev.caliber.kernel.Id;
import dev.caliber.memory.command.RecallResult.RecallHit;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.record.TurnRole;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.memory.view.MemoryView;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Factory of recall hits with the names of their sessions. */
final class RecallHitFactory {
  private final MemoryView view;
  private final TokenCounter counter;
  private final Map<Id, Optional<String>> sessions = new HashMap<>();
  private final Map<Id, List<String>> turns = new HashMap<>();

  RecallHitFactory(MemoryView view, TokenCounter counter) {
    this.view = view;
    this.counter = counter;
  }

  RecallHit noteHit(Note note) {
    turns.put(note.id(), note.sourceTurns());
    return newHit(
        new HitOrigin(EntityType.NOTE, note.id(), note.createdAt(), note.labels().subject()),
        note.content(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(note.type()));
  }

  RecallHit turnHit(Turn turn) {
    return newHit(
        new HitOrigin(EntityType.TURN, turn.id(), turn.createdAt(), turn.labels().subject()),
        turn.searchableText(),
        sessionName(turn.trajectory()),
        Optional.of(turn.role()),
        Optional.empty());
  }

  /** Returns the hit; empty for an artifact that is not text. */
  Optional<RecallHit> artifactHit(Artifact made) {
    return made.content()
        .text()
        .map(
            text ->
                newHit(
                    new HitOrigin(
                        EntityType.ARTIFACT, made.id(), made.createdAt(), made.labels().subject()),
                    text,
                    sessionName(made.trajectory()),
                    Optional.empty(),
                    Optional.empty()));
  }

  /** Merges a turn and the notes of its statements into one hit: the turn, at the best rank. */
  List<RecallHit> deduplicate(List<RecallHit> hits) {
    Map<Id, RecallHit> once = new LinkedHashMap<>();
    for (RecallHit recallHit : hits) {
      List<String> said = turns.getOrDefault(recallHit.id(), List.of());
      RecallHit shown =
          hits.stream()
              .filter(other -> said.contains(other.id().toString()))
              .findFirst()
              .orElse(recallHit);
      once.putIfAbsent(shown.id(), shown.withMatch(recallHit.similarity(), recallHit.why()));
    }
    return List.copyOf(once.values());
  }

  private record HitOrigin(EntityType type, Id id, Instant createdAt, Optional<String> subject) {}

  private RecallHit newHit(
      HitOrigin hitOrigin,
      String text,
      Optional<String> session,
      Optional<TurnRole> role,
      Optional<NoteType> noteType) {
    return new RecallHit(
        hitOrigin.type,
        hitOrigin.id,
        text,
        0,
        counter.count(text),
        hitOrigin.createdAt,
        hitOrigin.subject,
        session,
        role,
        noteType,
        "");
  }

  private Optional<String> sessionName(Id trajectory) {
    return sessions.computeIfAbsent(
        trajectory,
        id ->
            view.snapshot()
                .find(Trajectory.TABLE, id)
                .flatMap(found -> found.labels().externalId()));
  }
}
