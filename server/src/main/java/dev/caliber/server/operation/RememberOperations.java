package dev.caliber.server.operation;

import dev.caliber.agents.FencedStore;
import dev.caliber.agents.Needs;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.Limit;
import dev.caliber.memory.MemoryView;
import dev.caliber.memory.command.Appended;
import dev.caliber.memory.command.Forget;
import dev.caliber.memory.command.Forgotten;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.RecallFilter;
import dev.caliber.memory.command.RecallQuery;
import dev.caliber.memory.command.Recollection;
import dev.caliber.memory.command.Remember;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.MemoryKind;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Part;
import dev.caliber.memory.record.Role;
import dev.caliber.memory.record.SubjectScope;
import dev.caliber.memory.record.Texts;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.server.settings.ServerConfig;
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

/** To remember, to recall, to forget: all that most agents need. */
final class RememberOperations {

  private final Rooms rooms;
  private final int hits;

  private RememberOperations(Rooms rooms, int hits) {
    this.rooms = rooms;
    this.hits = hits;
  }

  static List<Operation<?, ?>> of(Rooms rooms, ServerConfig.Limits limits) {
    RememberOperations here = new RememberOperations(rooms, limits.hits());
    return List.of(
        Operation.writing(
                "remember",
                "Remembers a sentence as a note; with a session, as a turn of that session, and notes"
                    + " what a user states in it.",
                Remembering.class,
                here.new Remembers())
            .forAgents(Remembering::needs)
            .forSubjects(SubjectRule.saying("")),
        Operation.reading(
                "recall",
                "Finds notes, turns and artifacts that answer a question, by words and by meaning.",
                Recall.class,
                here::recall)
            .forAgents(Recall::needs)
            .forSubjects(SubjectRule.reading()),
        Operation.lasting(
                "forget",
                "Removes memories for good, with what quotes them; or shows what would go.",
                Forgetting.class,
                here::forget)
            .forAgents(Needs.EVERYTHING)
            .forSubjects(SubjectRule.reading()),
        Operation.reading(
                "search",
                "Asks the search index, and says how each score came about.",
                Search.class,
                here::search)
            .forAgents(Search::needs));
  }

  /** Something to remember. */
  record Remembering(
      String text,
      Optional<String> subject,
      Optional<String> about,
      Optional<NoteType> type,
      Optional<String> session,
      Optional<Role> role) {
    Needs needs() {
      return session.isPresent()
          ? Needs.writing(MemoryKind.TRAJECTORY, MemoryKind.SCOPE, MemoryKind.TURN)
          : Needs.writing(MemoryKind.NOTE);
    }
  }

  /** A note that cannot be true together with another. */
  record Against(Id id, String text) {}

  /**
   * Either a note or a turn.
   *
   * @param notes what the user states in the turn; a model may add to them later
   */
  record Remembered(
      Optional<Note> note, Optional<Turn> turn, List<Note> notes, List<Against> conflicts) {}

  /** A model may have its say about a note before the commit. */
  private final class Remembers implements Operation.Change<Remembering, Remembered> {
    @Override
    public Remembered apply(Transaction transaction, Caller caller, Remembering wish) {
      return wish.session().isPresent()
          ? append(transaction, caller, wish, wish.session().get())
          : written(transaction, caller, wish, rooms.memory().remember(transaction, note(wish)));
    }

    @Override
    public Operation.Change<Remembering, Remembered> prepared(Caller caller, Remembering wish) {
      if (wish.session().isPresent()) {
        return this;
      }
      Function<Transaction, Note> ready = rooms.memory().prepare(caller.space(), note(wish));
      return (transaction, _, _) -> written(transaction, caller, wish, ready.apply(transaction));
    }

    @Override
    public boolean isCostly(Remembering wish) {
      return rooms.asking() && wish.session().isEmpty();
    }
  }

  private Remembered append(
      Transaction transaction, Caller caller, Remembering wish, String session) {
    if (wish.about().isPresent() || wish.type().isPresent()) {
      throw ServerException.invalidInput(
          "/session", "Wanted a note or a turn: about and type are for notes, session for turns");
    }
    Labels labels = wish.subject().map(Labels::ofSubject).orElse(Labels.none());
    NewTurn turn = NewTurn.of(wish.role().orElse(Role.USER), Part.text(wish.text()));
    Appended said = rooms.memory().remember(transaction, session, List.of(turn.labelled(labels)));
    List<Note> notes =
        new OwnWords(rooms.agents()).reads(transaction, caller) ? said.notes() : List.of();
    return new Remembered(Optional.empty(), Optional.of(said.first()), notes, List.of());
  }

  private static Remember note(Remembering wish) {
    if (wish.role().isPresent()) {
      throw ServerException.invalidInput("/role", "Wanted a session beside a role, found none");
    }
    return new Remember(wish.text(), wish.subject(), wish.about(), wish.type());
  }

  /** Whoever may not read notes is not told what others say. */
  private Remembered written(Transaction transaction, Caller caller, Remembering wish, Note note) {
    OwnWords words = new OwnWords(rooms.agents());
    if (!words.reads(transaction, caller)) {
      WriteNote said = WriteNote.of(note.entity(), note.entityType(), note.type(), wish.text());
      Labels labels = wish.subject().map(Labels::ofSubject).orElse(Labels.none());
      Note own = words.of(note, said.labelled(labels));
      return new Remembered(Optional.of(own), Optional.empty(), List.of(), List.of());
    }
    MemoryView view = MemoryView.of(transaction, rooms.memoryConfig());
    List<Against> conflicts =
        note.conflictsWith().stream().map(id -> new Against(id, view.note(id).content())).toList();
    return new Remembered(Optional.of(note), Optional.empty(), List.of(), conflicts);
  }

  /** A question. */
  record Recall(
      String query,
      Optional<Integer> limit,
      Optional<Integer> maxTokens,
      Optional<Instant> asOf,
      Optional<String> subject,
      Optional<String> about,
      Optional<String> session,
      Optional<List<String>> types,
      Optional<Map<String, Object>> metadata,
      Optional<Instant> createdFrom,
      Optional<Instant> createdUntil,
      Optional<String> externalId,
      Optional<List<String>> subjects,
      Optional<Double> minSimilarity) {
    /** The subject decides what is visible, and does not narrow the answer to its own records. */
    Filters.Wanted filter() {
      return new Filters.Wanted(
          Optional.empty(), externalId, about, session, types, metadata, createdFrom, createdUntil);
    }

    Needs needs() {
      return Needs.of(Filters.among(about, types.orElse(List.of())));
    }
  }

  /**
   * What was found.
   *
   * @param method by words, by words and meaning, or by reading
   * @param omitted how many hits did not fit into the tokens asked for
   * @param partial whether older records were left unread
   * @param unembedded how many records could be compared by their words only
   */
  record Recalled(
      String method,
      int tokens,
      int omitted,
      List<Recollection.Hit> hits,
      boolean partial,
      long unembedded) {}

  private Recalled recall(Caller caller, Recall wish) {
    RecallQuery query =
        new RecallQuery(
            wish.query(),
            wish.limit().orElse(hits),
            wish.maxTokens(),
            Filters.of(wish.filter(), rooms.memory(), caller),
            wish.asOf(),
            wish.minSimilarity(),
            visible(caller, wish));
    Recollection found = rooms.memory().recall(caller.space(), query);
    return new Recalled(
        found.told(rooms.hasMeaning()),
        found.tokens(),
        found.omitted(),
        found.hits(),
        found.partial(),
        found.unembedded());
  }

  /**
   * The subjects that the call names, beside the one of its session; without any, all that its
   * caller sees.
   */
  private SubjectScope visible(Caller caller, Recall wish) {
    if (caller.subject().isPresent()) {
      return caller.scope();
    }
    Optional<List<String>> named =
        wish.subjects().map(names -> union(names, subjectsOf(caller, wish.session())));
    return NamedSubjects.of(wish.subject(), named).orElse(SubjectScope.every());
  }

  private static List<String> union(List<String> one, List<String> other) {
    return Stream.concat(one.stream(), other.stream()).toList();
  }

  private List<String> subjectsOf(Caller caller, Optional<String> session) {
    return session
        .map(name -> rooms.memory().view(caller.space(), view -> view.sessions(name)))
        .orElse(List.of())
        .stream()
        .flatMap(found -> found.labels().subject().stream())
        .toList();
  }

  /** What to forget: one record, or all that fit. */
  record Forgetting(
      Optional<Id> id,
      Optional<String> subject,
      Optional<String> about,
      Optional<String> session,
      Optional<List<String>> types,
      Optional<Map<String, Object>> metadata,
      Optional<Boolean> dryRun,
      Optional<String> reason,
      Optional<String> externalId) {
    Filters.Wanted filter(Optional<String> whose) {
      return new Filters.Wanted(
          whose, externalId, about, session, types, metadata, Optional.empty(), Optional.empty());
    }
  }

  private Forgotten forget(Caller caller, Forgetting wish) {
    Optional<String> subject =
        wish.subject().or(() -> caller.subject().filter(_ -> wish.id().isEmpty()));
    RecallFilter filter = Filters.of(wish.filter(subject), rooms.memory(), caller);
    boolean everything = filter.equals(RecallFilter.any());
    Forget command =
        new Forget(
            wish.id(),
            everything ? Optional.empty() : Optional.of(filter),
            wish.dryRun().orElse(false),
            wish.reason().orElse(""));
    return caller.subject().isEmpty()
        ? rooms.memory().forget(caller.space(), command)
        : forgetOwn(caller, command);
  }

  /**
   * Quotes of a forgotten record are removed wherever they are, windows of others included: so it
   * runs with the records of every subject, and each of its commits finds the record still the
   * caller's own, or gone.
   */
  private Forgotten forgetOwn(Caller caller, Forget command) {
    Supplier<Forgotten> work = () -> rooms.memory().forget(caller.space(), command);
    if (command.id().isEmpty()) {
      return SubjectScopedStore.freely(work);
    }
    Id id = command.id().get();
    boolean own =
        rooms.store().read(caller.space(), snapshot -> labels(snapshot, id).anyMatch(caller::owns));
    return own
        ? SubjectScopedStore.freely(
            () ->
                FencedStore.during(
                    caller.space(), transaction -> requireOwn(transaction, caller, id), work))
        : work.get();
  }

  private static void requireOwn(Snapshot all, Caller caller, Id id) {
    if (!labels(all, id).allMatch(caller::owns)) {
      throw ServerException.sharedRecord("record", id.toString());
    }
  }

  private static Stream<Labels> labels(Snapshot snapshot, Id id) {
    return Stream.of(
            snapshot.find(Note.TABLE, id).map(Note::labels),
            snapshot.find(Turn.TABLE, id).map(Turn::labels),
            snapshot.find(Artifact.TABLE, id).map(Artifact::labels),
            snapshot.find(Trajectory.TABLE, id).map(Trajectory::labels))
        .flatMap(Optional::stream);
  }

  /** A question to the index itself. */
  record Search(
      String query,
      Optional<Integer> limit,
      Optional<List<String>> tables,
      Optional<Instant> from,
      Optional<Instant> until,
      Optional<Boolean> explain) {
    /** What is no kind of memory quotes any of them. */
    Needs needs() {
      Set<String> named = Set.copyOf(tables.orElse(List.of()));
      Map<String, MemoryKind> kinds =
          Stream.of(MemoryKind.values())
              .collect(
                  Collectors.toMap(kind -> kind.name().toLowerCase(Locale.ROOT), kind -> kind));
      return !named.isEmpty() && kinds.keySet().containsAll(named)
          ? Needs.reading(named.stream().map(kinds::get).toArray(MemoryKind[]::new))
          : Needs.reading(MemoryKind.values());
    }
  }

  private SearchResult search(Caller caller, Search wish) {
    new Limit("memory.limits.text", rooms.memoryConfig().limits().text().bytes())
        .check("query", Texts.bytes(wish.query()));
    SearchQuery plain =
        SearchQuery.of(caller.space(), wish.query(), wish.limit().orElse(hits))
            .after(rooms.store().changes().head(caller.space()).sequence());
    return rooms
        .index()
        .search(
            new SearchQuery(
                plain.space(),
                plain.text(),
                plain.vector(),
                plain.purpose(),
                Set.copyOf(wish.tables().orElse(List.of())),
                plain.filter(),
                wish.from(),
                wish.until(),
                plain.asOf(),
                plain.limit(),
                plain.minimumSimilarity(),
                plain.sequence(),
                plain.weights(),
                wish.explain().orElse(false)));
  }
}
