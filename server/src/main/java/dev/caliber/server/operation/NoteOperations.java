package dev.caliber.server.operation;

import dev.caliber.agents.Needs;
import dev.caliber.kernel.Id;
import dev.caliber.memory.command.EndNote;
import dev.caliber.memory.command.NoteQuery;
import dev.caliber.memory.command.Promote;
import dev.caliber.memory.command.SupersedeNote;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.MemoryKind;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.PastNote;
import dev.caliber.memory.record.Period;
import dev.caliber.memory.record.TraceEvent;
import dev.caliber.server.operation.TrajectoryOperations.Named;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.store.Query;
import dev.caliber.store.Transaction;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Notes and their history; traces and the audit log. */
final class NoteOperations {
  private static final Needs READING = Needs.reading(MemoryKind.NOTE);
  private static final Needs WRITING = Needs.writing(MemoryKind.NOTE);

  private final Rooms rooms;
  private final Pages pages;

  private NoteOperations(Rooms rooms, Pages pages) {
    this.rooms = rooms;
    this.pages = pages;
  }

  static List<Operation<?, ?>> of(Rooms rooms, ServerConfig.Limits limits) {
    NoteOperations here = new NoteOperations(rooms, Pages.of(rooms, limits));
    return List.of(
        here.write(),
        here.list(),
        here.get(),
        here.supersede(),
        here.end(),
        here.promote(),
        here.history(),
        here.traces(),
        here.audit());
  }

  /** A note to be written. */
  record Write(
      String entity,
      String entityType,
      NoteType type,
      String content,
      Optional<Double> confidence,
      Optional<Instant> validFrom,
      Optional<Instant> validUntil,
      Optional<List<Id>> sources,
      Optional<String> subject,
      Optional<String> externalId,
      Optional<Map<String, Object>> metadata) {
    WriteNote command() {
      return new WriteNote(
          entity,
          entityType,
          type,
          content,
          confidence,
          new Period(validFrom, validUntil),
          sources.orElse(List.of()),
          new Labels(subject, externalId, metadata.orElse(Map.of())));
    }
  }

  private Operation<Write, Note> write() {
    return Operation.<Write, Note>writing(
            "write_note",
            "Writes a note; one that says nearly the same is merged into the one that is there.",
            Write.class,
            new Writes())
        .forAgents(WRITING)
        .forSubjects(SubjectRule.writing(""));
  }

  /** A model may have its say before the commit. */
  private final class Writes implements Operation.Change<Write, Note> {
    private final PreparedCommand<Write, Note> plain = new PreparedCommand<>(rooms, Write::command);
    private final OwnWords words = new OwnWords(rooms.agents());

    @Override
    public Note apply(Transaction transaction, Caller caller, Write wish) {
      return told(transaction, caller, wish, plain.apply(transaction, caller, wish));
    }

    private Note told(Transaction transaction, Caller caller, Write wish, Note note) {
      return words.reads(transaction, caller) ? note : words.of(note, wish.command());
    }

    @Override
    public Operation.Change<Write, Note> prepared(Caller caller, Write wish) {
      Operation.Change<Write, Note> ready = plain.prepared(caller, wish);
      return (transaction, _, _) ->
          told(transaction, caller, wish, ready.apply(transaction, caller, wish));
    }

    @Override
    public boolean isCostly(Write wish) {
      return plain.isCostly(wish);
    }
  }

  /** Which notes: about something, of a subject, by name, of a type, of a time; newest first. */
  record ListNotes(
      Optional<String> entity,
      Optional<String> subject,
      Optional<NoteType> type,
      Optional<Boolean> believed,
      Optional<Integer> limit,
      Optional<String> cursor,
      Optional<String> externalId,
      Optional<Instant> asOf,
      Optional<Instant> validAt) {
    NoteQuery query() {
      if (asOf.isPresent() && !believed.orElse(true)) {
        throw ServerException.invalidInput(
            "/believed", "Wanted what was believed at a time, found others as well");
      }
      return new NoteQuery(entity, subject, externalId, type, believed.orElse(true), asOf, validAt);
    }
  }

  private Operation<ListNotes, Listed<Note>> list() {
    return Operation.<ListNotes, Listed<Note>>reading(
            "list_notes",
            "Notes, page by page; those that are believed, unless others are asked for.",
            ListNotes.class,
            (caller, input) ->
                pages.read(
                    rooms.memory(),
                    caller,
                    input.query(),
                    new Pages.Wanted(input.limit(), input.cursor())))
        .forAgents(READING)
        .forSubjects(SubjectRule.reading());
  }

  private Operation<Named, Note> get() {
    return Operation.<Named, Note>reading(
            "get_note",
            "A note.",
            Named.class,
            (caller, input) -> rooms.memory().view(caller.space(), view -> view.note(input.id())))
        .about(Note.TABLE, Named::id)
        .forAgents(READING)
        .forSubjects();
  }

  /** A note for the place of another. */
  record Supersede(Id id, Write note) {}

  private Operation<Supersede, Note> supersede() {
    return Operation.<Supersede, Note>writing(
            "supersede_note",
            "Writes a note in the place of one that is no longer believed.",
            Supersede.class,
            new PreparedCommand<>(
                rooms, input -> new SupersedeNote(input.id(), input.note().command())))
        .about(Note.TABLE, Supersede::id)
        .forAgents(WRITING)
        .forSubjects(SubjectRule.writing("note"));
  }

  /** When a note stops to hold. */
  record End(Id id, Instant end) {}

  private Operation<End, Note> end() {
    return Operation.<End, Note>writing(
            "end_note",
            "Says that a note holds no longer than until a time.",
            End.class,
            (transaction, _, input) ->
                rooms.memory().run(transaction, new EndNote(input.id(), input.end())))
        .about(Note.TABLE, End::id)
        .forAgents(Needs.changing(MemoryKind.NOTE))
        .forSubjects();
  }

  /** The audit log says who did it; not for callers that are limited to a subject. */
  private Operation<Named, EntityRef> promote() {
    return Operation.<Named, EntityRef>writing(
            "promote",
            "Gives a note or artifact of one subject to the whole space: removes its subject.",
            Named.class,
            (transaction, _, input) -> rooms.memory().run(transaction, new Promote(input.id())))
        .forAgents(Needs.changing(MemoryKind.NOTE).and(Needs.changing(MemoryKind.ARTIFACT)));
  }

  private Operation<Named, Listed<PastNote>> history() {
    return Operation.<Named, Listed<PastNote>>reading(
            "note_history",
            "Earlier versions of a note, oldest first.",
            Named.class,
            (caller, input) ->
                Listed.whole(rooms.memory().view(caller.space(), view -> view.history(input.id()))))
        .forAgents(READING)
        .forSubjects();
  }

  /** What happened to a trajectory, of a type, or at all. */
  record Traces(
      Optional<Id> trajectory,
      Optional<String> type,
      Optional<Integer> limit,
      Optional<String> cursor) {
    Query<TraceEvent> query() {
      return trajectory
          .map(id -> Query.over(TraceEvent.TABLE, "trajectory").equal(id))
          .or(() -> type.map(name -> Query.over(TraceEvent.TABLE, "type").equal(name)))
          .orElseGet(() -> Query.over(TraceEvent.TABLE))
          .descending();
    }

    Query<TraceEvent> filtered() {
      return trajectory.isPresent() && type.isPresent()
          ? query().where(event -> event.type().equals(type.get()))
          : query();
    }
  }

  private Operation<Traces, Listed<TraceEvent>> traces() {
    return Operation.<Traces, Listed<TraceEvent>>reading(
            "list_traces",
            "What happened, newest first.",
            Traces.class,
            (caller, input) ->
                pages.read(
                    caller, input.filtered(), new Pages.Wanted(input.limit(), input.cursor())))
        .forAgents(Needs.reading(MemoryKind.values()))
        .forSubjects();
  }

  /** Which part of the audit log. */
  record Audit(Optional<String> actor, Optional<Integer> limit, Optional<String> cursor) {
    Query<AuditEntry> query() {
      return actor
          .map(name -> Query.over(AuditEntry.TABLE, "actor", "time").equal(name))
          .orElseGet(() -> Query.over(AuditEntry.TABLE, "time"))
          .descending();
    }
  }

  private Operation<Audit, Listed<AuditEntry>> audit() {
    return Operation.reading(
            "list_audit",
            "Who changed something, newest first.",
            Audit.class,
            (Caller caller, Audit input) ->
                pages.read(caller, input.query(), new Pages.Wanted(input.limit(), input.cursor())))
        .needing(Right.ADMIN);
  }
}
