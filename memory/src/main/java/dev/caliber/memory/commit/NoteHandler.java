package dev.caliber.memory.commit;

import dev.caliber.kernel.Id;
import dev.caliber.memory.command.EndNote;
import dev.caliber.memory.command.SupersedeNote;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.event.MemoryEvent.NoteConflictFound;
import dev.caliber.memory.event.MemoryEvent.NoteEnded;
import dev.caliber.memory.event.MemoryEvent.NoteMerged;
import dev.caliber.memory.event.MemoryEvent.NoteRetired;
import dev.caliber.memory.event.MemoryEvent.NoteSupersessionRecorded;
import dev.caliber.memory.event.MemoryEvent.NoteWritten;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.text.RuleBasedTextAnalyzer;
import dev.caliber.memory.view.InputLimits;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.memory.view.MemoryView;
import dev.caliber.store.Query;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Handles commands on notes. A new note is compared with the newest notes about the same entity and
 * of the same type. It is merged into a note with nearly the same words, unless the longer text
 * lacks one of them, the two contradict each other, or both have an external id. A contradiction is
 * written as a note and linked; anything else is one more note. An equal text is found however old
 * its note is. Writing never deletes a note.
 */
public final class NoteHandler {
  private static final String FALLBACK = "the judge failed";

  private final UnitOfWork unitOfWork;
  private final InputLimits inputLimits;
  private final RuleBasedTextAnalyzer reader;

  public NoteHandler(UnitOfWork unitOfWork, RuleBasedTextAnalyzer reader) {
    this.unitOfWork = unitOfWork;
    this.inputLimits = new InputLimits(unitOfWork.config().limits());
    this.reader = reader;
  }

  public Note write(WriteNote given) {
    inputLimits.check(given);
    WriteNote command = given.withLabels(given.labels().withDefaults(subjectOf(given.sources())));
    List<Note> known = mergeCandidates(command);
    return findDuplicate(known, command)
        .map(note -> mergeAndLink(note, command, known))
        .or(() -> olderDuplicate(command, known).map(note -> merge(note, command)))
        .orElseGet(() -> writeNew(command, known));
  }

  /** Returns the common subject of the source trajectories, if all have the same one. */
  private Labels subjectOf(List<Id> sources) {
    List<Labels> subjects =
        sources.stream()
            .map(unitOfWork.view()::storedTrajectory)
            .map(task -> task.labels().subjectOnly())
            .distinct()
            .toList();
    return subjects.size() == 1 ? subjects.getFirst() : Labels.none();
  }

  /** Finds a note with the same text that is older than all merge candidates. */
  private Optional<Note> olderDuplicate(WriteNote command, List<Note> known) {
    return known.size() < candidateLimit()
        ? Optional.empty()
        : findDuplicate(notesWithSameText(command), command);
  }

  private Optional<Note> findDuplicate(List<Note> notes, WriteNote command) {
    return notes.stream().filter(note -> isDuplicate(note, command)).findFirst();
  }

  private int candidateLimit() {
    return unitOfWork.config().notes().candidates();
  }

  public Note supersede(SupersedeNote command) {
    inputLimits.check(command.successor());
    Labels learned = subjectOf(command.successor().sources());
    Note old = unitOfWork.view().note(command.old());
    if (!old.isBelieved()) {
      throw MemoryException.notLive(EntityType.NOTE, old.id());
    }
    Labels inherited = learned.withDefaults(old.labels().subjectOnly());
    WriteNote wanted =
        command.successor().withLabels(command.successor().labels().withDefaults(inherited));
    List<Note> known = withoutNote(old, mergeCandidates(wanted));
    return findDuplicate(withoutNote(old, notesWithSameText(wanted)), wanted)
        .or(() -> findDuplicate(known, wanted))
        .map(note -> mergeIntoSuccessor(note, old, wanted, known))
        .orElseGet(() -> writeSuccessor(old, wanted, known));
  }

  private static List<Note> withoutNote(Note gone, List<Note> notes) {
    return notes.stream().filter(note -> !note.id().equals(gone.id())).toList();
  }

  private Note writeSuccessor(Note old, WriteNote wanted, List<Note> known) {
    Note successor =
        draftNote(wanted.withLabels(labelsWithJudge(wanted, known))).withSuperseded(old.id());
    unitOfWork.emit(new NoteRetired(old.id(), Optional.of(successor.id()), unitOfWork.now()));
    unitOfWork.emit(new NoteWritten(successor));
    linkConflicts(successor, known);
    return unitOfWork.view().note(successor.id());
  }

  /** Makes an existing note with the same statement the successor, instead of writing it twice. */
  private Note mergeIntoSuccessor(Note note, Note old, WriteNote wanted, List<Note> known) {
    unitOfWork.emit(new NoteRetired(old.id(), Optional.of(note.id()), unitOfWork.now()));
    Note merged = mergeAndLink(note, wanted, known);
    unitOfWork.emit(new NoteSupersessionRecorded(merged.id(), old.id(), unitOfWork.now()));
    return unitOfWork.view().note(merged.id());
  }

  public Note endValidity(EndNote command) {
    Note note = unitOfWork.view().note(command.id());
    if (!note.isBelieved()) {
      throw MemoryException.notLive(EntityType.NOTE, note.id());
    }
    if (note.valid().from().filter(start -> !start.isBefore(command.end())).isPresent()) {
      throw MemoryException.invalid(
          "end of a note", "a time after its start", command.end().toString());
    }
    unitOfWork.emit(new NoteEnded(note.id(), command.end(), unitOfWork.now()));
    return unitOfWork.view().note(note.id());
  }

  private Note writeNew(WriteNote command, List<Note> known) {
    Note note = draftNote(command.withLabels(labelsWithJudge(command, known)));
    unitOfWork.emit(new NoteWritten(note));
    linkConflicts(note, known);
    return unitOfWork.view().note(note.id());
  }

  private Note draftNote(WriteNote command) {
    double confidence =
        command.confidence().orElse(unitOfWork.runtime().memory().initialNoteConfidence());
    Instant now = unitOfWork.now();
    return new Note(
        unitOfWork.newId(),
        1,
        command.entity(),
        command.entityType(),
        command.type(),
        command.content(),
        confidence,
        command.valid(),
        command.sources(),
        List.of(),
        Optional.empty(),
        List.of(),
        command.labels(),
        now,
        now,
        Optional.empty());
  }

  private List<Note> mergeCandidates(WriteNote command) {
    return mergeCandidates(unitOfWork.view(), unitOfWork.config(), command);
  }

  /** Returns the newest notes about the same entity, of the same type and subject, newest first. */
  public static List<Note> mergeCandidates(
      MemoryView view, MemoryConfig config, WriteNote command) {
    return view.snapshot()
        .list(
            Query.over(Note.TABLE, "live_entity", "entity_type", "type", "live_subject")
                .equal(
                    command.entity(),
                    command.entityType(),
                    command.type().name(),
                    Note.ownerColumn(command.labels().subject()))
                .descending(),
            config.notes().candidates());
  }

  /** Returns notes whose text is equal except for punctuation and case, newest first. */
  private List<Note> notesWithSameText(WriteNote wanted) {
    String saying =
        Note.statementKeyOf(
            wanted.entity(),
            wanted.entityType(),
            wanted.type(),
            wanted.labels().subject(),
            wanted.content());
    return unitOfWork
        .view()
        .snapshot()
        .list(Query.over(Note.TABLE, "live_saying").equal(saying).descending(), candidateLimit());
  }

  /** Adds metadata if a judge found a contradiction, or failed. */
  private Labels labelsWithJudge(WriteNote command, List<Note> known) {
    if (unitOfWork.preCommitModelResults().hasJudgeFailed()) {
      return command.labels().withMetadata("fallback", FALLBACK);
    }
    return known.stream()
        .flatMap(other -> judgedContradiction(other).stream())
        .findFirst()
        .map(method -> command.labels().withMetadata("judge", method))
        .orElse(command.labels());
  }

  private Optional<String> judgedContradiction(Note other) {
    return unitOfWork
        .preCommitModelResults()
        .contradictionMethod(RuleBasedExtraction.notePassage(other));
  }

  private boolean isDuplicate(Note note, WriteNote command) {
    return note.valid().equals(command.valid())
        && !note.labels().hasDifferentExternalId(command.labels())
        && (note.content().equals(command.content()) || isSimilar(note, command));
  }

  private boolean isSimilar(Note note, WriteNote command) {
    double likeness = reader.similarity(note.content(), command.content());
    return likeness >= unitOfWork.config().notes().similarity()
        && reader.isWordSubsequence(note.content(), command.content())
        && !isContradicted(note, command.content());
  }

  /** Merges and checks for new conflicts, because a longer text may contradict more notes. */
  private Note mergeAndLink(Note note, WriteNote command, List<Note> known) {
    if (!isLonger(command, note)) {
      return merge(note, command);
    }
    Note merged = merge(note, command.withLabels(labelsWithJudge(command, known)));
    linkConflicts(merged, known);
    return unitOfWork.view().note(merged.id());
  }

  private static boolean isLonger(WriteNote command, Note note) {
    return command.content().length() > note.content().length();
  }

  /** Merges a command into a note: the longer text, all sources and labels, more confidence. */
  private Note merge(Note note, WriteNote command) {
    String content = isLonger(command, note) ? command.content() : note.content();
    boolean more = !note.sources().containsAll(command.sources());
    double confidence =
        increasedConfidence(note.confidence(), command.confidence().orElse(0.0), more);
    Labels again = note.mergedTurnLabels(command.labels());
    Labels labels = inputLimits.mergeLabels(note.labels(), again);
    boolean news =
        more
            || confidence != note.confidence()
            || !content.equals(note.content())
            || !labels.equals(note.labels());
    if (news) {
      unitOfWork.emit(
          new NoteMerged(
              note.id(), content, confidence, command.sources(), again, unitOfWork.now()));
    }
    return unitOfWork.view().note(note.id());
  }

  /** Raises the confidence for a new source only, so that a repeated call changes nothing. */
  private double increasedConfidence(double confidence, double said, boolean more) {
    double least = Math.max(confidence, said);
    return more ? least + (1 - least) * unitOfWork.config().notes().confidenceGain() : least;
  }

  private void linkConflicts(Note note, List<Note> known) {
    for (Id other : conflicts(note, known)) {
      unitOfWork.emit(new NoteConflictFound(note.id(), other));
    }
  }

  private List<Id> conflicts(Note note, List<Note> known) {
    List<Id> conflicts = new ArrayList<>();
    for (Note other : known) {
      boolean both = !other.id().equals(note.id()) && note.valid().overlaps(other.valid());
      boolean news = both && !note.conflictsWith().contains(other.id());
      if (news && isContradicted(other, note.content())) {
        conflicts.add(other.id());
      }
    }
    return conflicts;
  }

  /** Checks the rules, then the answer of the judge that was asked before the commit. */
  private boolean isContradicted(Note earlier, String later) {
    return reader.findContradiction(earlier.content(), later).isPresent()
        || judgedContradiction(earlier).isPresent();
  }
}
