package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.ExtractionMethod;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.MemoryEvent;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Outcome;
import dev.caliber.memory.record.PastNote;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.store.BatchSize;
import dev.caliber.store.Query;
import dev.caliber.store.Transaction;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Everything that goes when some records are forgotten, and what is left of what stays. What was
 * made of them alone goes too. What was also made of something else stays, without them: an
 * artifact that was found in another turn as well, a note that has another wording.
 */
final class Oblivion {
  /**
   * What a note is left with.
   *
   * @param read the note as it was when this was decided
   */
  private record Rest(
      Note read, String content, List<Integer> versions, List<Id> sources, Labels labels) {}

  private final MemoryView view;
  private final Predicate<Note> isErasedAnyway;
  private final Predicate<Id> isTaskErased;
  private final Quotes quotes = new Quotes();
  private final Quotes kept = new Quotes();
  private final Set<EntityRef> gone = new LinkedHashSet<>();
  private final Set<Id> ids = new HashSet<>();
  private final Set<String> texts = new LinkedHashSet<>();
  private final Set<Id> trajectories = new LinkedHashSet<>();
  private final Set<Id> scopes = new LinkedHashSet<>();
  private final Map<Id, Bereft> bereft = new LinkedHashMap<>();
  private final Map<Id, Rest> reworded = new LinkedHashMap<>();

  /** An artifact that stays without some of its sources. */
  private record Bereft(Id trajectory, List<Id> lost, Optional<String> text) {}

  private Oblivion(MemoryView view, Predicate<Note> isErasedAnyway, Predicate<Id> isTaskErased) {
    this.view = view;
    this.isErasedAnyway = isErasedAnyway;
    this.isTaskErased = isTaskErased;
  }

  /** What goes with these records, as one view of them shows it. */
  static Oblivion of(MemoryView view, List<EntityRef> records) {
    return new Oblivion(view, _ -> false, _ -> false).with(records);
  }

  /** What is covered is erased in other commits and never read again, so it is not rewritten. */
  static Oblivion within(ForgetCoverage coverage, MemoryView view, List<EntityRef> records) {
    return new Oblivion(view, note -> coverage.covers(Note.TABLE, note), coverage::coversTrajectory)
        .with(records);
  }

  private Oblivion with(List<EntityRef> records) {
    records.forEach(this::take);
    spreadToArtifacts();
    spreadToNotes();
    return this;
  }

  /** All that goes, what was asked for first. */
  List<EntityRef> records() {
    return List.copyOf(gone);
  }

  /** Whether one commit of this size may do it. */
  boolean fits(BatchSize most) {
    return fitting(most) >= gone.size() + bereft.size() + reworded.size();
  }

  /** How many of these records a commit of this size may erase. */
  int fitting(BatchSize most) {
    long bytes = texts.stream().mapToLong(String::length).sum();
    return bytes <= most.bytes()
        ? most.records()
        : (int) Math.min(most.records(), gone.size() * most.bytes() / bytes);
  }

  /** Every wording that goes. */
  Collection<String> texts() {
    return texts;
  }

  /** The tasks that it belongs to, or was learned in. */
  Collection<Id> trajectories() {
    return trajectories;
  }

  /** Whether the notes that are rewritten are in a commit as they were when this was decided. */
  boolean isUpToDate(Transaction transaction) {
    return reworded.values().stream()
        .allMatch(
            rest -> transaction.find(Note.TABLE, rest.read.id()).equals(Optional.of(rest.read)));
  }

  /** Rewrites what stays. */
  void unquote(Desk desk) {
    bereft.forEach(
        (id, rest) ->
            desk.emit(new MemoryEvent.ArtifactBereft(rest.trajectory, id, rest.lost, desk.now())));
    reworded.forEach(
        (note, rest) ->
            desk.emit(
                new MemoryEvent.NoteReworded(
                    note, rest.content, rest.versions, rest.sources, rest.labels)));
    Retelling retelling = Retelling.withoutForgotten(desk, new Digest(desk.config()), ids);
    scopes.forEach(id -> desk.transaction().find(Scope.TABLE, id).ifPresent(retelling::tell));
    for (Id id : trajectories) {
      if (!isTaskErased.test(id)) {
        desk.transaction().find(Trajectory.TABLE, id).ifPresent(retelling::tell);
        desk.transaction().find(Trajectory.TABLE, id).ifPresent(task -> unquote(desk, task));
      }
    }
  }

  private void take(EntityRef record) {
    Id id = Id.parse(record.id());
    gone.add(record);
    ids.add(id);
    new Wordings(view).of(record).forEach(this::takeText);
    switch (record.type()) {
      case TURN -> view.find(Turn.TABLE, id).ifPresent(this::takeTurn);
      case ARTIFACT -> view.find(Artifact.TABLE, id).ifPresent(this::takeArtifact);
      case NOTE -> view.find(Note.TABLE, id).ifPresent(note -> trajectories.addAll(note.sources()));
      case SCOPE ->
          view.find(Scope.TABLE, id).ifPresent(scope -> trajectories.add(scope.trajectory()));
      case TRAJECTORY -> trajectories.add(id);
      case CHECKPOINT, AGENT, WINDOW, SUBJECT -> {}
    }
  }

  private void takeTurn(Turn turn) {
    addPlace(turn.trajectory(), turn.scope());
  }

  private void takeArtifact(Artifact artifact) {
    addPlace(artifact.trajectory(), artifact.scope());
  }

  private void addPlace(Id trajectory, Id scope) {
    trajectories.add(trajectory);
    if (!isTaskErased.test(trajectory)) {
      scopes.add(scope);
    }
  }

  private void takeText(String text) {
    if (!text.isBlank() && texts.add(text)) {
      quotes.add(text);
    }
  }

  /** Again and again, because an artifact may have been made of another one. */
  private void spreadToArtifacts() {
    boolean more = true;
    while (more) {
      int before = gone.size();
      List.copyOf(trajectories).stream()
          .filter(id -> !isTaskErased.test(id))
          .forEach(this::spreadToArtifacts);
      more = gone.size() > before;
    }
  }

  private void spreadToArtifacts(Id trajectory) {
    Query<Artifact> made =
        Query.over(Artifact.TABLE, "trajectory", "type", "created_at")
            .equal(trajectory)
            .where(this::isMadeOfGone);
    view.each(made, this::spreadTo);
  }

  private void spreadTo(Artifact artifact) {
    if (stays(artifact)) {
      List<Id> lost = artifact.provenance().sources().stream().filter(ids::contains).toList();
      bereft.put(artifact.id(), new Bereft(artifact.trajectory(), lost, artifact.content().text()));
    } else {
      bereft.remove(artifact.id());
      take(EntityRef.of(EntityType.ARTIFACT, artifact.id()));
    }
  }

  private boolean isMadeOfGone(Artifact artifact) {
    return !ids.contains(artifact.id())
        && artifact.provenance().sources().stream().anyMatch(ids::contains);
  }

  /** What was found has been found in each of its sources; what was composed may quote any. */
  private boolean stays(Artifact artifact) {
    boolean otherSource = !ids.containsAll(artifact.provenance().sources());
    boolean found = artifact.provenance().method() == ExtractionMethod.INFERRED;
    return otherSource && (found || artifact.content().text().filter(quotes::isQuotedBy).isEmpty());
  }

  /** What an artifact that stays says is said by its other sources, so a note may say it too. */
  private void spreadToNotes() {
    bereft.values().forEach(artifact -> artifact.text.ifPresent(kept::add));
    for (Id trajectory : List.copyOf(trajectories)) {
      new Learned(view, trajectory).each(note -> spreadTo(note, ids.contains(trajectory)));
    }
  }

  private void spreadTo(Note note, boolean sourceIsGone) {
    if (ids.contains(note.id()) || (!sourceIsGone && isErasedAnyway.test(note))) {
      return;
    }
    List<Id> lost = note.sources().stream().filter(ids::contains).toList();
    List<PastNote> history = view.history(note.id());
    Labels labels = labelsWithout(lost, note, history);
    List<Integer> quoting =
        history.stream()
            .map(PastNote::note)
            .filter(past -> quotesOnly(past.content()) || isLabelledBy(lost, past, labels))
            .map(Note::version)
            .toList();
    boolean quotesNow = quotesOnly(note.content());
    Optional<String> content = quotesNow ? otherWords(history) : Optional.of(note.content());
    if (content.isEmpty() || lost.size() == note.sources().size()) {
      take(EntityRef.of(EntityType.NOTE, note.id()));
      reworded.remove(note.id());
    } else if (sourceIsGone || quotesNow || !quoting.isEmpty()) {
      rewrite(note, new Rest(note, content.get(), quoting, lost, labels), history);
    }
  }

  /** What tasks that go have hung on a note goes with them, as they cannot be told apart. */
  private static Labels labelsWithout(List<Id> lost, Note note, List<PastNote> history) {
    return lost.isEmpty()
        ? note.labels()
        : history.reversed().stream()
            .map(PastNote::note)
            .filter(past -> Collections.disjoint(past.sources(), lost))
            .map(Note::labels)
            .findFirst()
            .orElseGet(() -> note.labels().subjectOnly());
  }

  private static boolean isLabelledBy(List<Id> lost, Note past, Labels left) {
    return !Collections.disjoint(past.sources(), lost) && !past.labels().equals(left);
  }

  private boolean quotesOnly(String text) {
    return quotes.isQuotedBy(text) && !kept.isQuotedBy(text);
  }

  private void rewrite(Note note, Rest rest, List<PastNote> history) {
    reworded.put(note.id(), rest);
    if (!rest.content.equals(note.content())) {
      texts.add(note.content());
    }
    history.stream()
        .filter(past -> rest.versions.contains(past.note().version()))
        .forEach(past -> texts.add(past.note().content()));
  }

  /** The newest wording that quotes nothing. */
  private Optional<String> otherWords(List<PastNote> history) {
    return history.reversed().stream()
        .map(past -> past.note().content())
        .filter(words -> !quotesOnly(words))
        .findFirst();
  }

  private void unquote(Desk desk, Trajectory trajectory) {
    trajectory
        .outcome()
        .map(Outcome::summary)
        .filter(quotes::isQuotedBy)
        .ifPresent(
            words ->
                desk.emit(
                    new MemoryEvent.OutcomeReworded(
                        trajectory.id(), quotes.removedFrom(words), desk.now())));
  }
}
