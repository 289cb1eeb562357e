package dev.caliber.server.operation;

import dev.caliber.agents.command.RequiredPermissions;
import dev.caliber.agents.lease.FencedStore;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.Limit;
import dev.caliber.memory.command.AppendResult;
import dev.caliber.memory.command.ForgetRecords;
import dev.caliber.memory.command.ForgetResult;
import dev.caliber.memory.command.NewNote;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.RecallFilter;
import dev.caliber.memory.command.RecallQuery;
import dev.caliber.memory.command.RecallResult;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.MemoryKind;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.ReadableSubjects;
import dev.caliber.memory.record.TextChecks;
import dev.caliber.memory.record.TimeRange;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.record.TurnPart;
import dev.caliber.memory.record.TurnRole;
import dev.caliber.memory.view.MemoryView;
import dev.caliber.server.settings.ServerConfig.ServerLimits;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Transaction;
import dev.caliber.store.search.SearchQuery;
import dev.caliber.store.search.SearchResult;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The operations that most agents need: remember, recall and forget. */
final class RememberOperations {

  private final ServerModules modules;
  private final int hits;

  private RememberOperations(ServerModules modules, int hits) {
    this.modules = modules;
    this.hits = hits;
  }

  static List<Operation<?, ?>> operations(ServerModules modules, ServerLimits limits) {
    RememberOperations here = new RememberOperations(modules, limits.defaultHits());
    return List.of(
        Operation.transactional("remember", RememberTextRequest.class, here.new RememberChange())
            .forAgents(RememberTextRequest::requiredPermissions)
            .forSubjects(SubjectRule.forSessionTurns("")),
        Operation.readOnly("recall", RecallRequest.class, here::recall)
            .forAgents(RecallRequest::requiredPermissions)
            .forSubjects(SubjectRule.forReads()),
        Operation.longRunning("forget", ForgetMemoriesRequest.class, here::forget)
            .forAgents(RequiredPermissions.EVERYTHING)
            .forSubjects(SubjectRule.forReads()),
        Operation.readOnly("search", SearchRequest.class, here::search)
            .forAgents(SearchRequest::requiredPermissions));
  }

  /** The request to remember a text. */
  record RememberTextRequest(
      String text,
      Optional<String> subject,
      Optional<String> about,
      Optional<NoteType> type,
      Optional<String> session,
      Optional<TurnRole> role) {
    RequiredPermissions requiredPermissions() {
      return session.isPresent()
          ? RequiredPermissions.forWriting(MemoryKind.TRAJECTORY, MemoryKind.SCOPE, MemoryKind.TURN)
          : RequiredPermissions.forWriting(MemoryKind.NOTE);
    }
  }

  /** An existing note that contradicts a new one. */
  record ConflictingNote(Id id, String text) {}

  /**
   * The remembered note or turn.
   *
   * @param notes the notes made of the user's statements in the turn; a model may add to them later
   */
  record RememberResponse(
      Optional<Note> note,
      Optional<Turn> turn,
      List<Note> notes,
      List<ConflictingNote> conflicts) {}

  /** The change of a remember request; for a note, a model may be called before the commit. */
  private final class RememberChange
      implements Operation.OperationChange<RememberTextRequest, RememberResponse> {
    @Override
    public RememberResponse apply(
        Transaction transaction, Caller caller, RememberTextRequest request) {
      return request.session().isPresent()
          ? appendTurn(transaction, caller, request, request.session().get())
          : noteResponse(
              transaction,
              caller,
              request,
              modules.memory().remember(transaction, toCommand(request)));
    }

    @Override
    public Operation.OperationChange<RememberTextRequest, RememberResponse> prepare(
        Caller caller, RememberTextRequest request) {
      if (request.session().isPresent()) {
        return this;
      }
      Function<Transaction, Note> ready =
          modules.memory().prepareCommand(caller.space(), toCommand(request));
      return (transaction, _, _) ->
          noteResponse(transaction, caller, request, ready.apply(transaction));
    }

    @Override
    public boolean isCostly(RememberTextRequest request) {
      return modules.hasChatModel() && request.session().isEmpty();
    }
  }

  private RememberResponse appendTurn(
      Transaction transaction, Caller caller, RememberTextRequest request, String session) {
    if (request.about().isPresent() || request.type().isPresent()) {
      throw ServerException.invalidInput(
          "/session",
          "'session' cannot be combined with 'about' or 'type': a session makes a turn, 'about' and 'type' make a note");
    }
    Labels labels = request.subject().map(Labels::ofSubject).orElse(Labels.none());
    NewTurn turn = NewTurn.of(request.role().orElse(TurnRole.USER), TurnPart.text(request.text()));
    AppendResult written =
        modules.memory().remember(transaction, session, List.of(turn.withLabels(labels)));
    List<Note> notes =
        new WriteOnlyNoteView(modules.agents()).canReadNotes(transaction, caller)
            ? written.notes()
            : List.of();
    return new RememberResponse(Optional.empty(), Optional.of(written.first()), notes, List.of());
  }

  private static NewNote toCommand(RememberTextRequest request) {
    if (request.role().isPresent()) {
      throw ServerException.invalidInput(
          "/role", "'role' needs 'session': only a turn of a session has a role");
    }
    return new NewNote(request.text(), request.subject(), request.about(), request.type());
  }

  /** Leaves out the content of other notes for callers without read permission on notes. */
  private RememberResponse noteResponse(
      Transaction transaction, Caller caller, RememberTextRequest request, Note note) {
    WriteOnlyNoteView words = new WriteOnlyNoteView(modules.agents());
    if (!words.canReadNotes(transaction, caller)) {
      WriteNote written =
          WriteNote.of(note.entity(), note.entityType(), note.type(), request.text());
      Labels labels = request.subject().map(Labels::ofSubject).orElse(Labels.none());
      Note own = words.redactNote(note, written.withLabels(labels));
      return new RememberResponse(Optional.of(own), Optional.empty(), List.of(), List.of());
    }
    MemoryView view = MemoryView.of(transaction, modules.memoryConfig());
    List<ConflictingNote> conflicts =
        note.conflictsWith().stream()
            .map(id -> new ConflictingNote(id, view.note(id).content()))
            .toList();
    return new RememberResponse(Optional.of(note), Optional.empty(), List.of(), conflicts);
  }

  /** The request to recall records. */
  record RecallRequest(
      String query,
      Optional<Integer> limit,
      Optional<Integer> maxTokens,
      Optional<Instant> asOf,
      Optional<String> subject,
      Optional<String> about,
      Optional<String> session,
      List<String> types,
      Map<String, Object> metadata,
      Optional<Instant> createdFrom,
      Optional<Instant> createdUntil,
      Optional<String> externalId,
      Optional<List<String>> subjects,
      Optional<Double> minSimilarity)
      implements RequestFilters.FilterParameters {
    RequiredPermissions requiredPermissions() {
      return RequiredPermissions.forRecall(RequestFilters.recallFilterByKind(about, types));
    }
  }

  /**
   * The answer to a recall.
   *
   * @param method by words, by words and meaning, or by reading
   * @param omitted the number of hits that did not fit into the requested tokens
   * @param partial whether older records were not read
   * @param unembedded the number of records that were compared by words only
   * @param explanation the reason why there are no hits; empty if there are some
   */
  record RecallResponse(
      String method,
      int tokens,
      int omitted,
      List<RecallResult.RecallHit> hits,
      boolean partial,
      long unembedded,
      Optional<String> explanation) {}

  private RecallResponse recall(Caller caller, RecallRequest request) {
    RecallQuery query =
        new RecallQuery(
            request.query(),
            request.limit().orElse(hits),
            request.maxTokens(),
            RequestFilters.recallFilter(
                request, // its subject decides visibility and is no filter
                Optional.empty(),
                new TimeRange(request.createdFrom(), request.createdUntil()),
                modules.memory(),
                caller),
            request.asOf(),
            request.minSimilarity(),
            visibleSubjects(caller, request));
    RecallResult found = modules.memory().recall(caller.space(), query);
    return new RecallResponse(
        found.describeMethod(modules.hasSemanticSearch()),
        found.tokens(),
        found.omitted(),
        found.hits(),
        found.partial(),
        found.unembedded(),
        found.explanation());
  }

  /** Returns the subjects that the call names, with that of its session; else all visible ones. */
  private ReadableSubjects visibleSubjects(Caller caller, RecallRequest request) {
    if (caller.subject().isPresent()) {
      return caller.subjectScope();
    }
    Optional<List<String>> named =
        request.subjects().map(names -> union(names, sessionSubjects(caller, request.session())));
    return SubjectPropertyReader.subjectScope(request.subject(), named)
        .orElse(ReadableSubjects.everySubject());
  }

  private static List<String> union(List<String> one, List<String> other) {
    return Stream.concat(one.stream(), other.stream()).toList();
  }

  private List<String> sessionSubjects(Caller caller, Optional<String> session) {
    return session
        .map(
            name ->
                modules.memory().view(caller.space(), view -> view.trajectoriesByExternalId(name)))
        .orElse(List.of())
        .stream()
        .flatMap(found -> found.labels().subject().stream())
        .toList();
  }

  /** The request to forget one record, or all that match. */
  record ForgetMemoriesRequest(
      Optional<Id> id,
      Optional<String> subject,
      Optional<String> about,
      Optional<String> session,
      List<String> types,
      Map<String, Object> metadata,
      Optional<Boolean> dryRun,
      Optional<String> reason,
      Optional<String> externalId)
      implements RequestFilters.FilterParameters {}

  private ForgetResult forget(Caller caller, ForgetMemoriesRequest request) {
    Optional<String> subject =
        request.subject().or(() -> caller.subject().filter(_ -> request.id().isEmpty()));
    RecallFilter filter =
        RequestFilters.recallFilter(request, subject, TimeRange.always(), modules.memory(), caller);
    boolean everything = filter.equals(RecallFilter.any());
    ForgetRecords command =
        new ForgetRecords(
            request.id(),
            everything ? Optional.empty() : Optional.of(filter),
            request.dryRun().orElse(false),
            request.reason().orElse(""));
    return caller.subject().isEmpty()
        ? modules.memory().forget(caller.space(), command)
        : forgetOwnRecords(caller, command);
  }

  /**
   * Forgets records of the caller. Quotes are removed everywhere, windows of other subjects
   * included, so that it runs with the records of every subject; each commit verifies that the
   * record is still the caller's, or gone.
   */
  private ForgetResult forgetOwnRecords(Caller caller, ForgetRecords command) {
    Supplier<ForgetResult> work = () -> modules.memory().forget(caller.space(), command);
    if (command.id().isEmpty()) {
      return SubjectScopedStore.withEverySubject(work);
    }
    Id id = command.id().get();
    boolean own =
        modules
            .store()
            .read(
                caller.space(),
                snapshot -> recordLabels(snapshot, id).anyMatch(caller::isLimitedTo));
    return own
        ? SubjectScopedStore.withEverySubject(
            () ->
                FencedStore.withCommitCheck(
                    caller.space(), transaction -> requireOwnRecord(transaction, caller, id), work))
        : work.get();
  }

  private static void requireOwnRecord(Snapshot all, Caller caller, Id id) {
    if (!recordLabels(all, id).allMatch(caller::isLimitedTo)) {
      throw ServerException.sharedRecord("record", id.toString());
    }
  }

  private static Stream<Labels> recordLabels(Snapshot snapshot, Id id) {
    return Stream.of(
            snapshot.find(Note.TABLE, id).map(Note::labels),
            snapshot.find(Turn.TABLE, id).map(Turn::labels),
            snapshot.find(Artifact.TABLE, id).map(Artifact::labels),
            snapshot.find(Trajectory.TABLE, id).map(Trajectory::labels))
        .flatMap(Optional::stream);
  }

  /** The request to search the index directly. */
  record SearchRequest(
      String query,
      Optional<Integer> limit,
      List<String> tables,
      Optional<Instant> from,
      Optional<Instant> until,
      Optional<Boolean> explain) {
    /** Returns the permissions for the tables; those outside of memory may quote all of it. */
    RequiredPermissions requiredPermissions() {
      Set<String> named = Set.copyOf(tables);
      Map<String, MemoryKind> kinds =
          Stream.of(MemoryKind.values())
              .collect(
                  Collectors.toMap(kind -> kind.name().toLowerCase(Locale.ROOT), kind -> kind));
      return !named.isEmpty() && kinds.keySet().containsAll(named)
          ? RequiredPermissions.forReading(
              named.stream().map(kinds::get).toArray(MemoryKind[]::new))
          : RequiredPermissions.forReading(MemoryKind.values());
    }
  }

  private SearchResult search(Caller caller, SearchRequest request) {
    new Limit("memory.limits.text", modules.memoryConfig().limits().text().bytes())
        .requireWithin("query", TextChecks.utf8Length(request.query()));
    SearchQuery plain =
        SearchQuery.of(caller.space(), request.query(), request.limit().orElse(hits))
            .withSequence(modules.store().changes().head(caller.space()).sequence());
    return modules
        .index()
        .search(
            new SearchQuery(
                plain.space(),
                plain.text(),
                plain.vector(),
                plain.purpose(),
                Set.copyOf(request.tables()),
                plain.filter(),
                request.from(),
                request.until(),
                plain.asOf(),
                plain.limit(),
                plain.minimumSimilarity(),
                plain.sequence(),
                plain.weights(),
                request.explain().orElse(false)));
  }
}
