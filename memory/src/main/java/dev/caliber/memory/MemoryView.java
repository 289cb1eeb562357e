package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Limit;
import dev.caliber.memory.command.NoteQuery;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.PastNote;
import dev.caliber.memory.record.PastSummary;
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
    return first(known(externalId)).map(this::counted);
  }

  /** All trajectories that the caller's own system knows by this name, newest first. */
  public List<Trajectory> sessions(String externalId) {
    return all(known(externalId));
  }

  /** The newest of them that has not ended. */
  public Optional<Trajectory> openSession(String externalId) {
    return first(known(externalId).where(trajectory -> !trajectory.status().isTerminal()))
        .map(this::counted);
  }

  private static Query<Trajectory> known(String externalId) {
    return Query.over(Trajectory.TABLE, "external_id", "created_at").equal(externalId).descending();
  }

  public Scope scope(Id id) {
    return get(Scope.TABLE, EntityType.SCOPE, id);
  }

  public List<Scope> scopes(Id trajectory) {
    return all(scopesOf(trajectory));
  }

  public List<Scope> openScopes(Id trajectory) {
    return all(openIn(trajectory));
  }

  /** The open scope with the highest sequence. */
  public Optional<Scope> currentScope(Id trajectory) {
    return first(openIn(trajectory).descending());
  }

  /** The one that was open at a time: of those that still are, or that were closed since. */
  public Optional<Scope> currentScope(Id trajectory, Instant at) {
    Predicate<Scope> open = scope -> scope.wasOpen(at);
    Optional<Scope> still = first(openIn(trajectory).descending().where(open));
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
    return first(scopesOf(trajectory).descending());
  }

  /** The sequence of the next scope: none is given twice, not even that of one that is gone. */
  int nextScope(Id trajectory) {
    int gone = snapshot.find(ScopeCount.TABLE, trajectory).map(ScopeCount::scopes).orElse(0);
    return Math.max(gone, lastScope(trajectory).map(Scope::sequence).orElse(-1) + 1);
  }

  public long countScopes(Id trajectory) {
    return snapshot.count(scopesOf(trajectory));
  }

  private static Query<Scope> scopesOf(Id trajectory) {
    return Query.over(Scope.TABLE, "trajectory", "sequence").equal(trajectory);
  }

  private static Query<Scope> openIn(Id trajectory) {
    return Query.over(Scope.TABLE, "trajectory", "open_sequence").equal(trajectory);
  }

  public Turn turn(Id id) {
    return get(Turn.TABLE, EntityType.TURN, id);
  }

  /** All turns of a scope by sequence, those out of the live set included. */
  public List<Turn> turns(Id scope) {
    return all(turnsOf(scope));
  }

  /** The last turns of a scope, at most so many, by sequence. */
  public List<Turn> lastTurns(Id scope, int limit) {
    return upTo(turnsOf(scope).descending(), limit).reversed();
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
    return snapshot.count(turnsOf(scope));
  }

  private static Query<Turn> turnsOf(Id scope) {
    return Query.over(Turn.TABLE, "scope", "sequence").equal(scope);
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
    return all(artifactsOf(trajectory));
  }

  public List<Artifact> artifacts(Id trajectory, ArtifactType type) {
    return all(artifactsOf(trajectory, type));
  }

  /** A page of the artifacts of a trajectory, by type and time. */
  public Page<Artifact> artifacts(Id trajectory, Optional<PageCursor> place) {
    Query<Artifact> all = artifactsOf(trajectory);
    return snapshot.scan(place.map(all::resume).orElse(all), page);
  }

  /** Each artifact of a trajectory by type and time, however many there are. */
  public void eachArtifact(Id trajectory, Consumer<Artifact> work) {
    each(artifactsOf(trajectory), work);
  }

  /** The same of one type. */
  public void eachArtifact(Id trajectory, ArtifactType type, Consumer<Artifact> work) {
    each(artifactsOf(trajectory, type), work);
  }

  public List<Artifact> artifactsOfScope(Id scope) {
    return all(Query.over(Artifact.TABLE, "scope").equal(scope));
  }

  public long countArtifacts(Id trajectory) {
    return snapshot.count(artifactsOf(trajectory));
  }

  private static Query<Artifact> artifactsOf(Id trajectory) {
    return Query.over(Artifact.TABLE, "trajectory", "type", "created_at").equal(trajectory);
  }

  private static Query<Artifact> artifactsOf(Id trajectory, ArtifactType type) {
    return Query.over(Artifact.TABLE, "trajectory", "type", "created_at")
        .equal(trajectory, type.name());
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
    return new NoteVersions(this).believed(note, recorded);
  }

  /** Earlier versions of a note, oldest first. */
  public List<PastNote> history(Id note) {
    return new NoteVersions(this).before(note);
  }

  /** The notes that this trajectory has contributed to. */
  public List<Note> notesLearnedIn(Id trajectory) {
    return new Learned(this, trajectory).all();
  }

  /** Each of them, however many there are. */
  public void eachLearnedIn(Id trajectory, Consumer<Note> work) {
    new Learned(this, trajectory).each(work);
  }

  public long countNotes(Id trajectory) {
    return new Learned(this, trajectory).count();
  }

  /** A trajectory as it was told at a time. */
  public Trajectory asOf(Trajectory trajectory, Instant at) {
    return new Told(this, trajectory.id())
        .at(at)
        .map(past -> trajectory.told(past.summary()))
        .orElse(trajectory);
  }

  /** A scope as it was told at a time. */
  public Scope asOf(Scope scope, Instant at) {
    return new Told(this, scope.id()).at(at).map(past -> scope.told(past.summary())).orElse(scope);
  }

  /** What was told of a scope or trajectory before its summary of today, oldest first. */
  public List<PastSummary> toldBefore(Id about) {
    return new Told(this, about).before(Integer.MAX_VALUE);
  }

  /** Newest first. */
  public List<Checkpoint> checkpoints(Id trajectory) {
    return all(
        Query.over(Checkpoint.TABLE, "trajectory", "created_at").equal(trajectory).descending());
  }

  public Checkpoint checkpoint(Id id) {
    return get(Checkpoint.TABLE, EntityType.CHECKPOINT, id);
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

  /** How many records are read at once. */
  int page() {
    return page;
  }

  private <T> T get(Table<T> table, EntityType type, Id id) {
    return snapshot.find(table, id).orElseThrow(() -> MemoryException.unknown(type, id));
  }
}
