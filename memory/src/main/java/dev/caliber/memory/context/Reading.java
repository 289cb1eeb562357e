package dev.caliber.memory.context;

import dev.caliber.kernel.Id;
import dev.caliber.memory.MemoryView;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Continuation;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Part;
import dev.caliber.memory.record.Role;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.spi.Summary;
import dev.caliber.store.Page;
import dev.caliber.store.Query;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Table;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Records that may be shown at a time: not superseded, rolled back, expired, retired or made later.
 *
 * @param past whether records are read as they were at that time
 * @param visible whose records may be shown
 */
record Reading(
    Snapshot snapshot,
    MemoryView view,
    int page,
    Instant at,
    boolean past,
    VisibleSubjects visible) {

  /** The turns of a scope that are in its live set, newest first. */
  List<Turn> turnsOf(Id scope, RecordFilter filter, int limit) {
    return upTo(
        Query.over(Turn.TABLE, "scope", "sequence")
            .equal(scope)
            .descending()
            .where(turn -> isShown(turn) && isUnarchived(turn) && filter.passes(turn)),
        limit);
  }

  /** The turns of a scope and of what it goes on from, newest first. */
  List<Turn> conversation(Id scope, RecordFilter filter, int limit) {
    List<Turn> turns = new ArrayList<>(turnsOf(scope, filter, limit));
    Optional<Scope> own = find(Scope.TABLE, scope);
    Optional<Continuation> from = own.flatMap(Scope::continues);
    while (from.isPresent() && turns.size() < limit) {
      Scope next = own.orElseThrow();
      turns.addAll(continued(next, from.get(), filter, limit - turns.size()));
      own = find(Scope.TABLE, from.get().scope());
      from = own.flatMap(Scope::continues);
    }
    return turns;
  }

  private List<Turn> continued(Scope scope, Continuation from, RecordFilter filter, int limit) {
    return upTo(
        Query.over(Turn.TABLE, "scope", "sequence")
            .equal(from.scope())
            .descending()
            .where(
                turn -> isContinued(turn, scope, from) && filter.passes(turn) && isSaidHere(turn)),
        limit);
  }

  /** As it was at the checkpoint; what has left the same trajectory since then has left. */
  private boolean isContinued(Turn turn, Scope scope, Continuation from) {
    return turn.position() < from.before()
        && !isOut(turn.rolledBackAt(), scope, from)
        && !isOut(turn.archivedAt(), scope, from);
  }

  /** Whether the conversation of this scope goes on from a turn of another trajectory. */
  boolean isContinued(Turn turn, Optional<Id> scope) {
    return line(scope).stream()
        .flatMap(id -> find(Scope.TABLE, id).stream())
        .anyMatch(
            one ->
                one.continues()
                    .filter(from -> from.trajectory().equals(turn.trajectory()))
                    .filter(from -> isContinued(turn, one, from) && isSaidHere(turn))
                    .isPresent());
  }

  private boolean isOut(Optional<Instant> since, Scope scope, Continuation from) {
    boolean ahead = past && since.filter(time -> time.isAfter(at)).isPresent();
    return !ahead
        && since
            .filter(
                time ->
                    !time.isAfter(from.at())
                        || (from.trajectory().equals(scope.trajectory())
                            && time.isAfter(scope.openedAt())))
            .isPresent();
  }

  /** The scope and those that it goes on from: their turns are the conversation. */
  Set<Id> line(Optional<Id> scope) {
    Set<Id> line = new LinkedHashSet<>();
    Optional<Id> next = scope;
    while (next.isPresent() && line.add(next.get())) {
      next = find(Scope.TABLE, next.get()).flatMap(Scope::continues).map(Continuation::scope);
    }
    return line;
  }

  /** The same records as they were at another time. */
  Reading at(Instant time) {
    return new Reading(snapshot, view, page, time, true, visible);
  }

  /** The turns of a trajectory that are in its live set, newest first. */
  List<Turn> turnsIn(Id trajectory, RecordFilter filter, int limit) {
    return upTo(
        Query.over(Turn.TABLE, "trajectory", "position")
            .equal(trajectory)
            .descending()
            .where(turn -> isShown(turn) && isUnarchived(turn) && filter.passes(turn)),
        limit);
  }

  /** What the subject and its assistants have said in words outside these trajectories. */
  List<Turn> turnsElsewhere(String subject, Set<Id> trajectories, int limit) {
    return upTo(
        Query.over(Turn.TABLE, "subject", "created_at")
            .equal(subject)
            .descending()
            .where(turn -> isElsewhere(turn, trajectories)),
        limit);
  }

  boolean isElsewhere(Turn turn, Set<Id> trajectories) {
    return !trajectories.contains(turn.trajectory())
        && (turn.role() == Role.USER || turn.role() == Role.ASSISTANT)
        && turn.parts().stream().allMatch(Part.Text.class::isInstance)
        && isShown(turn);
  }

  /** Newest first. */
  List<Artifact> artifacts(Id trajectory, RecordFilter filter, int limit) {
    return upTo(
        Query.over(Artifact.TABLE, "trajectory", "created_at")
            .equal(trajectory)
            .descending()
            .where(artifact -> isShown(artifact) && filter.passes(artifact)),
        limit);
  }

  /**
   * Newest first. After many notes of other subjects the walk goes on along those of the window's
   * own subjects.
   */
  List<Note> notes(RecordFilter filter, int limit) {
    List<Note> found = new ArrayList<>();
    Query<Note> walk = Query.over(Note.TABLE, "recorded_at").descending();
    int size = Math.clamp(limit, 1, page);
    boolean more = limit > 0;
    while (more && !visible.isCountedOut()) {
      Page<Note> part = snapshot.scan(walk, size);
      for (Note note : part.records()) {
        if (found.size() < limit) {
          shown(note).filter(filter::passes).ifPresent(found::add);
        }
      }
      more = part.next().isPresent() && found.size() < limit;
      walk = part.next().map(walk::resume).orElse(walk);
      size = Math.min(2 * size, page);
    }
    return more ? notesOfOwners(filter, limit) : found;
  }

  private List<Note> notesOfOwners(RecordFilter filter, int limit) {
    return visible
        .noteOwners()
        .flatMap(
            owner ->
                upTo(
                    Query.over(Note.TABLE, "owner", "recorded_at")
                        .equal(owner)
                        .descending()
                        .where(note -> shown(note).filter(filter::passes).isPresent()),
                    limit)
                    .stream())
        .sorted(Comparator.comparing(Note::recordedAt).thenComparing(Note::id).reversed())
        .limit(limit)
        .flatMap(note -> shown(note).stream())
        .toList();
  }

  /**
   * Counts the notes of other subjects among the newest that hold. A search of the index leaves
   * them out, and asking it for them would tell how many of them match a query.
   */
  void countOtherNotes(int newest) {
    upTo(Query.over(Note.TABLE, "recorded_at").descending(), newest).forEach(this::shown);
  }

  /** Closed ones with a summary, newest first, without those that are the conversation. */
  List<Scope> scopes(Id trajectory, RecordFilter filter, Set<Id> conversation, int limit) {
    return upTo(
            Query.over(Scope.TABLE, "trajectory", "sequence")
                .equal(trajectory)
                .descending()
                .where(
                    scope ->
                        !conversation.contains(scope.id())
                            && shown(scope).filter(filter::passes).isPresent()),
            limit)
        .stream()
        .flatMap(scope -> shown(scope).stream())
        .toList();
  }

  /** As it is or was told, if it is there. */
  Optional<Trajectory> trajectory(Id id) {
    return view.findTrajectory(id).map(found -> past ? view.asOf(found, at) : found);
  }

  <T> Optional<T> find(Table<T> table, Object key) {
    return snapshot.find(table, key);
  }

  /** Whether a turn may be recalled; what a summary stands for may be. */
  boolean isShown(Turn turn) {
    return isThere(turn.createdAt()) && isLater(turn.rolledBackAt()) && isVisible(turn);
  }

  /** A fork of a group goes on with the conversation of all of its subjects. */
  private boolean isSaidHere(Turn turn) {
    return visible.isOfGroup() || isVisible(turn);
  }

  private boolean isVisible(Turn turn) {
    return visible.sees(turn);
  }

  /** In the present, whatever is stored is there, also when another host's clock goes ahead. */
  private boolean isThere(Instant made) {
    return !past || !made.isAfter(at);
  }

  private boolean isUnarchived(Turn turn) {
    return isLater(turn.archivedAt());
  }

  /** In the past, what ended since then had not ended yet. */
  private boolean isLater(Optional<Instant> end) {
    return end.isEmpty() || (past && end.get().isAfter(at));
  }

  boolean isShown(Artifact artifact) {
    boolean live = past ? artifact.wasLive(at) : artifact.isLive(at);
    return live && visible.sees(artifact);
  }

  /** The scope as it is or was told, if it may be shown. */
  Optional<Scope> shown(Scope scope) {
    return Optional.of(scope)
        .filter(found -> found.closedAt().filter(this::isThere).isPresent())
        .filter(found -> isLater(found.rolledBackAt()))
        .map(found -> past ? view.asOf(found, at) : found)
        .filter(found -> found.summary().filter(Summary::isPlaceholder).isEmpty())
        .filter(found -> Bodies.of(found).isPresent())
        .filter(visible::sees);
  }

  /** The note as it is, or was, if it may be shown. */
  Optional<Note> shown(Note note) {
    Optional<Note> live =
        past
            ? view.asOf(note, at).filter(then -> then.valid().contains(at))
            : Optional.of(note).filter(now -> now.isLive(at));
    return live.filter(then -> visible.sees(then) && visible.sees(note));
  }

  private <T> List<T> upTo(Query<T> query, int limit) {
    List<T> records = new ArrayList<>();
    if (limit < 1) {
      return records;
    }
    Page<T> part = snapshot.scan(query, Math.min(limit, page));
    records.addAll(part.records());
    while (part.next().isPresent() && records.size() < limit) {
      part = snapshot.scan(query.resume(part.next().get()), Math.min(limit - records.size(), page));
      records.addAll(part.records());
    }
    return records;
  }
}
