package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.memory.command.Forget;
import dev.caliber.memory.command.RecallFilter;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.store.Page;
import dev.caliber.store.Query;
import dev.caliber.store.Table;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Finds the records that are asked to be forgotten, with their size; of their content a page at a
 * time is in memory. What holds others comes after them, and only if all of them are found.
 */
final class ForgetTargets {
  /** So much content is read at once, as far as the sizes of the records before tell. */
  private static final long PAGE_BYTES_BOUND = 2L << 20;

  /** A record and how much it says. */
  record Target(EntityRef record, long bytes) {}

  private final MemoryView view;
  private final int most;
  private final Optional<ForgetCoverage> coverage;
  private final Map<EntityRef, Target> found = new LinkedHashMap<>();
  private int rows = 1;

  /** At most so many. */
  ForgetTargets(MemoryView view, int most) {
    this(view, most, Optional.empty());
  }

  /** At most so many of those that are covered. */
  ForgetTargets(MemoryView view, int most, ForgetCoverage coverage) {
    this(view, most, Optional.of(coverage));
  }

  private ForgetTargets(MemoryView view, int most, Optional<ForgetCoverage> coverage) {
    this.view = view;
    this.most = most;
    this.coverage = coverage;
  }

  /** Whether there may be more than were found. */
  boolean isFull() {
    return found.size() >= most;
  }

  List<Target> targets() {
    return List.copyOf(found.values());
  }

  List<EntityRef> records() {
    return List.copyOf(found.keySet());
  }

  /** What a command means; refused if it names a record that is not there. */
  ForgetTargets of(Forget command) {
    command.id().ifPresent(this::addById);
    command.filter().ifPresent(this::addFitting);
    return this;
  }

  /** What is still there of it. */
  ForgetTargets ofThose(Forget command) {
    command.id().ifPresent(this::addRecord);
    command.filter().ifPresent(this::addFitting);
    return this;
  }

  private void addById(Id id) {
    if (!addRecord(id)) {
      throw view.tombstone(id)
          .map(MemoryException::forgotten)
          .orElseGet(() -> MemoryException.unknown(id));
    }
  }

  /** False if there is no record with this id. */
  private boolean addRecord(Id id) {
    Optional<Target> single =
        view.find(Note.TABLE, id)
            .map(ForgetTargets::target)
            .or(() -> view.find(Turn.TABLE, id).map(ForgetTargets::target))
            .or(() -> view.find(Artifact.TABLE, id).map(ForgetTargets::target))
            .or(() -> view.find(Checkpoint.TABLE, id).map(ForgetTargets::target));
    single.ifPresent(this::add);
    Optional<Scope> scope = view.find(Scope.TABLE, id);
    scope.ifPresent(this::addWithPoints);
    Optional<Trajectory> trajectory = view.find(Trajectory.TABLE, id);
    trajectory.ifPresent(this::addAll);
    return single.isPresent() || scope.isPresent() || trajectory.isPresent();
  }

  private void addFitting(RecallFilter filter) {
    Candidates candidates = Candidates.ofEverySubject(view, filter, most);
    candidates.noteWalks().forEach(walk -> addEach(walk, ForgetTargets::target));
    candidates.turnWalks().forEach(walk -> addEach(walk, ForgetTargets::target));
    candidates.artifactWalks().forEach(walk -> addEach(walk, ForgetTargets::target));
    filter.subjectAlone().ifPresent(this::addTrajectories);
  }

  /** Forgetting all of a subject takes its trajectories, too, with everything in them. */
  private void addTrajectories(String subject) {
    view.each(
        Query.over(Trajectory.TABLE, "subject", "created_at").equal(subject),
        trajectory -> {
          if (!isFull() && isMeant(Trajectory.TABLE, trajectory)) {
            addAll(trajectory);
          }
        });
  }

  /** What is in it and then itself. */
  void addAll(Trajectory trajectory) {
    view.each(
        Query.over(Scope.TABLE, "trajectory", "sequence").equal(trajectory.id()),
        scope -> {
          if (!isFull()) {
            addAll(scope);
          }
        });
    addEach(
        Query.over(Checkpoint.TABLE, "trajectory", "created_at").equal(trajectory.id()),
        ForgetTargets::target);
    addHolder(EntityRef.of(EntityType.TRAJECTORY, trajectory.id()));
  }

  /** A scope alone takes the points along that were saved at it. */
  private void addWithPoints(Scope scope) {
    addEach(
        Query.over(Checkpoint.TABLE, "trajectory", "created_at")
            .equal(scope.trajectory())
            .where(point -> point.scope().filter(scope.id()::equals).isPresent()),
        ForgetTargets::target);
    addAll(scope);
  }

  private void addAll(Scope scope) {
    addEach(Query.over(Turn.TABLE, "scope", "sequence").equal(scope.id()), ForgetTargets::target);
    addEach(Query.over(Artifact.TABLE, "scope").equal(scope.id()), ForgetTargets::target);
    addHolder(EntityRef.of(EntityType.SCOPE, scope.id()));
  }

  private void addHolder(EntityRef record) {
    if (!isFull()) {
      add(new Target(record, 0));
    }
  }

  private void add(Target target) {
    found.putIfAbsent(target.record, target);
  }

  private <T> void addEach(Query<T> query, Function<T, Target> target) {
    Optional<Query<T>> rest = Optional.of(query);
    while (rest.isPresent() && !isFull()) {
      Page<T> part =
          view.snapshot().scan(rest.get(), Math.min(rows, Math.min(view.page(), room())));
      List<Target> targets =
          part.records().stream()
              .filter(record -> isMeant(query.table(), record))
              .map(target)
              .toList();
      targets.forEach(this::add);
      rows = rowsAfter(targets);
      rest = part.next().map(query::resume);
    }
  }

  private <T> boolean isMeant(Table<T> table, T record) {
    return coverage.filter(covered -> !covered.covers(table, record)).isEmpty();
  }

  private int room() {
    return most - found.size();
  }

  /** Twice as many, as long as records of this size fit into what is read at once. */
  private int rowsAfter(List<Target> page) {
    if (page.isEmpty()) {
      return rows;
    }
    long bytes = page.stream().mapToLong(Target::bytes).max().orElse(0);
    return (int) Math.clamp(PAGE_BYTES_BOUND / Math.max(bytes, 1), 1, 2L * rows);
  }

  private static Target target(Note note) {
    return new Target(EntityRef.of(EntityType.NOTE, note.id()), size(note.content()));
  }

  private static Target target(Turn turn) {
    return new Target(EntityRef.of(EntityType.TURN, turn.id()), size(turn.words()));
  }

  private static Target target(Artifact made) {
    return new Target(EntityRef.of(EntityType.ARTIFACT, made.id()), made.content().size());
  }

  private static Target target(Checkpoint point) {
    return new Target(EntityRef.of(EntityType.CHECKPOINT, point.id()), 0);
  }

  private static long size(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
