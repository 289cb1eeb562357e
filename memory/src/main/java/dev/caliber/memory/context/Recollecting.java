package dev.caliber.memory.context;

import dev.caliber.memory.MemoryView;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.PastNote;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.store.Snapshot;
import java.util.Optional;

/** Reads again what the candidates of a window said, and holds it against the ledger. */
record Recollecting(MemoryView view, Snapshot snapshot, Recipe recipe) {

  Content content(Candidate candidate) {
    return body(candidate)
        .filter(body -> body.hash().equals(candidate.contentHash()))
        .map(body -> new Content(candidate, body))
        .orElseThrow(() -> ContextException.gone(candidate));
  }

  private Optional<Body> body(Candidate candidate) {
    return switch (candidate.kind()) {
      case SYSTEM -> Optional.of(Bodies.instructions(recipe.instructions()));
      case TURN -> snapshot.find(Turn.TABLE, candidate.id()).map(Bodies::of);
      case ARTIFACT -> snapshot.find(Artifact.TABLE, candidate.id()).map(Bodies::of);
      case SCOPE -> snapshot.find(Scope.TABLE, candidate.id()).flatMap(Bodies::of);
      case TRAJECTORY -> snapshot.find(Trajectory.TABLE, candidate.id()).map(Bodies::of);
      case NOTE -> note(candidate).map(Bodies::of);
    };
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
