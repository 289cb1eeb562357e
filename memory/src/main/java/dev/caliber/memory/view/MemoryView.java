package dev.caliber.memory.view;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Limit;
import dev.caliber.memory.command.NoteQuery;
import dev.caliber.memory.event.Notice;
import dev.caliber.memory.event.TraceEvent;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.MemoryInjection;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.PastNote;
import dev.caliber.memory.record.PastSummary;
import dev.caliber.memory.record.PolicyRun;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.ScopeCount;
import dev.caliber.memory.record.Tombstone;
import dev.caliber.memory.record.ToolExchange;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.TrajectoryNoteLink;
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
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Read access to memory as of one snapshot. A list that is longer than {@code memory.limits.list}
 * is refused, not truncated; read it in pages.
 */
public final class MemoryView {
  /** The tables that memory needs. */
  public static final List<Table<?>> TABLES =
      List.of(
          Trajectory.TABLE,
          Scope.TABLE,
          ScopeCount.TABLE,
          PastSummary.TABLE,
          Turn.TABLE,
          ToolExchange.TABLE,
          Artifact.TABLE,
          Note.TABLE,
          PastNote.TABLE,
          TrajectoryNoteLink.TABLE,
          Checkpoint.TABLE,
          TraceEvent.TABLE,
          Notice.TABLE,
          Tombstone.TABLE,
          ForgetRequest.TABLE,
          PolicyRun.TABLE,
          MemoryInjection.TABLE,
          ScanProgress.TABLE);

  private final Snapshot snapshot;
  private final int page;
  private final Limit records;

  public MemoryView(Snapshot snapshot, MemoryConfig.MemoryLimits memoryLimits) {
    this.snapshot = snapshot;
    this.page = memoryLimits.pageSize();
    this.records = new Limit("memory.limits.list", memoryLimits.list());
  }

  public static MemoryView of(Snapshot snapshot, MemoryConfig config) {
    return new MemoryView(snapshot, config.limits());
  }

  public Trajectory trajectory(Id id) {
    return withCurrentTotals(storedTrajectory(id));
  }

  /** Returns the stored trajectory, whose totals do not include every turn. */
  public Trajectory storedTrajectory(Id id) {
    return require(Trajectory.TABLE, EntityType.TRAJECTORY, id);
  }

  private Trajectory withCurrentTotals(Trajectory stored) {
    return newestTurn(stored.id()).map(stored::withNewestTurn).orElse(stored);
  }

  /** Returns the trajectory, if it exists. */
  public Optional<Trajectory> findTrajectory(Id id) {
    return snapshot.find(Trajectory.TABLE, id).map(this::withCurrentTotals);
  }

  /** Returns a page of trajectories with the totals of their turns. */
  public Page<Trajectory> trajectoryPage(Query<Trajectory> query, int limit) {
    Page<Trajectory> stored = snapshot.scan(query, limit);
    return new Page<>(
        stored.rows().stream()
            .map(row -> new Row<>(withCurrentTotals(row.record()), row.revision()))
            .toList(),
        stored.next());
  }

  /** Returns the last turn of a trajectory, live or not. */
  public Optional<Turn> newestTurn(Id trajectory) {
    return first(Query.over(Turn.TABLE, "trajectory", "position").equal(trajectory).descending());
  }

  /**
   * Returns the trajectories of a status, least recently updated first, without regard to turns.
   */
  public List<Trajectory> trajectories(TrajectoryStatus status) {
    return withCurrentTotals(
        all(Query.over(Trajectory.TABLE, "status", "updated_at").equal(status.name())));
  }

  /** Passes each child of a trajectory to {@code work}, without a limit. */
  public void forEachChild(Id parent, Consumer<Trajectory> work) {
    snapshot.forEach(
        Query.over(Trajectory.TABLE, "parent").equal(parent),
        child -> work.accept(withCurrentTotals(child)));
  }

  /** Adds the totals of the newest turns. */
  public List<Trajectory> withCurrentTotals(List<Trajectory> stored) {
    return stored.stream().map(this::withCurrentTotals).toList();
  }

  /** Returns the newest trajectory with this external id. */
  public Optional<Trajectory> newestTrajectoryByExternalId(String externalId) {
    return first(externalIdQuery(externalId)).map(this::withCurrentTotals);
  }

  /** Returns all trajectories with this external id, newest first. */
  public List<Trajectory> trajectoriesByExternalId(String externalId) {
    return all(externalIdQuery(externalId));
  }

  /** Returns the newest trajectory with this external id that has not ended. */
  public Optional<Trajectory> openTrajectoryByExternalId(String externalId) {
    return first(externalIdQuery(externalId).where(trajectory -> !trajectory.status().isTerminal()))
        .map(this::withCurrentTotals);
  }

  private static Query<Trajectory> externalIdQuery(String externalId) {
    return Query.over(Trajectory.TABLE, "external_id", "created_at").equal(externalId).descending();
  }

  public Scope scope(Id id) {
    return require(Scope.TABLE, EntityType.SCOPE, id);
  }

  public List<Scope> scopes(Id trajectory) {
    return all(scopesQuery(trajectory));
  }

  public List<Scope> openScopes(Id trajectory) {
    return all(openScopesQuery(trajectory));
  }

  /** Returns the open scope with the highest sequence. */
  public Optional<Scope> currentScope(Id trajectory) {
    return first(openScopesQuery(trajectory).descending());
  }

  /** Returns the scope that was current at a time. */
  public Optional<Scope> currentScope(Id trajectory, Instant at) {
    Predicate<Scope> open = scope -> scope.wasOpen(at);
    Optional<Scope> still = first(openScopesQuery(trajectory).descending().where(open));
    List<Scope> since =
        all(
            Query.over(Scope.TABLE, "trajectory", "closed_at")
                .equal(trajectory)
                .from(at)
                .where(open));
    return Stream.concat(still.stream(), since.stream())
        .max(Comparator.comparingInt(Scope::sequence));
  }

  /** Returns the scope that was opened last, open or closed. */
  public Optional<Scope> lastScope(Id trajectory) {
    return first(scopesQuery(trajectory).descending());
  }

  /** Returns the sequence of the next scope; that of a removed scope is not used again. */
  public int nextScopeSequence(Id trajectory) {
    int gone = snapshot.find(ScopeCount.TABLE, trajectory).map(ScopeCount::scopes).orElse(0);
    return Math.max(gone, lastScope(trajectory).map(Scope::sequence).orElse(-1) + 1);
  }

  public long countScopes(Id trajectory) {
    return snapshot.count(scopesQuery(trajectory));
  }

  private static Query<Scope> scopesQuery(Id trajectory) {
    return Query.over(Scope.TABLE, "trajectory", "sequence").equal(trajectory);
  }

  private static Query<Scope> openScopesQuery(Id trajectory) {
    return Query.over(Scope.TABLE, "trajectory", "open_sequence").equal(trajectory);
  }

  public Turn turn(Id id) {
    return require(Turn.TABLE, EntityType.TURN, id);
  }

  /** Returns all turns of a scope by sequence, including those outside the live set. */
  public List<Turn> turns(Id scope) {
    return all(turnsQuery(scope));
  }

  /** Returns the last {@code limit} turns of a scope by sequence. */
  public List<Turn> lastTurns(Id scope, int limit) {
    return snapshot.list(turnsQuery(scope).descending(), limit).reversed();
  }

  /** Returns the turns of a trajectory at the positions {@code from} to {@code until - 1}. */
  public List<Turn> turns(Id trajectory, int from, int until) {
    return all(
        Query.over(Turn.TABLE, "trajectory", "position")
            .equal(trajectory)
            .from((long) from)
            .until((long) until));
  }

  /** Returns the number of turns a scope has ever had, including removed ones. */
  public int countTurnsEverAppended(Scope scope) {
    int last = lastTurns(scope.id(), 1).stream().mapToInt(Turn::sequence).findFirst().orElse(-1);
    return Math.max(scope.turns(), last + 1);
  }

  public long countTurns(Id scope) {
    return snapshot.count(turnsQuery(scope));
  }

  private static Query<Turn> turnsQuery(Id scope) {
    return Query.over(Turn.TABLE, "scope", "sequence").equal(scope);
  }

  /** Returns the turn of a trajectory with this external id. */
  public Optional<Turn> turn(Id trajectory, String externalId) {
    return first(Query.over(Turn.TABLE, "trajectory", "external_id").equal(trajectory, externalId));
  }

  public Optional<ToolExchange> toolExchange(Id trajectory, String call) {
    return snapshot.find(ToolExchange.TABLE, ToolExchange.idOf(trajectory, call));
  }

  /** Returns the tool calls that have no result yet. */
  public List<ToolExchange> openCalls(Id trajectory) {
    return all(Query.over(ToolExchange.TABLE, "open_in").equal(trajectory));
  }

  public Artifact artifact(Id id) {
    return require(Artifact.TABLE, EntityType.ARTIFACT, id);
  }

  public List<Artifact> artifacts(Id trajectory) {
    return all(artifactsQuery(trajectory));
  }

  public List<Artifact> artifacts(Id trajectory, ArtifactType type) {
    return all(artifactsQuery(trajectory, type));
  }

  /** Returns a page of the artifacts of a trajectory, by type and time. */
  public Page<Artifact> artifacts(Id trajectory, Optional<PageCursor> place) {
    Query<Artifact> all = artifactsQuery(trajectory);
    return snapshot.scan(place.map(all::resume).orElse(all), page);
  }

  /** Passes each artifact of a trajectory to {@code work}, by type and time, without a limit. */
  public void forEachArtifact(Id trajectory, Consumer<Artifact> work) {
    snapshot.forEach(artifactsQuery(trajectory), work);
  }

  /** Passes each artifact of one type to {@code work}, without a limit. */
  public void forEachArtifact(Id trajectory, ArtifactType type, Consumer<Artifact> work) {
    snapshot.forEach(artifactsQuery(trajectory, type), work);
  }

  public List<Artifact> artifactsOfScope(Id scope) {
    return all(Query.over(Artifact.TABLE, "scope").equal(scope));
  }

  public long countArtifacts(Id trajectory) {
    return snapshot.count(artifactsQuery(trajectory));
  }

  private static Query<Artifact> artifactsQuery(Id trajectory) {
    return Query.over(Artifact.TABLE, "trajectory", "type", "created_at").equal(trajectory);
  }

  private static Query<Artifact> artifactsQuery(Id trajectory, ArtifactType type) {
    return Query.over(Artifact.TABLE, "trajectory", "type", "created_at")
        .equal(trajectory, type.name());
  }

  /** Returns the artifact of a trajectory with this content that is not superseded. */
  public Optional<Artifact> artifactByHash(Id trajectory, String hash) {
    return first(Query.over(Artifact.TABLE, "trajectory", "live_hash").equal(trajectory, hash));
  }

  /** Returns the artifacts that this one superseded. */
  public List<Artifact> artifactsSupersededBy(Id artifact) {
    return all(Query.over(Artifact.TABLE, "superseded_by").equal(artifact));
  }

  /**
   * Returns the last artifact of the chain of successors; the artifact itself if it has none, or if
   * its successor was removed.
   */
  public Artifact newestSuccessor(Id artifact) {
    Artifact found = artifact(artifact);
    Optional<Artifact> next = successor(found);
    for (int steps = 0; next.isPresent(); steps++) {
      records.requireWithin(steps);
      found = next.get();
      next = successor(found);
    }
    return found;
  }

  /** Returns the successor, unless it was removed. */
  private Optional<Artifact> successor(Artifact artifact) {
    return artifact.supersededBy().flatMap(id -> snapshot.find(Artifact.TABLE, id));
  }

  public Note note(Id id) {
    return require(Note.TABLE, EntityType.NOTE, id);
  }

  /** Returns all notes about an entity, retired ones included. */
  public List<Note> notes(String entity, String entityType) {
    return all(Query.over(Note.TABLE, "entity", "entity_type").equal(entity, entityType));
  }

  /** Returns a page of the notes that match a query, newest first. */
  public Page<Note> notePage(NoteQuery wanted, Optional<PageCursor> place, int limit) {
    return new NoteQueryReader(this, wanted).page(place, limit);
  }

  /** Returns all notes that match a query, newest first. */
  public List<Note> notes(NoteQuery wanted) {
    List<Note> found = new ArrayList<>();
    Page<Note> part = notePage(wanted, Optional.empty(), page);
    found.addAll(part.records());
    while (part.next().isPresent()) {
      part = notePage(wanted, part.next(), page);
      found.addAll(part.records());
      records.requireWithin(found.size());
    }
    return List.copyOf(found);
  }

  /** Returns the version of a note that was believed at a time, with its links of that time. */
  public Optional<Note> asOf(Note note, Instant recorded) {
    return new NoteHistory(this).believedAt(note, recorded);
  }

  /** Returns the earlier versions of a note, oldest first. */
  public List<PastNote> noteHistory(Id note) {
    return new NoteHistory(this).earlierVersions(note);
  }

  /** Returns the notes that a trajectory contributed to. */
  public List<Note> notesLearnedIn(Id trajectory) {
    return new TrajectoryNotes(this, trajectory).all();
  }

  /** Passes each note that a trajectory contributed to to {@code work}, without a limit. */
  public void forEachNoteLearnedIn(Id trajectory, Consumer<Note> work) {
    new TrajectoryNotes(this, trajectory).forEach(work);
  }

  public long countNotes(Id trajectory) {
    return new TrajectoryNotes(this, trajectory).count();
  }

  /** Returns the trajectory with the summary that it had at a time. */
  public Trajectory asOf(Trajectory trajectory, Instant at) {
    return new SummaryHistory(this, trajectory.id())
        .summaryAt(at)
        .map(past -> trajectory.withSummary(past.summary()))
        .orElse(trajectory);
  }

  /** Returns the scope with the summary that it had at a time. */
  public Scope asOf(Scope scope, Instant at) {
    return new SummaryHistory(this, scope.id())
        .summaryAt(at)
        .map(past -> scope.withSummary(past.summary()))
        .orElse(scope);
  }

  /** Returns earlier summaries of a scope or trajectory, oldest first. */
  public List<PastSummary> summaryHistory(Id about) {
    return new SummaryHistory(this, about).oldestSummaries(Integer.MAX_VALUE);
  }

  /** Returns the checkpoints of a trajectory, newest first. */
  public List<Checkpoint> checkpoints(Id trajectory) {
    return all(
        Query.over(Checkpoint.TABLE, "trajectory", "created_at").equal(trajectory).descending());
  }

  public Checkpoint checkpoint(Id id) {
    return require(Checkpoint.TABLE, EntityType.CHECKPOINT, id);
  }

  /** Returns the newest trace events of a trajectory, newest first. */
  public List<TraceEvent> trace(Id trajectory, int limit) {
    return snapshot.list(
        Query.over(TraceEvent.TABLE, "trajectory").equal(trajectory).descending(), limit);
  }

  /** Returns the trace of a trajectory, newest first, cut at the limit of a list. */
  public TruncatedList<TraceEvent> newestTrace(Id trajectory) {
    int most = (int) records.max();
    List<TraceEvent> found = trace(trajectory, most + 1);
    return new TruncatedList<>(found.subList(0, Math.min(most, found.size())), found.size() > most);
  }

  /** Returns the newest trace events of one type, newest first. */
  public List<TraceEvent> trace(String type, int limit) {
    return snapshot.list(Query.over(TraceEvent.TABLE, "type").equal(type).descending(), limit);
  }

  public Optional<Tombstone> tombstone(Id id) {
    return snapshot.find(Tombstone.TABLE, id);
  }

  /** Returns a record of a memory table, if it exists. */
  public <T> Optional<T> find(Table<T> table, Id id) {
    if (!TABLES.contains(table)) {
      throw new IllegalArgumentException(
          "This is not a table of the memory module: " + table.name());
    }
    return snapshot.find(table, id);
  }

  /** Returns another artifact with the same content that is live at the time, if there is one. */
  public Optional<Artifact> liveDuplicateOf(Artifact made, Instant at) {
    Query<Artifact> twins =
        Query.over(Artifact.TABLE, "content_hash")
            .equal(made.contentHash())
            .where(other -> !other.id().equals(made.id()) && other.isLive(at));
    return snapshot.scan(twins, 1).records().stream().findFirst();
  }

  public <T> Optional<T> first(Query<T> query) {
    return snapshot.first(query);
  }

  /** Returns all matching records, or throws an error that names the limit. */
  <T> List<T> all(Query<T> query) {
    List<T> found = snapshot.list(query, (int) records.max() + 1);
    records.requireWithin(found.size());
    return found;
  }

  public Snapshot snapshot() {
    return snapshot;
  }

  /** Returns the number of records that are read at once. */
  public int pageSize() {
    return page;
  }

  private <T> T require(Table<T> table, EntityType type, Id id) {
    return snapshot.find(table, id).orElseThrow(() -> MemoryException.unknown(type, id));
  }
}
