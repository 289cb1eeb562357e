package dev.caliber.memory.context;

import dev.caliber.memory.context.candidate.CandidateContent;
import dev.caliber.memory.context.candidate.RecordBody;
import dev.caliber.memory.context.candidate.RecordBodyFactory;
import dev.caliber.memory.context.window.Candidate;
import dev.caliber.memory.context.window.CompositionSettings;
import dev.caliber.memory.context.window.ContextException;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.PastNote;
import dev.caliber.memory.record.PastSummary;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.spi.Summary;
import dev.caliber.memory.view.MemoryView;
import dev.caliber.store.Snapshot;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Loads the content of a window's candidates again and checks it against the hashes of the ledger.
 */
record LedgerLineTextLoader(MemoryView view, Snapshot snapshot, CompositionSettings recipe) {

  CandidateContent loadContent(Candidate candidate) {
    return findBody(candidate)
        .filter(recordBody -> recordBody.matchesHash(candidate.contentHash()))
        .map(recordBody -> new CandidateContent(candidate, recordBody))
        .orElseThrow(() -> ContextException.contentChanged(candidate));
  }

  private Optional<RecordBody> findBody(Candidate candidate) {
    return switch (candidate.kind()) {
      case SYSTEM -> Optional.of(RecordBodyFactory.instructionsBody(recipe.instructions()));
      case TURN ->
          snapshot.find(Turn.TABLE, candidate.id()).flatMap(turn -> turnBody(candidate, turn));
      case ARTIFACT -> snapshot.find(Artifact.TABLE, candidate.id()).map(RecordBodyFactory::bodyOf);
      case SCOPE ->
          snapshot
              .find(Scope.TABLE, candidate.id())
              .flatMap(
                  scope ->
                      summaryBody(
                          candidate,
                          scope.summary(),
                          words -> RecordBodyFactory.bodyOf(scope.withSummary(words))));
      case TRAJECTORY ->
          snapshot
              .find(Trajectory.TABLE, candidate.id())
              .flatMap(
                  task ->
                      summaryBody(
                          candidate,
                          task.summary(),
                          words -> Optional.of(RecordBodyFactory.bodyOf(task.withSummary(words)))));
      case NOTE -> findNoteVersion(candidate).map(RecordBodyFactory::bodyOf);
    };
  }

  /** Returns the content as a turn of the trajectory, or as one of another session. */
  private Optional<RecordBody> turnBody(Candidate candidate, Turn turn) {
    Optional<RecordBody> own =
        Optional.of(RecordBodyFactory.bodyOf(turn))
            .filter(recordBody -> hasRecordedHash(candidate, recordBody));
    return own.or(
        () ->
            snapshot
                .find(Trajectory.TABLE, turn.trajectory())
                .map(session -> RecordBodyFactory.bodyOfOtherSession(turn, session)));
  }

  private static boolean hasRecordedHash(Candidate candidate, RecordBody recordBody) {
    return recordBody.matchesHash(candidate.contentHash());
  }

  /** Returns the current summary or the past one that has the recorded hash. */
  private Optional<RecordBody> summaryBody(
      Candidate candidate,
      Optional<Summary> now,
      Function<Optional<Summary>, Optional<RecordBody>> toBody) {
    return Stream.concat(
            Stream.of(now),
            Stream.of(candidate.id())
                .flatMap(id -> view.summaryHistory(id).stream())
                .map(PastSummary::summary))
        .flatMap(words -> toBody.apply(words).stream())
        .filter(recordBody -> recordBody.matchesHash(candidate.contentHash()))
        .findFirst();
  }

  /** Returns the version recorded in the ledger. */
  private Optional<Note> findNoteVersion(Candidate candidate) {
    Optional<Note> present = snapshot.find(Note.TABLE, candidate.id());
    return present
        .filter(note -> note.version() == candidate.version())
        .or(
            () ->
                view.noteHistory(candidate.id()).stream()
                    .map(PastNote::note)
                    .filter(note -> note.version() == candidate.version())
                    .findFirst());
  }
}
