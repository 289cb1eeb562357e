package dev.caliber.memory.policy;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.PruneCriteria;
import dev.caliber.memory.commit.ForkReferences;
import dev.caliber.memory.commit.UnitOfWork;
import dev.caliber.memory.event.MemoryEvent.RecordRemoved;
import dev.caliber.memory.event.MemoryEvent.TurnArchived;
import dev.caliber.memory.forget.ForgetHandler;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.MemoryKind;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.PolicyRun;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.store.Page;
import dev.caliber.store.Query;
import dev.caliber.store.Table;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Prunes records, one batch in a commit. Turns leave the live set and stay readable; artifacts,
 * notes and ended trajectories are removed. The run's scope, or else its trajectory, limits the
 * records; without both they are those of the space.
 *
 * @param most number of records that one commit reads
 */
record PruneStepHandler(UnitOfWork desk, PolicyRun run, PruneCriteria criteria, int most) {

  /** Prunes one batch; returns the run with a cursor if more records are left. */
  Optional<PolicyRun> prune(MemoryKind kind) {
    return switch (kind) {
      case TURN -> archiveTurns(turns());
      case SCOPE -> archiveTurns(turnsOfClosedScopes());
      case ARTIFACT -> removeRecords(artifacts(), EntityType.ARTIFACT, Artifact::id);
      case NOTE -> removeRecords(notes(), EntityType.NOTE, Note::id);
      case TRAJECTORY -> removeTrajectories();
    };
  }

  private Query<Turn> turns() {
    Query<Turn> reach =
        run.trajectory()
            .map(id -> Query.over(Turn.TABLE, "trajectory", "position").equal(id))
            .orElseGet(() -> oldestFirst(Turn.TABLE));
    return run.scope().map(this::turnsOf).orElse(reach.where(this::isPrunable));
  }

  private boolean isPrunable(Turn turn) {
    return turn.isLive() && meetsCriteria(turn.createdAt(), Optional.empty());
  }

  private Query<Turn> turnsOf(Id scope) {
    return Query.over(Turn.TABLE, "scope", "sequence").equal(scope).where(this::isPrunable);
  }

  private Query<Turn> turnsOfClosedScopes() {
    return run.scope()
        .map(this::turnsOf)
        .or(() -> run.trajectory().map(this::closedTurnsOf))
        .orElseGet(this::closedTurns);
  }

  /**
   * Returns turns of closed scopes in the whole space; each scope is looked up once for a query.
   */
  private Query<Turn> closedTurns() {
    Map<Id, Boolean> open = new HashMap<>();
    return oldestFirst(Turn.TABLE)
        .where(turn -> isPrunable(turn) && !open.computeIfAbsent(turn.scope(), this::isOpen));
  }

  private boolean isOpen(Id scope) {
    return desk.transaction().find(Scope.TABLE, scope).filter(Scope::isOpen).isPresent();
  }

  private Query<Turn> closedTurnsOf(Id trajectory) {
    Set<Id> open =
        desk.view().openScopes(trajectory).stream().map(Scope::id).collect(Collectors.toSet());
    return Query.over(Turn.TABLE, "trajectory", "position")
        .equal(trajectory)
        .where(turn -> isPrunable(turn) && !open.contains(turn.scope()));
  }

  private Query<Artifact> artifacts() {
    Query<Artifact> reach =
        run.scope()
            .map(id -> Query.over(Artifact.TABLE, "scope").equal(id))
            .or(() -> run.trajectory().map(PruneStepHandler::artifactsOf))
            .orElseGet(() -> oldestFirst(Artifact.TABLE));
    return reach.where(made -> meetsCriteria(made.createdAt(), made.provenance().confidence()));
  }

  private static Query<Artifact> artifactsOf(Id trajectory) {
    return Query.over(Artifact.TABLE, "trajectory", "type", "created_at").equal(trajectory);
  }

  private Query<Note> notes() {
    Predicate<Note> passes =
        note -> meetsCriteria(note.recordedAt(), Optional.of(note.confidence()));
    return oldestFirst(Note.TABLE)
        .where(
            run.trajectory()
                .map(id -> passes.and(note -> note.sources().contains(id)))
                .orElse(passes));
  }

  /** Scans keys in their order, which is that of time, up to the age limit. */
  private <T> Query<T> oldestFirst(Table<T> table) {
    return criteria instanceof PruneCriteria.AgeCriteria(var age) && !age.isZero()
        ? Query.over(table).until(Id.smallestAt(run.createdAt().minus(age)))
        : Query.over(table);
  }

  /**
   * Tests age or confidence. An age of zero matches all; a record without confidence never matches.
   */
  private boolean meetsCriteria(Instant time, Optional<Double> confidence) {
    return switch (criteria) {
      case PruneCriteria.AgeCriteria(var age) ->
          age.isZero() || time.isBefore(run.createdAt().minus(age));
      case PruneCriteria.ConfidenceCriteria(var least) ->
          confidence.filter(found -> found < least).isPresent();
    };
  }

  private Optional<PolicyRun> archiveTurns(Query<Turn> turns) {
    return processPage(turns, turn -> desk.emit(new TurnArchived(turn, desk.now())));
  }

  private <T> Optional<PolicyRun> removeRecords(
      Query<T> query, EntityType type, Function<T, Id> id) {
    return processPage(
        query, record -> desk.emit(new RecordRemoved(EntityRef.of(type, id.apply(record)))));
  }

  /** Processes one page; the run continues after it, so that no record is read twice. */
  private <T> Optional<PolicyRun> processPage(Query<T> query, Consumer<T> action) {
    Page<T> page = page(query, most);
    page.records().forEach(action);
    return page.next().map(further -> run.withCursor(further, desk.now()));
  }

  private <T> Page<T> page(Query<T> query, int limit) {
    return desk.transaction().scan(run.place().map(query::resume).orElse(query), limit);
  }

  /** Removes one trajectory with its content; a run with a trajectory prunes its children. */
  private Optional<PolicyRun> removeTrajectories() {
    Query<Trajectory> reach =
        run.trajectory()
            .map(id -> Query.over(Trajectory.TABLE, "parent").equal(id))
            .orElseGet(() -> oldestFirst(Trajectory.TABLE));
    Page<Trajectory> page = page(reach.where(this::isPrunableTrajectory), 1);
    boolean whole = page.records().stream().allMatch(new ForgetHandler(desk)::removeTrajectory);
    return whole
        ? page.next().map(further -> run.withCursor(further, desk.now()))
        : Optional.of(run);
  }

  private boolean isPrunableTrajectory(Trajectory trajectory) {
    return trajectory.status().isTerminal()
        && meetsCriteria(trajectory.updatedAt(), Optional.empty())
        && !new ForkReferences(desk).hasLiveForks(trajectory.id());
  }
}
