package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.PruneCriteria;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.MemoryEvent.RecordRemoved;
import dev.caliber.memory.record.MemoryEvent.TurnArchived;
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
 * Takes records out of a memory, a batch at a time. Turns leave the live set and can be read again;
 * artifacts, notes and ended trajectories go. A run with a scope is limited to it, one with a
 * trajectory to that, and one without to the space.
 *
 * @param most how many one commit looks at
 */
record Pruning(Desk desk, PolicyRun run, PruneCriteria criteria, int most) {

  /** The run where it goes on, when there is more. */
  Optional<PolicyRun> prune(MemoryKind kind) {
    return switch (kind) {
      case TURN -> archive(turns());
      case SCOPE -> archive(turnsOfClosedScopes());
      case ARTIFACT -> remove(artifacts(), EntityType.ARTIFACT, Artifact::id);
      case NOTE -> remove(notes(), EntityType.NOTE, Note::id);
      case TRAJECTORY -> removeTrajectories();
    };
  }

  private Query<Turn> turns() {
    Query<Turn> reach =
        run.trajectory()
            .map(id -> Query.over(Turn.TABLE, "trajectory", "position").equal(id))
            .orElseGet(() -> byAge(Turn.TABLE));
    return run.scope().map(this::turnsOf).orElse(reach.where(this::isPrunable));
  }

  private boolean isPrunable(Turn turn) {
    return turn.isLive() && meets(turn.createdAt(), Optional.empty());
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

  /** Of the whole space; of a page few scopes are asked for. */
  private Query<Turn> closedTurns() {
    Map<Id, Boolean> open = new HashMap<>();
    return byAge(Turn.TABLE)
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
            .or(() -> run.trajectory().map(Pruning::artifactsOf))
            .orElseGet(() -> byAge(Artifact.TABLE));
    return reach.where(made -> meets(made.createdAt(), made.provenance().confidence()));
  }

  private static Query<Artifact> artifactsOf(Id trajectory) {
    return Query.over(Artifact.TABLE, "trajectory", "type", "created_at").equal(trajectory);
  }

  private Query<Note> notes() {
    Predicate<Note> passes = note -> meets(note.recordedAt(), Optional.of(note.confidence()));
    return byAge(Note.TABLE)
        .where(
            run.trajectory()
                .map(id -> passes.and(note -> note.sources().contains(id)))
                .orElse(passes));
  }

  /** Ids are ordered by time: the walk begins with the oldest and ends where none is old enough. */
  private <T> Query<T> byAge(Table<T> table) {
    return criteria instanceof PruneCriteria.OlderThan(var age) && !age.isZero()
        ? Query.over(table).until(Id.earliest(run.createdAt().minus(age)))
        : Query.over(table);
  }

  /** An age of zero takes all. What nobody has judged has no confidence to be below. */
  private boolean meets(Instant time, Optional<Double> confidence) {
    return switch (criteria) {
      case PruneCriteria.OlderThan(var age) ->
          age.isZero() || time.isBefore(run.createdAt().minus(age));
      case PruneCriteria.BelowConfidence(var least) ->
          confidence.filter(found -> found < least).isPresent();
    };
  }

  private Optional<PolicyRun> archive(Query<Turn> turns) {
    return each(turns, turn -> desk.emit(new TurnArchived(turn, desk.now())));
  }

  private <T> Optional<PolicyRun> remove(Query<T> query, EntityType type, Function<T, Id> id) {
    return each(
        query, record -> desk.emit(new RecordRemoved(EntityRef.of(type, id.apply(record)))));
  }

  /** A commit looks at a page, and the next one goes on behind it: nothing is looked at twice. */
  private <T> Optional<PolicyRun> each(Query<T> query, Consumer<T> action) {
    Page<T> page = page(query, most);
    page.records().forEach(action);
    return page.next().map(further -> run.reached(further, desk.now()));
  }

  private <T> Page<T> page(Query<T> query, int limit) {
    return desk.transaction().scan(run.place().map(query::resume).orElse(query), limit);
  }

  /** With everything in them, one at a time; a run about one trajectory prunes its children. */
  private Optional<PolicyRun> removeTrajectories() {
    Query<Trajectory> reach =
        run.trajectory()
            .map(id -> Query.over(Trajectory.TABLE, "parent").equal(id))
            .orElseGet(() -> byAge(Trajectory.TABLE));
    Page<Trajectory> page = page(reach.where(this::isOver), 1);
    boolean whole = page.records().stream().allMatch(new ForgetWork(desk)::remove);
    return whole ? page.next().map(further -> run.reached(further, desk.now())) : Optional.of(run);
  }

  private boolean isOver(Trajectory trajectory) {
    return trajectory.status().isTerminal()
        && meets(trajectory.updatedAt(), Optional.empty())
        && !new Forks(desk).areLiving(trajectory.id());
  }
}
