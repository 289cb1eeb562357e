package dev.caliber.memory.forget;

import dev.caliber.kernel.Id;
import dev.caliber.memory.command.ForgetRecords;
import dev.caliber.memory.command.RecallFilter;
import dev.caliber.memory.recall.FilteredRecordReader;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.view.MemoryView;
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
 * Finds the records to forget, with their size. Content is read one page at a time. A container
 * follows its content, and only if all content was found.
 */
public final class ForgetTargetFinder {
  /** Bytes of content to read at once, estimated from the sizes of the records before. */
  private static final long PAGE_BYTES_BOUND = 2L << 20;

  /** Record and the size of its content. */
  public record ForgetTarget(EntityRef record, long bytes) {}

  private final MemoryView view;
  private final int most;
  private final Optional<ForgetRecordMatcher> coverage;
  private final Map<EntityRef, ForgetTarget> found = new LinkedHashMap<>();
  private int rows = 1;

  /** Finds at most {@code most} records. */
  public ForgetTargetFinder(MemoryView view, int most) {
    this(view, most, Optional.empty());
  }

  /** Finds at most {@code most} covered records. */
  public ForgetTargetFinder(MemoryView view, int most, ForgetRecordMatcher coverage) {
    this(view, most, Optional.of(coverage));
  }

  private ForgetTargetFinder(MemoryView view, int most, Optional<ForgetRecordMatcher> coverage) {
    this.view = view;
    this.most = most;
    this.coverage = coverage;
  }

  /** Returns whether the limit was reached, so that there may be more. */
  public boolean isFull() {
    return found.size() >= most;
  }

  public List<ForgetTarget> targets() {
    return List.copyOf(found.values());
  }

  public List<EntityRef> records() {
    return List.copyOf(found.keySet());
  }

  /** Finds the records of a command; throws if it names an unknown record. */
  public ForgetTargetFinder resolve(ForgetRecords command) {
    command.id().ifPresent(this::addById);
    command.filter().ifPresent(this::addMatching);
    return this;
  }

  /** Finds the records of a command that still exist. */
  public ForgetTargetFinder resolveExisting(ForgetRecords command) {
    command.id().ifPresent(this::addRecord);
    command.filter().ifPresent(this::addMatching);
    return this;
  }

  private void addById(Id id) {
    if (!addRecord(id)) {
      throw view.tombstone(id)
          .map(MemoryException::forgotten)
          .orElseGet(() -> MemoryException.unknown(id));
    }
  }

  /** Adds the record with this id; false if there is none. */
  private boolean addRecord(Id id) {
    Optional<ForgetTarget> single =
        view.find(Note.TABLE, id)
            .map(ForgetTargetFinder::target)
            .or(() -> view.find(Turn.TABLE, id).map(ForgetTargetFinder::target))
            .or(() -> view.find(Artifact.TABLE, id).map(ForgetTargetFinder::target))
            .or(() -> view.find(Checkpoint.TABLE, id).map(ForgetTargetFinder::target));
    single.ifPresent(this::add);
    Optional<Scope> scope = view.find(Scope.TABLE, id);
    scope.ifPresent(this::addScopeWithCheckpoints);
    Optional<Trajectory> trajectory = view.find(Trajectory.TABLE, id);
    trajectory.ifPresent(this::addTrajectory);
    return single.isPresent() || scope.isPresent() || trajectory.isPresent();
  }

  private void addMatching(RecallFilter filter) {
    FilteredRecordReader filteredRecordReader =
        FilteredRecordReader.ofAllSubjects(view, filter, most);
    filteredRecordReader.noteQueries().forEach(walk -> addEach(walk, ForgetTargetFinder::target));
    filteredRecordReader.turnQueries().forEach(walk -> addEach(walk, ForgetTargetFinder::target));
    filteredRecordReader
        .artifactQueries()
        .forEach(walk -> addEach(walk, ForgetTargetFinder::target));
    filter.onlySubject().ifPresent(this::addTrajectoriesOfSubject);
  }

  /** Forgetting a whole subject includes its trajectories and their content. */
  private void addTrajectoriesOfSubject(String subject) {
    view.snapshot()
        .forEach(
            Query.over(Trajectory.TABLE, "subject", "created_at").equal(subject),
            trajectory -> {
              if (!isFull() && isCovered(Trajectory.TABLE, trajectory)) {
                addTrajectory(trajectory);
              }
            });
  }

  /** Adds the content of the trajectory, then the trajectory. */
  void addTrajectory(Trajectory trajectory) {
    view.snapshot()
        .forEach(
            Query.over(Scope.TABLE, "trajectory", "sequence").equal(trajectory.id()),
            scope -> {
              if (!isFull()) {
                addScope(scope);
              }
            });
    addEach(
        Query.over(Checkpoint.TABLE, "trajectory", "created_at").equal(trajectory.id()),
        ForgetTargetFinder::target);
    addContainer(EntityRef.of(EntityType.TRAJECTORY, trajectory.id()));
  }

  /** Adds a scope with its checkpoints; within a trajectory those are added with the trajectory. */
  private void addScopeWithCheckpoints(Scope scope) {
    addEach(
        Query.over(Checkpoint.TABLE, "trajectory", "created_at")
            .equal(scope.trajectory())
            .where(point -> point.scope().filter(scope.id()::equals).isPresent()),
        ForgetTargetFinder::target);
    addScope(scope);
  }

  private void addScope(Scope scope) {
    addEach(
        Query.over(Turn.TABLE, "scope", "sequence").equal(scope.id()), ForgetTargetFinder::target);
    addEach(Query.over(Artifact.TABLE, "scope").equal(scope.id()), ForgetTargetFinder::target);
    addContainer(EntityRef.of(EntityType.SCOPE, scope.id()));
  }

  private void addContainer(EntityRef record) {
    if (!isFull()) {
      add(new ForgetTarget(record, 0));
    }
  }

  private void add(ForgetTarget forgetTarget) {
    found.putIfAbsent(forgetTarget.record, forgetTarget);
  }

  private <T> void addEach(Query<T> query, Function<T, ForgetTarget> target) {
    Optional<Query<T>> rest = Optional.of(query);
    while (rest.isPresent() && !isFull()) {
      Page<T> part =
          view.snapshot()
              .scan(rest.get(), Math.min(rows, Math.min(view.pageSize(), remainingCount())));
      List<ForgetTarget> targets =
          part.records().stream()
              .filter(record -> isCovered(query.table(), record))
              .map(target)
              .toList();
      targets.forEach(this::add);
      rows = nextRowCount(targets);
      rest = part.next().map(query::resume);
    }
  }

  private <T> boolean isCovered(Table<T> table, T record) {
    return coverage.filter(covered -> !covered.covers(table, record)).isEmpty();
  }

  private int remainingCount() {
    return most - found.size();
  }

  /** Doubles the page, as long as records of this size fit into {@link #PAGE_BYTES_BOUND}. */
  private int nextRowCount(List<ForgetTarget> page) {
    if (page.isEmpty()) {
      return rows;
    }
    long bytes = page.stream().mapToLong(ForgetTarget::bytes).max().orElse(0);
    return (int) Math.clamp(PAGE_BYTES_BOUND / Math.max(bytes, 1), 1, 2L * rows);
  }

  private static ForgetTarget target(Note note) {
    return new ForgetTarget(EntityRef.of(EntityType.NOTE, note.id()), size(note.content()));
  }

  private static ForgetTarget target(Turn turn) {
    return new ForgetTarget(EntityRef.of(EntityType.TURN, turn.id()), size(turn.searchableText()));
  }

  private static ForgetTarget target(Artifact made) {
    return new ForgetTarget(EntityRef.of(EntityType.ARTIFACT, made.id()), made.content().size());
  }

  private static ForgetTarget target(Checkpoint point) {
    return new ForgetTarget(EntityRef.of(EntityType.CHECKPOINT, point.id()), 0);
  }

  private static long size(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
