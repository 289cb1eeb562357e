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
import dev.caliber.store.Query;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Everything that goes when some records are forgotten, and what is left of what stays. What was
 * made of them alone goes too. What was also made of something else stays, without them: an
 * artifact that was found in another turn as well, a note that has another wording.
 */
final class Oblivion {
  /** What a note is left with. */
  private record Rest(String content, List<Integer> versions, List<Id> sources, Labels labels) {}

  private final Desk desk;
  private final Quotes quotes = new Quotes();
  private final Quotes kept = new Quotes();
  private final Set<EntityRef> gone = new LinkedHashSet<>();
  private final Set<Id> ids = new HashSet<>();
  private final Set<String> texts = new LinkedHashSet<>();
  private final Set<Id> trajectories = new LinkedHashSet<>();
  private final Set<Id> scopes = new LinkedHashSet<>();
  private final Map<Id, Artifact> bereft = new LinkedHashMap<>();
  private final Map<Id, Rest> reworded = new LinkedHashMap<>();

  private Oblivion(Desk desk) {
    this.desk = desk;
  }

  static Oblivion of(Desk desk, List<EntityRef> records) {
    Oblivion oblivion = new Oblivion(desk);
    records.forEach(oblivion::take);
    oblivion.spreadToArtifacts();
    oblivion.spreadToNotes();
    return oblivion;
  }

  /** All that goes, what was asked for first. */
  List<EntityRef> records() {
    return List.copyOf(gone);
  }

  /** Every wording that goes. */
  Collection<String> texts() {
    return texts;
  }

  /** The tasks that it belongs to, or was learned in. */
  Collection<Id> trajectories() {
    return trajectories;
  }

  /** Rewrites what stays. */
  void unquote() {
    bereft.values().forEach(this::bereave);
    reworded.forEach(
        (note, rest) ->
            desk.emit(
                new MemoryEvent.NoteReworded(
                    note, rest.content, rest.versions, rest.sources, rest.labels)));
    Retelling retelling = Retelling.withoutForgotten(desk, new Digest(desk.config()), ids);
    scopes.forEach(id -> desk.transaction().find(Scope.TABLE, id).ifPresent(retelling::tell));
    for (Id id : trajectories) {
      desk.transaction().find(Trajectory.TABLE, id).ifPresent(retelling::tell);
      desk.transaction().find(Trajectory.TABLE, id).ifPresent(this::unquote);
    }
  }

  private void take(EntityRef record) {
    Id id = Id.parse(record.id());
    gone.add(record);
    ids.add(id);
    new Wordings(desk.view()).of(record).forEach(this::takeText);
    switch (record.type()) {
      case TURN -> desk.transaction().find(Turn.TABLE, id).ifPresent(this::takeTurn);
      case ARTIFACT -> desk.transaction().find(Artifact.TABLE, id).ifPresent(this::takeArtifact);
      case NOTE ->
          desk.transaction()
              .find(Note.TABLE, id)
              .ifPresent(note -> trajectories.addAll(note.sources()));
      case SCOPE ->
          desk.transaction()
              .find(Scope.TABLE, id)
              .ifPresent(scope -> trajectories.add(scope.trajectory()));
      case TRAJECTORY -> trajectories.add(id);
      case CHECKPOINT, AGENT, WINDOW, SUBJECT -> {}
    }
  }

  private void takeTurn(Turn turn) {
    trajectories.add(turn.trajectory());
    scopes.add(turn.scope());
  }

  private void takeArtifact(Artifact artifact) {
    trajectories.add(artifact.trajectory());
    scopes.add(artifact.scope());
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
      List.copyOf(trajectories).forEach(this::spreadToArtifacts);
      more = gone.size() > before;
    }
  }

  private void spreadToArtifacts(Id trajectory) {
    Query<Artifact> made =
        Query.over(Artifact.TABLE, "trajectory", "type", "created_at")
            .equal(trajectory)
            .where(this::isMadeOfGone);
    for (Artifact artifact : desk.view().upTo(made, Integer.MAX_VALUE)) {
      if (stays(artifact)) {
        bereft.put(artifact.id(), artifact);
      } else {
        bereft.remove(artifact.id());
        take(EntityRef.of(EntityType.ARTIFACT, artifact.id()));
      }
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
    bereft.values().forEach(artifact -> artifact.content().text().ifPresent(kept::add));
    for (Id trajectory : List.copyOf(trajectories)) {
      new Learned(desk.view(), trajectory)
          .newest(_ -> true, Integer.MAX_VALUE)
          .forEach(note -> spreadTo(note, ids.contains(trajectory)));
    }
  }

  private void spreadTo(Note note, boolean sourceIsGone) {
    if (ids.contains(note.id())) {
      return;
    }
    List<Id> lost = note.sources().stream().filter(ids::contains).toList();
    List<PastNote> history = desk.view().history(note.id());
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
      rewrite(note, new Rest(content.get(), quoting, lost, labels), history);
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

  private void bereave(Artifact artifact) {
    List<Id> lost = artifact.provenance().sources().stream().filter(ids::contains).toList();
    desk.emit(
        new MemoryEvent.ArtifactBereft(artifact.trajectory(), artifact.id(), lost, desk.now()));
  }

  private void unquote(Trajectory trajectory) {
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
