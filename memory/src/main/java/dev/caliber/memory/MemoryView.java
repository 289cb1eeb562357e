package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Limit;
import dev.caliber.memory.command.NoteQuery;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.Continuation;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteSource;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.PastNote;
import dev.caliber.memory.record.PastSummary;
import dev.caliber.memory.record.PolicyRun;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.ScopeCount;
import dev.caliber.memory.record.Tombstone;
import dev.caliber.memory.record.ToolExchange;
import dev.caliber.memory.record.TraceEvent;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.TrajectoryStatus;
import dev.caliber.memory.record.Turn;
import dev.caliber.store.Page;
import dev.caliber.store.PageCursor;
import dev.caliber.store.Query;
import dev.caliber.store.Row;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Table;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Memory as of one snapshot. Lists come whole or not at all: one that is longer than {@code
 * memory.limits.records} is refused, and has to be asked for in parts.
 */
public final class MemoryView {
  private static final Set<Table<?>> TABLES = Set.copyOf(Memory.tables());

  private final Snapshot snapshot;
  private final int page;
  private final Limit records;

  MemoryView(Snapshot snapshot, MemoryConfig.Limits limits) {
    this.snapshot = snapshot;
    this.page = limits.page();
    this.records = new Limit("memory.limits.records", limits.records());
  }

  public static MemoryView of(Snapshot snapshot, MemoryConfig config) {
    return new MemoryView(snapshot, config.limits());
  }

  public Trajectory trajectory(Id id) {
    return counted(storedTrajectory(id));
  }

  /** As it was last written, which is not with every turn. */
  Trajectory storedTrajectory(Id id) {
    return get(Trajectory.TABLE, EntityType.TRAJECTORY, id);
  }

  private Trajectory counted(Trajectory stored) {
    return newestTurn(stored.id()).map(stored::said).orElse(stored);
  }

  /** A trajectory, if it is there. */
  public Optional<Trajectory> findTrajectory(Id id) {
    return snapshot.find(Trajectory.TABLE, id).map(this::counted);
  }

  /** A page of trajectories, with what their turns have come to. */
  public Page<Trajectory> page(Query<Trajectory> query, int limit) {
    Page<Trajectory> stored = snapshot.scan(query, limit);
    return new Page<>(
        stored.rows().stream()
            .map(row -> new Row<>(counted(row.record()), row.revision()))
            .toList(),
        stored.next());
  }

  /** The turn of a trajectory that was said last, live or not. */
  Optional<Turn> newestTurn(Id trajectory) {
    return first(Query.over(Turn.TABLE, "trajectory", "position").equal(trajectory).descending());
  }

  /** Those of a status; turns aside, least recently touched first. */
  public List<Trajectory> trajectories(TrajectoryStatus status) {
    return counted(all(Query.over(Trajectory.TABLE, "status", "updated_at").equal(status.name())));
  }

  /** Each trajectory that was begun for a part of this one, however many there are. */
  public void eachChild(Id parent, Consumer<Trajectory> work) {
    each(
        Query.over(Trajectory.TABLE, "parent").equal(parent), child -> work.accept(counted(child)));
  }

  /** The same with what their newest turns know. */
  public List<Trajectory> counted(List<Trajectory> stored) {
    return stored.stream().map(this::counted).toList();
  }

  /** The newest trajectory that the caller's own system knows by this name. */
  public Optional<Trajectory> session(String externalId) {
    return first(
            Query.over(Trajectory.TABLE, "external_id", "created_at")
                .equal(externalId)
                .descending())
        .map(this::counted);
  }

  /** All trajectories that the caller's own system knows by this name, newest first. */
  public List<Trajectory> sessions(String externalId) {
    return all(
        Query.over(Trajectory.TABLE, "external_id", "created_at").equal(externalId).descending());
  }

  /** The newest of them that has not ended. */
  public Optional<Trajectory> openSession(String externalId) {
    return first(
            Query.over(Trajectory.TABLE, "external_id", "created_at")
                .equal(externalId)
                .descending()
                .where(trajectory -> !trajectory.status().isTerminal()))
        .map(this::counted);
  }

  public Scope scope(Id id) {
    return get(Scope.TABLE, EntityType.SCOPE, id);
  }

  public List<Scope> scopes(Id trajectory) {
    return all(Query.over(Scope.TABLE, "trajectory", "sequence").equal(trajectory));
  }

  public List<Scope> openScopes(Id trajectory) {
    return all(Query.over(Scope.TABLE, "trajectory", "open_sequence").equal(trajectory));
  }

  /** What one commit of a run of policies is about, and where the next one goes on. */
  record Reach(Optional<Scope> scope, Optional<PageCursor> next) {}

  /** The scope that a run is limited to, or the next one of its trajectory. */
  Reach reach(PolicyRun run) {
    if (run.scope().isPresent()) {
      return new Reach(run.scope().map(this::scope), Optional.empty());
    }
    return run.trajectory()
        .map(id -> reach(run, id))
        .orElseGet(() -> new Reach(Optional.empty(), Optional.empty()));
  }

  private Reach reach(PolicyRun run, Id trajectory) {
    Query<Scope> all = Query.over(Scope.TABLE, "trajectory", "sequence").equal(trajectory);
    Page<Scope> page = snapshot.scan(run.place().map(all::resume).orElse(all), 1);
    return new Reach(
        page.records().stream().filter(scope -> scope.rolledBackAt().isEmpty()).findFirst(),
        page.next());
  }

  /** The open scope with the highest sequence. */
  public Optional<Scope> currentScope(Id trajectory) {
    return first(
        Query.over(Scope.TABLE, "trajectory", "open_sequence").equal(trajectory).descending());
  }

  /** The one that was open at a time: of those that still are, or that were closed since. */
  public Optional<Scope> currentScope(Id trajectory, Instant at) {
    Predicate<Scope> open = scope -> scope.wasOpen(at);
    Optional<Scope> still =
        first(
            Query.over(Scope.TABLE, "trajectory", "open_sequence")
                .equal(trajectory)
                .descending()
                .where(open));
    List<Scope> since =
        all(
            Query.over(Scope.TABLE, "trajectory", "closed_at")
                .equal(trajectory)
                .from(at)
                .where(open));
    return Stream.concat(still.stream(), since.stream())
        .max(Comparator.comparingInt(Scope::sequence));
  }

  /** The scope that was opened last, be it open or closed. */
  public Optional<Scope> lastScope(Id trajectory) {
    return first(Query.over(Scope.TABLE, "trajectory", "sequence").equal(trajectory).descending());
  }

  /** The sequence of the next scope: none is given twice, not even that of one that is gone. */
  int nextScope(Id trajectory) {
    int gone = snapshot.find(ScopeCount.TABLE, trajectory).map(ScopeCount::scopes).orElse(0);
    return Math.max(gone, lastScope(trajectory).map(Scope::sequence).orElse(-1) + 1);
  }

  /** The newest scopes that stand and are told of, at most so many, by sequence. */
  List<Scope> newestTold(Id trajectory, int limit) {
    return upTo(
            Query.over(Scope.TABLE, "trajectory", "sequence")
                .equal(trajectory)
                .descending()
                .where(MemoryView::isTold),
            limit)
        .reversed();
  }

  private static boolean isTold(Scope scope) {
    return scope.rolledBackAt().isEmpty()
        && scope.summary().filter(told -> !told.isPlaceholder()).isPresent();
  }

  /** Scopes that have been open since before the cutoff. */
  public List<Scope> openSince(Instant cutoff, int limit) {
    return upTo(Query.over(Scope.TABLE, "open_since").until(cutoff), limit);
  }

  public long countScopes(Id trajectory) {
    return snapshot.count(Query.over(Scope.TABLE, "trajectory", "sequence").equal(trajectory));
  }

  public Turn turn(Id id) {
    return get(Turn.TABLE, EntityType.TURN, id);
  }

  /** All turns of a scope by sequence, those out of the live set included. */
  public List<Turn> turns(Id scope) {
    return all(Query.over(Turn.TABLE, "scope", "sequence").equal(scope));
  }

  /** The last turns of a scope, at most so many, by sequence. */
  public List<Turn> lastTurns(Id scope, int limit) {
    return upTo(Query.over(Turn.TABLE, "scope", "sequence").equal(scope).descending(), limit)
        .reversed();
  }

  /** The turns of a trajectory by position, from one position to before another. */
  public List<Turn> turns(Id trajectory, int from, int until) {
    return all(
        Query.over(Turn.TABLE, "trajectory", "position")
            .equal(trajectory)
            .from((long) from)
            .until((long) until));
  }

  /** How many turns a scope has had, those that are gone included. */
  public int turnsSaid(Scope scope) {
    int last = lastTurns(scope.id(), 1).stream().mapToInt(Turn::sequence).findFirst().orElse(-1);
    return Math.max(scope.turns(), last + 1);
  }

  public long countTurns(Id scope) {
    return snapshot.count(Query.over(Turn.TABLE, "scope", "sequence").equal(scope));
  }

  /** The turn that the caller's own system knows by this name. */
  public Optional<Turn> turn(Id trajectory, String externalId) {
    return first(Query.over(Turn.TABLE, "trajectory", "external_id").equal(trajectory, externalId));
  }

  public Optional<ToolExchange> toolExchange(Id trajectory, String call) {
    return snapshot.find(ToolExchange.TABLE, ToolExchange.idOf(trajectory, call));
  }

  /** Calls that wait for their result. */
  public List<ToolExchange> openCalls(Id trajectory) {
    return all(Query.over(ToolExchange.TABLE, "open_in").equal(trajectory));
  }

  public Artifact artifact(Id id) {
    return get(Artifact.TABLE, EntityType.ARTIFACT, id);
  }

  public List<Artifact> artifacts(Id trajectory) {
    return all(Query.over(Artifact.TABLE, "trajectory", "type", "created_at").equal(trajectory));
  }

  public List<Artifact> artifacts(Id trajectory, ArtifactType type) {
    return all(
        Query.over(Artifact.TABLE, "trajectory", "type", "created_at")
            .equal(trajectory, type.name()));
  }

  /** A page of the artifacts of a trajectory, by type and time. */
  public Page<Artifact> artifacts(Id trajectory, Optional<PageCursor> place) {
    Query<Artifact> all =
        Query.over(Artifact.TABLE, "trajectory", "type", "created_at").equal(trajectory);
    return snapshot.scan(place.map(all::resume).orElse(all), page);
  }

  /** Each artifact of a trajectory by type and time, however many there are. */
  public void eachArtifact(Id trajectory, Consumer<Artifact> work) {
    each(Query.over(Artifact.TABLE, "trajectory", "type", "created_at").equal(trajectory), work);
  }

  /** The same of one type. */
  public void eachArtifact(Id trajectory, ArtifactType type, Consumer<Artifact> work) {
    each(
        Query.over(Artifact.TABLE, "trajectory", "type", "created_at")
            .equal(trajectory, type.name()),
        work);
  }

  public List<Artifact> artifactsOfScope(Id scope) {
    return all(Query.over(Artifact.TABLE, "scope").equal(scope));
  }

  public long countArtifacts(Id trajectory) {
    return snapshot.count(
        Query.over(Artifact.TABLE, "trajectory", "type", "created_at").equal(trajectory));
  }

  /** What the newest artifacts are that outlive their task, at most so many, oldest first. */
  List<Artifact> lastKept(Id trajectory, Instant at, int limit) {
    return upTo(kept(trajectory).descending().where(made -> made.isLive(at)), limit).reversed();
  }

  /** How many there are, those included that have ended of age and wait for clean-up. */
  long countKept(Id trajectory) {
    return snapshot.count(kept(trajectory));
  }

  private static Query<Artifact> kept(Id trajectory) {
    return standing(trajectory, false);
  }

  private static Query<Artifact> standing(Id trajectory, boolean bound) {
    return Query.over(Artifact.TABLE, "standing_in", "bound", "created_at")
        .equal(trajectory, bound);
  }

  /** The newest live artifacts, whatever they outlive, at most so many, newest first. */
  List<Artifact> newestStanding(Id trajectory, Instant at, int limit) {
    return Stream.of(true, false)
        .map(bound -> standing(trajectory, bound).descending().where(made -> made.isLive(at)))
        .flatMap(made -> upTo(made, limit).stream())
        .sorted(Comparator.comparing(Artifact::createdAt).thenComparing(Artifact::id).reversed())
        .limit(limit)
        .toList();
  }

  /** How many there are, those included that have ended of age and wait for clean-up. */
  long countStanding(Id trajectory) {
    return snapshot.count(standing(trajectory, true)) + snapshot.count(standing(trajectory, false));
  }

  /** The artifact of this trajectory with this content that is not superseded. */
  public Optional<Artifact> artifactByHash(Id trajectory, String hash) {
    return first(Query.over(Artifact.TABLE, "trajectory", "live_hash").equal(trajectory, hash));
  }

  /** The artifacts whose place this one took. */
  public List<Artifact> superseded(Id artifact) {
    return all(Query.over(Artifact.TABLE, "superseded_by").equal(artifact));
  }

  /**
   * The last of the chain that begins with this artifact: itself if nothing took its place, or if
   * that was removed.
   */
  public Artifact newest(Id artifact) {
    Artifact found = artifact(artifact);
    Optional<Artifact> next = successor(found);
    for (int steps = 0; next.isPresent(); steps++) {
      records.check(steps);
      found = next.get();
      next = successor(found);
    }
    return found;
  }

  /** What took its place, unless that is gone. */
  private Optional<Artifact> successor(Artifact artifact) {
    return artifact.supersededBy().flatMap(id -> snapshot.find(Artifact.TABLE, id));
  }

  public Note note(Id id) {
    return get(Note.TABLE, EntityType.NOTE, id);
  }

  /** All notes about something, believed or not. */
  public List<Note> notes(String entity, String entityType) {
    return all(Query.over(Note.TABLE, "entity", "entity_type").equal(entity, entityType));
  }

  /** The notes about something that are believed. */
  public List<Note> believed(String entity, String entityType, NoteType type) {
    return all(
        Query.over(Note.TABLE, "live_entity", "entity_type", "type")
            .equal(entity, entityType, type.name()));
  }

  /** The newest of them for one subject, or for none, at most so many, newest first. */
  List<Note> newestBelieved(
      String entity, String entityType, NoteType type, Optional<String> subject, int limit) {
    return upTo(
        Query.over(Note.TABLE, "live_entity", "entity_type", "type", "live_subject")
            .equal(entity, entityType, type.name(), Note.ownerOf(subject))
            .descending(),
        limit);
  }

  /** The believed notes that say this, but for marks: at most so many, newest first. */
  List<Note> saying(WriteNote wanted, int limit) {
    String saying =
        Note.sayingOf(
            wanted.entity(),
            wanted.entityType(),
            wanted.type(),
            wanted.labels().subject(),
            wanted.content());
    return upTo(Query.over(Note.TABLE, "live_saying").equal(saying).descending(), limit);
  }

  /** A page of the notes that are asked for, newest first. */
  public Page<Note> page(NoteQuery wanted, Optional<PageCursor> place, int limit) {
    return new NoteList(this, wanted).page(place, limit);
  }

  /** All notes that are asked for, newest first. */
  public List<Note> notes(NoteQuery wanted) {
    List<Note> found = new ArrayList<>();
    Page<Note> part = page(wanted, Optional.empty(), page);
    found.addAll(part.records());
    while (part.next().isPresent()) {
      part = page(wanted, part.next(), page);
      found.addAll(part.records());
      records.check(found.size());
    }
    return List.copyOf(found);
  }

  /** A note as it was believed at a time, with what was known of it then. */
  public Optional<Note> asOf(Note note, Instant recorded) {
    return version(note, recorded)
        .filter(then -> then.wasBelieved(recorded))
        .map(then -> then.stillBelieved(conflictsThen(then, recorded)));
  }

  /** The version that was the newest at a time, believed or not. */
  private Optional<Note> version(Note note, Instant at) {
    if (!note.recordedAt().isAfter(at)) {
      return Optional.of(note);
    }
    return first(versions(note.id()).where(past -> past.wasNewest(at))).map(PastNote::note);
  }

  /** A link is known since the later of two versions that have it. */
  private List<Id> conflictsThen(Note note, Instant at) {
    return note.conflictsWith().stream()
        .filter(
            id ->
                snapshot
                    .find(Note.TABLE, id)
                    .flatMap(other -> version(other, at))
                    .filter(other -> other.conflictsWith().contains(note.id()))
                    .isPresent())
        .toList();
  }

  /** Earlier versions of a note, oldest first. */
  public List<PastNote> history(Id note) {
    return all(versions(note));
  }

  private static Query<PastNote> versions(Id note) {
    return Query.over(PastNote.TABLE, "note", "version").equal(note);
  }

  /** A trajectory as it was told at a time. */
  public Trajectory asOf(Trajectory trajectory, Instant at) {
    return toldAt(trajectory.id(), at)
        .map(past -> trajectory.told(past.summary()))
        .orElse(trajectory);
  }

  /** A scope as it was told at a time. */
  public Scope asOf(Scope scope, Instant at) {
    return toldAt(scope.id(), at).map(past -> scope.told(past.summary())).orElse(scope);
  }

  private Optional<PastSummary> toldAt(Id about, Instant at) {
    return first(
        Query.over(PastSummary.TABLE, "about", "until")
            .equal(about)
            .from(at)
            .where(past -> past.until().isAfter(at)));
  }

  /** What was told of a scope or trajectory before its summary of today, oldest first. */
  public List<PastSummary> toldBefore(Id about) {
    return toldBefore(about, Integer.MAX_VALUE);
  }

  /** The oldest of them, at most so many. */
  List<PastSummary> toldBefore(Id about, int limit) {
    return upTo(past(about), limit);
  }

  long countToldBefore(Id about) {
    return snapshot.count(past(about));
  }

  private static Query<PastSummary> past(Id about) {
    return Query.over(PastSummary.TABLE, "about", "until").equal(about);
  }

  /** Newest first. */
  public List<Checkpoint> checkpoints(Id trajectory) {
    return all(
        Query.over(Checkpoint.TABLE, "trajectory", "created_at").equal(trajectory).descending());
  }

  public Optional<Checkpoint> latestCheckpoint(Id trajectory) {
    return first(
        Query.over(Checkpoint.TABLE, "trajectory", "created_at").equal(trajectory).descending());
  }

  public Checkpoint checkpoint(Id id) {
    return get(Checkpoint.TABLE, EntityType.CHECKPOINT, id);
  }

  /** What a scope goes on from that begins at this checkpoint; nothing if no scope was open. */
  Optional<Continuation> continuation(Checkpoint from) {
    return from.activeScope()
        .flatMap(
            active ->
                first(
                    Query.over(Scope.TABLE, "trajectory", "sequence")
                        .equal(from.trajectory(), (long) active)))
        .map(
            scope ->
                new Continuation(scope.trajectory(), scope.id(), from.turns(), from.createdAt()));
  }

  /** The last turns that a continuation goes on from, at most so many, by sequence. */
  List<Turn> turnsBefore(Continuation from, int limit) {
    return upTo(
            Query.over(Turn.TABLE, "scope", "sequence")
                .equal(from.scope())
                .descending()
                .where(turn -> turn.position() < from.before() && turn.wasLive(from.at())),
            limit)
        .reversed();
  }

  /** What happened to a trajectory, newest first. */
  public List<TraceEvent> trace(Id trajectory, int limit) {
    return upTo(Query.over(TraceEvent.TABLE, "trajectory").equal(trajectory).descending(), limit);
  }

  /** What happened to a trajectory, newest first, as far as it is kept and a list may hold it. */
  public Newest<TraceEvent> newestTrace(Id trajectory) {
    int most = (int) records.max();
    List<TraceEvent> found = trace(trajectory, most + 1);
    return new Newest<>(found.subList(0, Math.min(most, found.size())), found.size() > most);
  }

  /** What happened of one type, newest first. */
  public List<TraceEvent> trace(String type, int limit) {
    return upTo(Query.over(TraceEvent.TABLE, "type").equal(type).descending(), limit);
  }

  public Optional<Tombstone> tombstone(Id id) {
    return snapshot.find(Tombstone.TABLE, id);
  }

  /** The notes that this trajectory has contributed to. */
  public List<Note> notesLearnedIn(Id trajectory) {
    return all(taughtIn(trajectory)).stream()
        .flatMap(source -> snapshot.find(Note.TABLE, source.note()).stream())
        .toList();
  }

  /** Each of them, however many there are. */
  public void eachLearnedIn(Id trajectory, Consumer<Note> work) {
    each(taughtIn(trajectory), source -> snapshot.find(Note.TABLE, source.note()).ifPresent(work));
  }

  /** The newest of them that pass, at most so many, newest first. */
  List<Note> learnedIn(Id trajectory, Predicate<Note> passes, int limit) {
    List<Note> found = new ArrayList<>();
    Query<NoteSource> sources = taughtIn(trajectory).descending();
    Page<NoteSource> part = snapshot.scan(sources, page);
    taught(part, passes).forEach(found::add);
    while (part.next().isPresent() && found.size() < limit) {
      part = snapshot.scan(sources.resume(part.next().get()), page);
      taught(part, passes).forEach(found::add);
    }
    return found.stream().limit(limit).toList();
  }

  /** The ids of the newest of them, at most so many, oldest first. */
  List<Id> lastLearnedIn(Id trajectory, int limit) {
    return upTo(taughtIn(trajectory).descending(), limit).reversed().stream()
        .map(NoteSource::note)
        .toList();
  }

  private static Query<NoteSource> taughtIn(Id trajectory) {
    return Query.over(NoteSource.TABLE, "trajectory", "note").equal(trajectory);
  }

  private Stream<Note> taught(Page<NoteSource> sources, Predicate<Note> passes) {
    List<Id> notes = sources.records().stream().map(NoteSource::note).toList();
    return snapshot.findAll(Note.TABLE, notes).values().stream().filter(passes);
  }

  public long countNotes(Id trajectory) {
    return snapshot.count(taughtIn(trajectory));
  }

  /** A record of memory, if it is there. */
  public <T> Optional<T> find(Table<T> table, Id id) {
    if (!TABLES.contains(table)) {
      throw new IllegalArgumentException("not a table of memory: " + table.name());
    }
    return snapshot.find(table, id);
  }

  /** Another artifact with the same content, if one is live at the time. */
  public Optional<Artifact> twinOf(Artifact made, Instant at) {
    Query<Artifact> twins =
        Query.over(Artifact.TABLE, "content_hash")
            .equal(made.contentHash())
            .where(other -> !other.id().equals(made.id()) && other.isLive(at));
    return snapshot.scan(twins, 1).records().stream().findFirst();
  }

  /** Everything that a record says or has said in words; nothing if it is not there. */
  List<String> wordings(EntityRef record) {
    return switch (record.type()) {
      case TURN -> snapshot.find(Turn.TABLE, record.id()).map(Turn::words).stream().toList();
      case ARTIFACT ->
          snapshot.find(Artifact.TABLE, record.id()).stream()
              .flatMap(artifact -> artifact.content().text().stream())
              .toList();
      case NOTE -> snapshot.find(Note.TABLE, record.id()).map(this::wordings).orElse(List.of());
      case TRAJECTORY, SCOPE, AGENT, CHECKPOINT, WINDOW, SUBJECT -> List.of();
    };
  }

  private List<String> wordings(Note note) {
    List<String> all = new ArrayList<>();
    history(note.id()).forEach(past -> all.add(past.note().content()));
    all.add(note.content());
    return all;
  }

  <T> Optional<T> first(Query<T> query) {
    return snapshot.first(query);
  }

  /** Everything, or an error that names the limit. */
  <T> List<T> all(Query<T> query) {
    List<T> found = upTo(query, (int) records.max() + 1);
    records.check(found.size());
    return found;
  }

  /** The first ones, at most so many. */
  public <T> List<T> upTo(Query<T> query, int limit) {
    List<T> found = new ArrayList<>();
    Page<T> part = snapshot.scan(query, Math.min(limit, page));
    found.addAll(part.records());
    while (part.next().isPresent() && found.size() < limit) {
      int rest = Math.min(limit - found.size(), page);
      part = snapshot.scan(query.resume(part.next().get()), rest);
      found.addAll(part.records());
    }
    return List.copyOf(found);
  }

  /** All of them, page by page: for work that keeps none. */
  <T> void each(Query<T> query, Consumer<T> work) {
    Page<T> part = snapshot.scan(query, page);
    part.records().forEach(work);
    while (part.next().isPresent()) {
      part = snapshot.scan(query.resume(part.next().get()), page);
      part.records().forEach(work);
    }
  }

  Snapshot snapshot() {
    return snapshot;
  }

  private <T> T get(Table<T> table, EntityType type, Id id) {
    return snapshot.find(table, id).orElseThrow(() -> MemoryException.unknown(type, id));
  }
}
