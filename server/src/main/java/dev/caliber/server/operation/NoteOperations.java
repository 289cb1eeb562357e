package dev.caliber.server.operation;

import dev.caliber.agents.command.RequiredPermissions;
import dev.caliber.kernel.Id;
import dev.caliber.memory.command.EndNote;
import dev.caliber.memory.command.NoteQuery;
import dev.caliber.memory.command.PromoteRecord;
import dev.caliber.memory.command.SupersedeNote;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.event.TraceEvent;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.MemoryKind;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.TimeRange;
import dev.caliber.server.operation.TrajectoryOperations.RecordIdRequest;
import dev.caliber.server.settings.ServerConfig.ServerLimits;
import dev.caliber.store.Query;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The operations on notes and their history, on traces and on the audit log. */
final class NoteOperations {
  private static final RequiredPermissions READING =
      RequiredPermissions.forReading(MemoryKind.NOTE);
  private static final RequiredPermissions WRITING =
      RequiredPermissions.forWriting(MemoryKind.NOTE);

  private NoteOperations() {}

  static List<Operation<?, ?>> operations(ServerModules modules, ServerLimits limits) {
    PageReader pages = PageReader.of(modules, limits);
    return Stream.of(noteOperations(modules, pages), historyOperations(modules, pages))
        .<Operation<?, ?>>flatMap(List::stream)
        .toList();
  }

  private static List<Operation<?, ?>> noteOperations(ServerModules modules, PageReader pages) {
    WriteOnlyNoteView words = new WriteOnlyNoteView(modules.agents());
    return List.of(
        Operation.transactional(
                "write_note",
                WriteNoteRequest.class,
                new MemoryCommandChange<>(
                    modules,
                    WriteNoteRequest::command,
                    (transaction, caller, input, note) ->
                        words.canReadNotes(transaction, caller)
                            ? note
                            : words.redactNote(note, input.command())))
            .forAgents(WRITING)
            .forSubjects(SubjectRule.forWrites("")),
        Operation.readOnly(
                "list_notes",
                ListNotesRequest.class,
                (caller, input) -> pages.read(modules.memory(), caller, input.query(), input))
            .forAgents(READING)
            .forSubjects(SubjectRule.forReads()),
        Operation.readOnly(
                "get_note",
                RecordIdRequest.class,
                (caller, input) ->
                    modules.memory().view(caller.space(), view -> view.note(input.id())))
            .withTarget(Note.TABLE, RecordIdRequest::id)
            .forAgents(READING)
            .forSubjects(),
        Operation.transactional(
                "supersede_note",
                SupersedeNoteRequest.class,
                new MemoryCommandChange<>(
                    modules, input -> new SupersedeNote(input.id(), input.note().command())))
            .withTarget(Note.TABLE, SupersedeNoteRequest::id)
            .forAgents(WRITING)
            .forSubjects(SubjectRule.forWrites("note")),
        Operation.transactional(
                "end_note",
                EndNote.class,
                (transaction, _, command) -> modules.memory().run(transaction, command))
            .withTarget(Note.TABLE, EndNote::id)
            .forAgents(RequiredPermissions.forChanging(MemoryKind.NOTE))
            .forSubjects(),
        Operation.transactional( // not for callers of one subject
                "promote_record",
                RecordIdRequest.class,
                (transaction, _, input) ->
                    modules.memory().run(transaction, new PromoteRecord(input.id())))
            .forAgents(RequiredPermissions.forChanging(MemoryKind.NOTE, MemoryKind.ARTIFACT)));
  }

  /** The operations on what was: versions of notes, traces and the audit log. */
  private static List<Operation<?, ?>> historyOperations(ServerModules modules, PageReader pages) {
    return List.of(
        Operation.readOnly(
                "get_note_history",
                RecordIdRequest.class,
                (caller, input) ->
                    PageResponse.ofAll(
                        modules
                            .memory()
                            .view(caller.space(), view -> view.noteHistory(input.id()))))
            .forAgents(READING)
            .forSubjects(),
        pages
            .listOperation(
                "list_trace_events", ListTracesRequest.class, ListTracesRequest::filteredQuery)
            .forAgents(RequiredPermissions.forReading(MemoryKind.values()))
            .forSubjects(),
        pages.listOperation("list_audit_entries", ListAuditRequest.class, ListAuditRequest::query));
  }

  /** The request to write a note. */
  record WriteNoteRequest(
      String entity,
      String entityType,
      NoteType type,
      String content,
      Optional<Double> confidence,
      Optional<Instant> validFrom,
      Optional<Instant> validUntil,
      List<Id> sources,
      Optional<String> subject,
      Optional<String> externalId,
      Map<String, Object> metadata) {
    WriteNote command() {
      return new WriteNote(
          entity,
          entityType,
          type,
          content,
          confidence,
          new TimeRange(validFrom, validUntil),
          sources,
          new Labels(subject, externalId, metadata));
    }
  }

  /** The filter of the note list: by entity, subject, name, type and time; newest first. */
  record ListNotesRequest(
      Optional<String> entity,
      Optional<String> subject,
      Optional<NoteType> type,
      Optional<Boolean> believed,
      Optional<Integer> limit,
      Optional<String> cursor,
      Optional<String> externalId,
      Optional<Instant> asOf,
      Optional<Instant> validAt)
      implements PageReader.PageRequest {
    NoteQuery query() {
      if (asOf.isPresent() && !believed.orElse(true)) {
        throw ServerException.invalidInput(
            "/believed",
            "'believed' cannot be false together with 'as_of': a query for a past time returns only the notes that were believed then. Remove one of the two.");
      }
      return new NoteQuery(entity, subject, externalId, type, believed.orElse(true), asOf, validAt);
    }
  }

  /** The note that supersedes another. */
  record SupersedeNoteRequest(Id id, WriteNoteRequest note) {}

  /** The filter of the trace list: a trajectory, a type, or all. */
  record ListTracesRequest(
      Optional<Id> trajectory,
      Optional<String> type,
      Optional<Integer> limit,
      Optional<String> cursor)
      implements PageReader.PageRequest {
    Query<TraceEvent> indexQuery() {
      return trajectory
          .map(id -> Query.over(TraceEvent.TABLE, "trajectory").equal(id))
          .or(() -> type.map(name -> Query.over(TraceEvent.TABLE, "type").equal(name)))
          .orElseGet(() -> Query.over(TraceEvent.TABLE))
          .descending();
    }

    Query<TraceEvent> filteredQuery() {
      return trajectory.isPresent() && type.isPresent()
          ? indexQuery().where(event -> event.type().equals(type.get()))
          : indexQuery();
    }
  }

  /** The filter of the audit log. */
  record ListAuditRequest(Optional<String> actor, Optional<Integer> limit, Optional<String> cursor)
      implements PageReader.PageRequest {
    Query<AuditEntry> query() {
      return actor
          .map(name -> Query.over(AuditEntry.TABLE, "actor", "time").equal(name))
          .orElseGet(() -> Query.over(AuditEntry.TABLE, "time"))
          .descending();
    }
  }
}
