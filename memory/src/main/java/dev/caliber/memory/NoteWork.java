package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.memory.command.EndNote;
import dev.caliber.memory.command.SupersedeNote;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.MemoryEvent.NoteEnded;
import dev.caliber.memory.record.MemoryEvent.NoteMerged;
import dev.caliber.memory.record.MemoryEvent.NoteRetired;
import dev.caliber.memory.record.MemoryEvent.NoteSucceeded;
import dev.caliber.memory.record.MemoryEvent.NoteWritten;
import dev.caliber.memory.record.MemoryEvent.NotesConflict;
import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.text.PlainReader;
import dev.caliber.store.Query;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Decides what is known. A new note is held against the newest about the same entity and of the
 * same type: nearly the same words, none of which the longer wording lacks, that do not contradict
 * and have no two external ids are one note; a contradiction is written down and linked; anything
 * else is one more note. What says the same is found however old it is. Nothing is ever deleted by
 * writing.
 */
final class NoteWork {
  private static final String FALLBACK = "the judge failed";

  private final Desk desk;
  private final Guard guard;
  private final PlainReader reader;

  NoteWork(Desk desk, PlainReader reader) {
    this.desk = desk;
    this.guard = new Guard(desk.config().limits());
    this.reader = reader;
  }

  Note write(WriteNote given) {
    guard.check(given);
    WriteNote command = given.labelled(given.labels().or(subjectOf(given.sources())));
    List<Note> known = known(command);
    return same(known, command)
        .map(note -> merge(note, command, known))
        .or(() -> older(command, known).map(note -> merge(note, command)))
        .orElseGet(() -> add(command, known));
  }

  /** The subject of the trajectories that a note is learned in, where all have the same one. */
  private Labels subjectOf(List<Id> sources) {
    List<Labels> subjects =
        sources.stream()
            .map(desk.view()::storedTrajectory)
            .map(task -> task.labels().subjectOnly())
            .distinct()
            .toList();
    return subjects.size() == 1 ? subjects.getFirst() : Labels.none();
  }

  /** What says the same and is older than all that a new note is held against. */
  private Optional<Note> older(WriteNote command, List<Note> known) {
    return known.size() < candidates() ? Optional.empty() : same(saying(command), command);
  }

  private Optional<Note> same(List<Note> notes, WriteNote command) {
    return notes.stream().filter(note -> isSame(note, command)).findFirst();
  }

  private int candidates() {
    return desk.config().notes().candidates();
  }

  Note supersede(SupersedeNote command) {
    guard.check(command.successor());
    Labels learned = subjectOf(command.successor().sources());
    Note old = desk.view().note(command.old());
    if (!old.isBelieved()) {
      throw MemoryException.notLive(EntityType.NOTE, old.id());
    }
    Labels inherited = learned.or(old.labels().subjectOnly());
    WriteNote wanted = command.successor().labelled(command.successor().labels().or(inherited));
    List<Note> known = without(old, known(wanted));
    return same(without(old, saying(wanted)), wanted)
        .or(() -> same(known, wanted))
        .map(note -> succeed(note, old, wanted, known))
        .orElseGet(() -> succeed(old, wanted, known));
  }

  private static List<Note> without(Note gone, List<Note> notes) {
    return notes.stream().filter(note -> !note.id().equals(gone.id())).toList();
  }

  private Note succeed(Note old, WriteNote wanted, List<Note> known) {
    Note successor = draft(wanted.labelled(labels(wanted, known))).superseding(old.id());
    desk.emit(new NoteRetired(old.id(), Optional.of(successor.id()), desk.now()));
    desk.emit(new NoteWritten(successor));
    link(successor, known);
    return desk.view().note(successor.id());
  }

  /** What is believed already is not written twice: it takes the place itself. */
  private Note succeed(Note note, Note old, WriteNote wanted, List<Note> known) {
    desk.emit(new NoteRetired(old.id(), Optional.of(note.id()), desk.now()));
    Note merged = merge(note, wanted, known);
    desk.emit(new NoteSucceeded(merged.id(), old.id(), desk.now()));
    return desk.view().note(merged.id());
  }

  Note end(EndNote command) {
    Note note = desk.view().note(command.note());
    if (!note.isBelieved()) {
      throw MemoryException.notLive(EntityType.NOTE, note.id());
    }
    if (note.valid().from().filter(start -> !start.isBefore(command.end())).isPresent()) {
      throw MemoryException.invalid(
          "end of a note", "a time after its start", command.end().toString());
    }
    desk.emit(new NoteEnded(note.id(), command.end(), desk.now()));
    return desk.view().note(note.id());
  }

  private Note add(WriteNote command, List<Note> known) {
    Note note = draft(command.labelled(labels(command, known)));
    desk.emit(new NoteWritten(note));
    link(note, known);
    return desk.view().note(note.id());
  }

  private Note draft(WriteNote command) {
    double confidence =
        command.confidence().orElse(desk.runtime().memory().initialNoteConfidence());
    Instant now = desk.now();
    return new Note(
        desk.newId(),
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

  private List<Note> known(WriteNote command) {
    return known(desk.view(), desk.config(), command);
  }

  /** Notes about the same thing for the same subject, newest first. */
  static List<Note> known(MemoryView view, MemoryConfig config, WriteNote command) {
    return view.upTo(
        Query.over(Note.TABLE, "live_entity", "entity_type", "type", "live_subject")
            .equal(
                command.entity(),
                command.entityType(),
                command.type().name(),
                Note.ownerOf(command.labels().subject()))
            .descending(),
        config.notes().candidates());
  }

  /** Believed notes that say this, but for marks, newest first. */
  private List<Note> saying(WriteNote wanted) {
    String saying =
        Note.sayingOf(
            wanted.entity(),
            wanted.entityType(),
            wanted.type(),
            wanted.labels().subject(),
            wanted.content());
    return desk.view()
        .upTo(Query.over(Note.TABLE, "live_saying").equal(saying).descending(), candidates());
  }

  /** Says how a judge had its hand in it. */
  private Labels labels(WriteNote command, List<Note> known) {
    if (desk.prepared().isUnjudged()) {
      return command.labels().with("fallback", FALLBACK);
    }
    return known.stream()
        .flatMap(other -> judged(other).stream())
        .findFirst()
        .map(method -> command.labels().with("judge", method))
        .orElse(command.labels());
  }

  private Optional<String> judged(Note other) {
    return desk.prepared().contradiction(Digest.passage(other));
  }

  private boolean isSame(Note note, WriteNote command) {
    return note.valid().equals(command.valid())
        && !note.labels().isNamedUnlike(command.labels())
        && (note.content().equals(command.content()) || isAlike(note, command));
  }

  private boolean isAlike(Note note, WriteNote command) {
    double likeness = reader.likeness(note.content(), command.content());
    return likeness >= desk.config().notes().likeness()
        && reader.isWordedIn(note.content(), command.content())
        && !areContradicting(note, command.content());
  }

  /** Words that come with it may contradict what the note did not. */
  private Note merge(Note note, WriteNote command, List<Note> known) {
    if (!isLonger(command, note)) {
      return merge(note, command);
    }
    Note merged = merge(note, command.labelled(labels(command, known)));
    link(merged, known);
    return desk.view().note(merged.id());
  }

  private static boolean isLonger(WriteNote command, Note note) {
    return command.content().length() > note.content().length();
  }

  /** The wording with more words stays, sources and labels add up, and certainty grows. */
  private Note merge(Note note, WriteNote command) {
    String content = isLonger(command, note) ? command.content() : note.content();
    boolean more = !note.sources().containsAll(command.sources());
    double confidence = grown(note.confidence(), command.confidence().orElse(0.0), more);
    Labels again = note.withTurns(command.labels());
    Labels labels = guard.joined(note.labels(), again);
    boolean news =
        more
            || confidence != note.confidence()
            || !content.equals(note.content())
            || !labels.equals(note.labels());
    if (news) {
      desk.emit(
          new NoteMerged(note.id(), content, confidence, command.sources(), again, desk.now()));
    }
    return desk.view().note(note.id());
  }

  /** Only a new source makes surer: the same call made twice changes nothing. */
  private double grown(double confidence, double said, boolean more) {
    double least = Math.max(confidence, said);
    return more ? least + (1 - least) * desk.config().notes().gain() : least;
  }

  private void link(Note note, List<Note> known) {
    for (Id other : conflicts(note, known)) {
      desk.emit(new NotesConflict(note.id(), other));
    }
  }

  private List<Id> conflicts(Note note, List<Note> known) {
    List<Id> conflicts = new ArrayList<>();
    for (Note other : known) {
      boolean both = !other.id().equals(note.id()) && note.valid().overlaps(other.valid());
      boolean news = both && !note.conflictsWith().contains(other.id());
      if (news && areContradicting(other, note.content())) {
        conflicts.add(other.id());
      }
    }
    return conflicts;
  }

  /** The rules see it, or a judge that was asked before the commit has. */
  private boolean areContradicting(Note earlier, String later) {
    return reader.contradiction(earlier.content(), later).isPresent()
        || judged(earlier).isPresent();
  }
}
