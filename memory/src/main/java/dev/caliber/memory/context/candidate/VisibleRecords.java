package dev.caliber.memory.context.candidate;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.ContinuationPoint;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.record.TurnPart;
import dev.caliber.memory.record.TurnRole;
import dev.caliber.memory.spi.Summary;
import dev.caliber.memory.view.MemoryView;
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
 * Records visible at a time: not superseded, rolled back, expired, retired or created later.
 *
 * @param inPast whether records are read as they were at that time
 * @param visible the subjects whose records may be shown
 */
public record VisibleRecords(
    Snapshot snapshot,
    MemoryView view,
    int page,
    Instant at,
    boolean inPast,
    WindowSubjectFilter visible) {

  /** Returns the turns of a scope that are not archived, newest first. */
  List<Turn> turnsOfScope(Id scope, RecordFilter filter, int limit) {
    return snapshot.list(
        Query.over(Turn.TABLE, "scope", "sequence")
            .equal(scope)
            .descending()
            .where(turn -> isShown(turn) && isUnarchived(turn) && filter.matches(turn)),
        limit);
  }

  /** Returns the turns of a scope and of the scopes that it continues, newest first. */
  List<Turn> conversation(Id scope, RecordFilter filter, int limit) {
    List<Turn> turns = new ArrayList<>(turnsOfScope(scope, filter, limit));
    Optional<Scope> own = find(Scope.TABLE, scope);
    Optional<ContinuationPoint> from = own.flatMap(Scope::continues);
    while (from.isPresent() && turns.size() < limit) {
      Scope next = own.orElseThrow();
      turns.addAll(continuedTurns(next, from.get(), filter, limit - turns.size()));
      own = find(Scope.TABLE, from.get().scope());
      from = own.flatMap(Scope::continues);
    }
    return turns;
  }

  private List<Turn> continuedTurns(
      Scope scope, ContinuationPoint from, RecordFilter filter, int limit) {
    return snapshot.list(
        Query.over(Turn.TABLE, "scope", "sequence")
            .equal(from.scope())
            .descending()
            .where(
                turn ->
                    isContinued(turn, scope, from)
                        && filter.matches(turn)
                        && isPartOfConversation(turn)),
        limit);
  }

  /**
   * Returns whether the turn was in the conversation at the checkpoint and was not removed from the
   * trajectory since.
   */
  private boolean isContinued(Turn turn, Scope scope, ContinuationPoint from) {
    return turn.position() < from.before()
        && !isRemoved(turn.rolledBackAt(), scope, from)
        && !isRemoved(turn.archivedAt(), scope, from);
  }

  /** Returns whether the conversation of this scope continues a turn of another trajectory. */
  boolean isContinued(Turn turn, Optional<Id> scope) {
    return conversationScopes(scope).stream()
        .flatMap(id -> find(Scope.TABLE, id).stream())
        .anyMatch(
            one ->
                one.continues()
                    .filter(from -> from.trajectory().equals(turn.trajectory()))
                    .filter(from -> isContinued(turn, one, from) && isPartOfConversation(turn))
                    .isPresent());
  }

  private boolean isRemoved(Optional<Instant> since, Scope scope, ContinuationPoint from) {
    boolean ahead = inPast && since.filter(time -> time.isAfter(at)).isPresent();
    return !ahead
        && since
            .filter(
                time ->
                    !time.isAfter(from.at())
                        || (from.trajectory().equals(scope.trajectory())
                            && time.isAfter(scope.openedAt())))
            .isPresent();
  }

  /** Returns the scope and those that it continues; their turns are the conversation. */
  Set<Id> conversationScopes(Optional<Id> scope) {
    Set<Id> line = new LinkedHashSet<>();
    Optional<Id> next = scope;
    while (next.isPresent() && line.add(next.get())) {
      next = find(Scope.TABLE, next.get()).flatMap(Scope::continues).map(ContinuationPoint::scope);
    }
    return line;
  }

  /** Returns the records as they were at another time. */
  VisibleRecords asOf(Instant time) {
    return new VisibleRecords(snapshot, view, page, time, true, visible);
  }

  /** Returns the turns of a trajectory that are not archived, newest first. */
  List<Turn> turnsOfTrajectory(Id trajectory, RecordFilter filter, int limit) {
    return snapshot.list(
        Query.over(Turn.TABLE, "trajectory", "position")
            .equal(trajectory)
            .descending()
            .where(turn -> isShown(turn) && isUnarchived(turn) && filter.matches(turn)),
        limit);
  }

  /** Returns text turns of the subject and its assistants outside these trajectories. */
  List<Turn> turnsOfOtherSessions(String subject, Set<Id> trajectories, int limit) {
    return snapshot.list(
        Query.over(Turn.TABLE, "subject", "created_at")
            .equal(subject)
            .descending()
            .where(turn -> isFromOtherSession(turn, trajectories)),
        limit);
  }

  boolean isFromOtherSession(Turn turn, Set<Id> trajectories) {
    return !trajectories.contains(turn.trajectory())
        && (turn.role() == TurnRole.USER || turn.role() == TurnRole.ASSISTANT)
        && turn.parts().stream().allMatch(TurnPart.TextPart.class::isInstance)
        && isShown(turn);
  }

  /** Returns visible artifacts, newest first. */
  List<Artifact> artifacts(Id trajectory, RecordFilter filter, int limit) {
    return snapshot.list(
        Query.over(Artifact.TABLE, "trajectory", "created_at")
            .equal(trajectory)
            .descending()
            .where(artifact -> isShown(artifact) && filter.matches(artifact)),
        limit);
  }

  /**
   * Returns visible notes, newest first. After many notes of other subjects, the scan continues by
   * owner, over the window's own subjects.
   */
  List<Note> notes(RecordFilter filter, int limit) {
    List<Note> found = new ArrayList<>();
    Query<Note> walk = Query.over(Note.TABLE, "recorded_at").descending();
    int size = Math.clamp(limit, 1, page);
    boolean more = limit > 0;
    while (more && !visible.isCountLimitReached()) {
      Page<Note> part = snapshot.scan(walk, size);
      for (Note note : part.records()) {
        if (found.size() < limit) {
          visibleNote(note).filter(filter::matches).ifPresent(found::add);
        }
      }
      more = part.next().isPresent() && found.size() < limit;
      walk = part.next().map(walk::resume).orElse(walk);
      size = Math.min(2 * size, page);
    }
    return more ? notesOfVisibleOwners(filter, limit) : found;
  }

  private List<Note> notesOfVisibleOwners(RecordFilter filter, int limit) {
    return visible
        .noteOwners()
        .flatMap(
            owner ->
                snapshot
                    .list(
                        Query.over(Note.TABLE, "owner", "recorded_at")
                            .equal(owner)
                            .descending()
                            .where(note -> visibleNote(note).filter(filter::matches).isPresent()),
                        limit)
                    .stream())
        .sorted(Comparator.comparing(Note::recordedAt).thenComparing(Note::id).reversed())
        .limit(limit)
        .flatMap(note -> visibleNote(note).stream())
        .toList();
  }

  /**
   * Counts the notes of other subjects among the newest live notes. The search index leaves them
   * out, and searching for them would reveal how many of them match a query.
   */
  void countOtherNotes(int newest) {
    snapshot
        .list(Query.over(Note.TABLE, "recorded_at").descending(), newest)
        .forEach(this::visibleNote);
  }

  /** Returns closed scopes with a summary, newest first, without those of the conversation. */
  List<Scope> scopes(Id trajectory, RecordFilter filter, Set<Id> conversation, int limit) {
    return snapshot
        .list(
            Query.over(Scope.TABLE, "trajectory", "sequence")
                .equal(trajectory)
                .descending()
                .where(
                    scope ->
                        !conversation.contains(scope.id())
                            && visibleScope(scope).filter(filter::matches).isPresent()),
            limit)
        .stream()
        .flatMap(scope -> visibleScope(scope).stream())
        .toList();
  }

  /** Returns the trajectory as of the time, if it exists. */
  Optional<Trajectory> trajectory(Id id) {
    return view.findTrajectory(id).map(found -> inPast ? view.asOf(found, at) : found);
  }

  <T> Optional<T> find(Table<T> table, Object key) {
    return snapshot.find(table, key);
  }

  /** Returns whether a turn may be recalled; an archived turn may be. */
  boolean isShown(Turn turn) {
    return isWritten(turn.createdAt()) && hasNotEnded(turn.rolledBackAt()) && isVisible(turn);
  }

  /** Returns true for a group window, whose fork continues the conversation of all its subjects. */
  private boolean isPartOfConversation(Turn turn) {
    return visible.isGroupWindow() || isVisible(turn);
  }

  private boolean isVisible(Turn turn) {
    return visible.canShow(turn);
  }

  /** Returns true for every stored record in the present, even if another host's clock is ahead. */
  private boolean isWritten(Instant made) {
    return !inPast || !made.isAfter(at);
  }

  private boolean isUnarchived(Turn turn) {
    return hasNotEnded(turn.archivedAt());
  }

  /** Returns whether the record had not ended at the time. */
  private boolean hasNotEnded(Optional<Instant> end) {
    return end.isEmpty() || (inPast && end.get().isAfter(at));
  }

  boolean isShown(Artifact artifact) {
    boolean live = inPast ? artifact.wasLive(at) : artifact.isLive(at);
    return live && visible.canShow(artifact);
  }

  /** Returns the scope as of the time, if it may be shown. */
  Optional<Scope> visibleScope(Scope scope) {
    return Optional.of(scope)
        .filter(found -> found.closedAt().filter(this::isWritten).isPresent())
        .filter(found -> hasNotEnded(found.rolledBackAt()))
        .map(found -> inPast ? view.asOf(found, at) : found)
        .filter(found -> found.summary().filter(Summary::isPlaceholder).isEmpty())
        .filter(found -> RecordBodyFactory.bodyOf(found).isPresent())
        .filter(visible::canShow);
  }

  /** Returns the note as of the time, if it may be shown. */
  Optional<Note> visibleNote(Note note) {
    Optional<Note> live =
        inPast
            ? view.asOf(note, at).filter(then -> then.valid().contains(at))
            : Optional.of(note).filter(now -> now.isLive(at));
    return live.filter(then -> visible.canShow(then) && visible.canShow(note));
  }
}
