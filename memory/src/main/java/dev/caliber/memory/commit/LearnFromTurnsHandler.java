package dev.caliber.memory.commit;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.memory.command.LearnFromTurns;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.TextChecks;
import dev.caliber.memory.record.TimeRange;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.record.TurnRole;
import dev.caliber.memory.spi.FindingKind;
import dev.caliber.memory.view.MemoryView;
import dev.caliber.store.job.JobRequest;
import dev.caliber.store.job.Jobs;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Makes notes of statements that users make in turns. Rules run in the commit of the turns; if a
 * model is configured, a job asks it afterwards. A known statement is merged into its note.
 */
public final class LearnFromTurnsHandler {
  public static final String JOB = "memory.extract-notes";

  private final UnitOfWork unitOfWork;
  private final NoteHandler notes;
  private final RuleBasedExtraction ruleBasedExtraction;

  public LearnFromTurnsHandler(
      UnitOfWork unitOfWork, NoteHandler notes, RuleBasedExtraction ruleBasedExtraction) {
    this.unitOfWork = unitOfWork;
    this.notes = notes;
    this.ruleBasedExtraction = ruleBasedExtraction;
  }

  public List<Note> learn(LearnFromTurns command) {
    List<Turn> turns = userTurns(unitOfWork.view(), command);
    if (turns.isEmpty() || !unitOfWork.config().notes().fromTurns()) {
      return List.of();
    }
    PreCommitModelResults.ExtractorAnswer found =
        unitOfWork
            .preCommitModelResults()
            .findings(command.turns().getFirst(), ruleBasedExtraction.turnPassages(turns));
    if (!found.asked() && unitOfWork.hasExtractor()) {
      Jobs.schedule(
          unitOfWork.transaction(), JobRequest.of(JOB, Json.text(command), unitOfWork.now()));
    }
    Stream<UserStatement> stated =
        turns.stream()
            .flatMap(
                turn ->
                    found
                        .extract()
                        .map(
                            extractionResult ->
                                ruleBasedExtraction.statements(turn, extractionResult))
                        .orElseGet(() -> ruleBasedExtraction.statements(turn)));
    List<Id> written =
        stated
            .limit(unitOfWork.config().limits().extractedArtifacts())
            .flatMap(one -> draftNote(one).stream())
            .map(notes::write)
            .map(Note::id)
            .distinct()
            .toList();
    return written.stream().map(unitOfWork.view()::note).toList();
  }

  /** Returns the live user turns of the command that still exist. */
  public static List<Turn> userTurns(MemoryView view, LearnFromTurns command) {
    return command.turns().stream()
        .flatMap(id -> view.snapshot().find(Turn.TABLE, id).stream())
        .filter(turn -> turn.role() == TurnRole.USER && turn.isLive())
        .toList();
  }

  /**
   * Statement of a user.
   *
   * @param about the person or thing it is about, if the extractor named one
   * @param method the rule or the model that found it
   */
  record UserStatement(
      Turn turn,
      FindingKind kind,
      String text,
      Optional<String> about,
      String method,
      double confidence) {}

  /** Drafts a note; empty for errors and code, and for a text that is too large for a note. */
  private Optional<WriteNote> draftNote(UserStatement userStatement) {
    return noteType(userStatement.kind())
        .filter(
            _ ->
                TextChecks.utf8Length(userStatement.text())
                    <= unitOfWork.config().limits().note().bytes())
        .map(type -> draftNote(userStatement, type));
  }

  private WriteNote draftNote(UserStatement userStatement, NoteType type) {
    Turn turn = userStatement.turn();
    Optional<String> subject = turn.labels().subject();
    EntityType sort = userStatement.about().isPresent() ? EntityType.NOTE : EntityType.SUBJECT;
    Labels labels = turn.labels().subjectOnly();
    return new WriteNote(
        userStatement
            .about()
            .or(() -> subject)
            .orElseGet(() -> unitOfWork.transaction().space().value()),
        sort.lowerCaseName(),
        type,
        userStatement.text(),
        Optional.of(userStatement.confidence()),
        TimeRange.always(),
        List.of(turn.trajectory()),
        labels
            .withMetadata(Note.TURN, turn.id().toString())
            .withMetadata("rule", userStatement.method()));
  }

  private static Optional<NoteType> noteType(FindingKind kind) {
    return switch (kind) {
      case FACT -> Optional.of(NoteType.FACT);
      case PREFERENCE -> Optional.of(NoteType.PREFERENCE);
      case DECISION -> Optional.of(NoteType.STRATEGY);
      case CONSTRAINT -> Optional.of(NoteType.CONVENTION);
      case ERROR, CODE_PATCH -> Optional.empty();
    };
  }
}
