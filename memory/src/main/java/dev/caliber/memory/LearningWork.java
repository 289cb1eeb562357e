package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.memory.command.LearnFromTurns;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Period;
import dev.caliber.memory.record.Role;
import dev.caliber.memory.record.Texts;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.spi.FindingKind;
import dev.caliber.store.JobRequest;
import dev.caliber.store.Jobs;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Makes notes of what users state in turns. Rules look at once, in the commit of the turns; where a
 * model is configured, a job asks it afterwards. A note of a statement that is known already is
 * merged with it.
 */
final class LearningWork {
  static final String JOB = "memory.learn";

  private final Desk desk;
  private final NoteWork notes;
  private final Digest digest;

  LearningWork(Desk desk, NoteWork notes, Digest digest) {
    this.desk = desk;
    this.notes = notes;
    this.digest = digest;
  }

  List<Note> learn(LearnFromTurns command) {
    List<Turn> turns = saidByUsers(desk.view(), command);
    if (turns.isEmpty() || !desk.config().notes().fromTurns()) {
      return List.of();
    }
    Prepared.Findings found =
        desk.prepared().findings(command.turns().getFirst(), digest.passages(turns));
    if (!found.asked() && desk.asksExtractor()) {
      Jobs.schedule(desk.transaction(), JobRequest.of(JOB, Json.text(command), desk.now()));
    }
    Stream<Stated> stated =
        turns.stream()
            .flatMap(
                turn ->
                    found
                        .extract()
                        .map(extract -> digest.statements(turn, extract))
                        .orElseGet(() -> digest.statements(turn)));
    List<Id> written =
        stated
            .limit(desk.config().limits().extracted())
            .flatMap(one -> note(one).stream())
            .map(notes::write)
            .map(Note::id)
            .distinct()
            .toList();
    return written.stream().map(desk.view()::note).toList();
  }

  /** Of those that are still there. */
  static List<Turn> saidByUsers(MemoryView view, LearnFromTurns command) {
    return command.turns().stream()
        .flatMap(id -> view.snapshot().find(Turn.TABLE, id).stream())
        .filter(turn -> turn.role() == Role.USER && turn.isLive())
        .toList();
  }

  /**
   * What a user states.
   *
   * @param about the person or thing it is about, where that was told
   * @param method the rule or the model that found it
   */
  record Stated(
      Turn turn,
      FindingKind kind,
      String text,
      Optional<String> about,
      String method,
      double sure) {}

  /** Errors and code are no statements; what is larger than a note stays a turn. */
  private Optional<WriteNote> note(Stated stated) {
    return type(stated.kind())
        .filter(_ -> Texts.bytes(stated.text()) <= desk.config().limits().note().bytes())
        .map(type -> note(stated, type));
  }

  private WriteNote note(Stated stated, NoteType type) {
    Turn turn = stated.turn();
    Optional<String> subject = turn.labels().subject();
    EntityType sort = stated.about().isPresent() ? EntityType.NOTE : EntityType.SUBJECT;
    Labels labels = turn.labels().subjectOnly();
    return new WriteNote(
        stated.about().or(() -> subject).orElseGet(() -> desk.transaction().space().value()),
        sort.word(),
        type,
        stated.text(),
        Optional.of(stated.sure()),
        Period.always(),
        List.of(turn.trajectory()),
        labels.with(Note.TURN, turn.id().toString()).with("rule", stated.method()));
  }

  private static Optional<NoteType> type(FindingKind kind) {
    return switch (kind) {
      case FACT -> Optional.of(NoteType.FACT);
      case PREFERENCE -> Optional.of(NoteType.PREFERENCE);
      case DECISION -> Optional.of(NoteType.STRATEGY);
      case CONSTRAINT -> Optional.of(NoteType.CONVENTION);
      case ERROR, CODE_PATCH -> Optional.empty();
    };
  }
}
