package dev.caliber.memory.context;

import dev.caliber.memory.MemoryView;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.PastNote;
import dev.caliber.memory.record.PastSummary;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.spi.Summary;
import dev.caliber.store.Snapshot;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Reads again what the candidates of a window said, and holds it against the ledger. */
record Recollecting(MemoryView view, Snapshot snapshot, Recipe recipe) {

  Content content(Candidate candidate) {
    return body(candidate)
        .filter(body -> body.has(candidate.contentHash()))
        .map(body -> new Content(candidate, body))
        .orElseThrow(() -> ContextException.gone(candidate));
  }

  private Optional<Body> body(Candidate candidate) {
    return switch (candidate.kind()) {
      case SYSTEM -> Optional.of(Bodies.instructions(recipe.instructions()));
      case TURN -> snapshot.find(Turn.TABLE, candidate.id()).flatMap(turn -> said(candidate, turn));
      case ARTIFACT -> snapshot.find(Artifact.TABLE, candidate.id()).map(Bodies::of);
      case SCOPE ->
          snapshot
              .find(Scope.TABLE, candidate.id())
              .flatMap(
                  scope -> told(candidate, scope.summary(), words -> Bodies.of(scope.told(words))));
      case TRAJECTORY ->
          snapshot
              .find(Trajectory.TABLE, candidate.id())
              .flatMap(
                  task ->
                      told(
                          candidate,
                          task.summary(),
                          words -> Optional.of(Bodies.of(task.told(words)))));
      case NOTE -> note(candidate).map(Bodies::of);
    };
  }

  /** As a turn of the trajectory, or as one of another session. */
  private Optional<Body> said(Candidate candidate, Turn turn) {
    Optional<Body> own = Optional.of(Bodies.of(turn)).filter(body -> isOf(candidate, body));
    return own.or(
        () ->
            snapshot
                .find(Trajectory.TABLE, turn.trajectory())
                .map(session -> Bodies.of(turn, session)));
  }

  private static boolean isOf(Candidate candidate, Body body) {
    return body.has(candidate.contentHash());
  }

  /** In the words that were seen: those of now, or earlier ones. */
  private Optional<Body> told(
      Candidate candidate,
      Optional<Summary> now,
      Function<Optional<Summary>, Optional<Body>> telling) {
    return Stream.concat(
            Stream.of(now),
            Stream.of(candidate.id())
                .flatMap(id -> view.toldBefore(id).stream())
                .map(PastSummary::summary))
        .flatMap(words -> telling.apply(words).stream())
        .filter(body -> body.has(candidate.contentHash()))
        .findFirst();
  }

  /** The version that was seen. */
  private Optional<Note> note(Candidate candidate) {
    Optional<Note> present = snapshot.find(Note.TABLE, candidate.id());
    return present
        .filter(note -> note.version() == candidate.version())
        .or(
            () ->
                view.history(candidate.id()).stream()
                    .map(PastNote::note)
                    .filter(note -> note.version() == candidate.version())
                    .findFirst());
  }
}
