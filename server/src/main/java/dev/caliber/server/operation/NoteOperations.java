package dev.caliber.server.operation;

import dev.caliber.agents.RequiredPermissions;
import dev.caliber.kernel.Id;
import dev.caliber.memory.command.EndNote;
import dev.caliber.memory.command.NoteQuery;
import dev.caliber.memory.command.PromoteRecord;
import dev.caliber.memory.command.SupersedeNote;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.MemoryKind;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.PastNote;
import dev.caliber.memory.record.TimeRange;
import dev.caliber.memory.record.TraceEvent;
import dev.caliber.server.operation.TrajectoryOperations.RecordIdRequest;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.store.Query;
import dev.caliber.store.Transaction;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The operations on notes and their history, on traces and on the audit log. */
final class NoteOperations {
  private static final RequiredPermissions READING =
      RequiredPermissions.forReading(MemoryKind.NOTE);
  private static final RequiredPermissions WRITING =
      RequiredPermissions.forWriting(MemoryKind.NOTE);

  private final ServerModules serverModules;
  private final PageReader pageReader;

  private NoteOperations(ServerModules serverModules, PageReader pageReader) {
    this.serverModules = serverModules;
    this.pageReader = pageReader;
  }

  static List<Operation<?, ?>> operations(
      ServerModules serverModules, ServerConfig.ServerLimits serverLimits) {
    NoteOperations here =
        new NoteOperations(serverModules, PageReader.of(serverModules, serverLimits));
    return List.of(
        here.writeOperation(),
        here.listOperation(),
        here.getOperation(),
        here.supersedeOperation(),
        here.endOperation(),
        here.promoteOperation(),
        here.historyOperation(),
        here.tracesOperation(),
        here.auditOperation());
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
          new TimeRange(validFrom, validUntil),
          sources.orElse(List.of()),
          new Labels(subject, externalId, metadata.orElse(Map.of())));
    }
  }

  private Operation<WriteNoteRequest, Note> writeOperation() {
    return Operation.<WriteNoteRequest, Note>transactional(
            "write_note",
            "Writes a note; a near duplicate is merged into the existing note.",
            WriteNoteRequest.class,
            new WriteNoteChange())
        .forAgents(WRITING)
        .forSubjects(SubjectRule.forWrites(""));
  }

  /** The writing of a note; a model may be called before the commit. */
  private final class WriteNoteChange implements Operation.OperationChange<WriteNoteRequest, Note> {
    private final MemoryCommandChange<WriteNoteRequest, Note> plain =
        new MemoryCommandChange<>(serverModules, WriteNoteRequest::command);
    private final WriteOnlyNoteView words = new WriteOnlyNoteView(serverModules.agents());

    @Override
    public Note apply(Transaction transaction, Caller caller, WriteNoteRequest request) {
      return visibleNote(transaction, caller, request, plain.apply(transaction, caller, request));
    }

    private Note visibleNote(
        Transaction transaction, Caller caller, WriteNoteRequest request, Note note) {
      return words.canReadNotes(transaction, caller)
          ? note
          : words.redactNote(note, request.command());
    }

    @Override
    public Operation.OperationChange<WriteNoteRequest, Note> prepare(
        Caller caller, WriteNoteRequest request) {
      Operation.OperationChange<WriteNoteRequest, Note> ready = plain.prepare(caller, request);
      return (transaction, _, _) ->
          visibleNote(transaction, caller, request, ready.apply(transaction, caller, request));
    }

    @Override
    public boolean isCostly(WriteNoteRequest request) {
      return plain.isCostly(request);
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
      Optional<Instant> validAt) {
    NoteQuery query() {
      if (asOf.isPresent() && !believed.orElse(true)) {
        throw ServerException.invalidInput(
            "/believed",
            "'as_of' lists notes that were believed at that time, so 'believed' cannot be false");
      }
      return new NoteQuery(entity, subject, externalId, type, believed.orElse(true), asOf, validAt);
    }
  }

  private Operation<ListNotesRequest, PageResponse<Note>> listOperation() {
    return Operation.<ListNotesRequest, PageResponse<Note>>readOnly(
            "list_notes",
            "Notes, page by page; only believed ones by default.",
            ListNotesRequest.class,
            (caller, input) ->
                pageReader.read(
                    serverModules.memory(),
                    caller,
                    input.query(),
                    new PageReader.PageRequest(input.limit(), input.cursor())))
        .forAgents(READING)
        .forSubjects(SubjectRule.forReads());
  }

  private Operation<RecordIdRequest, Note> getOperation() {
    return Operation.<RecordIdRequest, Note>readOnly(
            "get_note",
            "A note.",
            RecordIdRequest.class,
            (caller, input) ->
                serverModules.memory().view(caller.space(), view -> view.note(input.id())))
        .withTarget(Note.TABLE, RecordIdRequest::id)
        .forAgents(READING)
        .forSubjects();
  }

  /** The note that supersedes another. */
  record SupersedeNoteRequest(Id id, WriteNoteRequest note) {}

  private Operation<SupersedeNoteRequest, Note> supersedeOperation() {
    return Operation.<SupersedeNoteRequest, Note>transactional(
            "supersede_note",
            "Writes a note that supersedes another.",
            SupersedeNoteRequest.class,
            new MemoryCommandChange<>(
                serverModules, input -> new SupersedeNote(input.id(), input.note().command())))
        .withTarget(Note.TABLE, SupersedeNoteRequest::id)
        .forAgents(WRITING)
        .forSubjects(SubjectRule.forWrites("note"));
  }

  /** The time at which a note ends to be valid. */
  record EndNoteRequest(Id id, Instant end) {}

  private Operation<EndNoteRequest, Note> endOperation() {
    return Operation.<EndNoteRequest, Note>transactional(
            "end_note",
            "Sets the time until which a note is valid.",
            EndNoteRequest.class,
            (transaction, _, input) ->
                serverModules.memory().run(transaction, new EndNote(input.id(), input.end())))
        .withTarget(Note.TABLE, EndNoteRequest::id)
        .forAgents(RequiredPermissions.forChanging(MemoryKind.NOTE))
        .forSubjects();
  }

  /** Records the caller in the audit log; not for callers that are limited to a subject. */
  private Operation<RecordIdRequest, EntityRef> promoteOperation() {
    return Operation.<RecordIdRequest, EntityRef>transactional(
            "promote_record",
            "Gives a note or artifact of one subject to the whole space: removes its subject.",
            RecordIdRequest.class,
            (transaction, _, input) ->
                serverModules.memory().run(transaction, new PromoteRecord(input.id())))
        .forAgents(
            RequiredPermissions.forChanging(MemoryKind.NOTE)
                .and(RequiredPermissions.forChanging(MemoryKind.ARTIFACT)));
  }

  private Operation<RecordIdRequest, PageResponse<PastNote>> historyOperation() {
    return Operation.<RecordIdRequest, PageResponse<PastNote>>readOnly(
            "get_note_history",
            "Earlier versions of a note, oldest first.",
            RecordIdRequest.class,
            (caller, input) ->
                PageResponse.ofAll(
                    serverModules
                        .memory()
                        .view(caller.space(), view -> view.noteHistory(input.id()))))
        .forAgents(READING)
        .forSubjects();
  }

  /** The filter of the trace list: a trajectory, a type, or all. */
  record ListTracesRequest(
      Optional<Id> trajectory,
      Optional<String> type,
      Optional<Integer> limit,
      Optional<String> cursor) {
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

  private Operation<ListTracesRequest, PageResponse<TraceEvent>> tracesOperation() {
    return Operation.<ListTracesRequest, PageResponse<TraceEvent>>readOnly(
            "list_trace_events",
            "Trace events, newest first.",
            ListTracesRequest.class,
            (caller, input) ->
                pageReader.read(
                    caller,
                    input.filteredQuery(),
                    new PageReader.PageRequest(input.limit(), input.cursor())))
        .forAgents(RequiredPermissions.forReading(MemoryKind.values()))
        .forSubjects();
  }

  /** The filter of the audit log. */
  record ListAuditRequest(
      Optional<String> actor, Optional<Integer> limit, Optional<String> cursor) {
    Query<AuditEntry> query() {
      return actor
          .map(name -> Query.over(AuditEntry.TABLE, "actor", "time").equal(name))
          .orElseGet(() -> Query.over(AuditEntry.TABLE, "time"))
          .descending();
    }
  }

  private Operation<ListAuditRequest, PageResponse<AuditEntry>> auditOperation() {
    return Operation.readOnly(
            "list_audit_entries",
            "Audit entries, newest first.",
            ListAuditRequest.class,
            (Caller caller, ListAuditRequest input) ->
                pageReader.read(
                    caller,
                    input.query(),
                    new PageReader.PageRequest(input.limit(), input.cursor())))
        .withRight(AccessRight.ADMIN);
  }
}
