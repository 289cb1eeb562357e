package dev.caliber.memory.forget;

import dev.caliber.kernel.Id;
import dev.caliber.memory.commit.RuleBasedExtraction;
import dev.caliber.memory.commit.SummaryRewriter;
import dev.caliber.memory.commit.UnitOfWork;
import dev.caliber.memory.event.MemoryEvent;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.ExtractionMethod;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.PastNote;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.TrajectoryOutcome;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.text.QuoteMatcher;
import dev.caliber.memory.view.MemoryView;
import dev.caliber.memory.view.RecordTexts;
import dev.caliber.memory.view.TrajectoryNotes;
import dev.caliber.store.Query;
import dev.caliber.store.Transaction;
import dev.caliber.store.job.BatchSize;
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
 * Plan of one forget: records to delete and survivors to rewrite. Records derived only from
 * forgotten ones are deleted too. Records that also have another source survive without the
 * forgotten one: an artifact that was found in another turn as well, a note that has another
 * wording.
 */
public final class ForgetPlan {
  /**
   * New content of a surviving note.
   *
   * @param read the note as it was when the plan was made
   */
  private record NoteRewrite(
      Note read, String content, List<Integer> versions, List<Id> sources, Labels labels) {}

  private final MemoryView view;
  private final Predicate<Note> isErasedAnyway;
  private final Predicate<Id> isTaskErased;
  private final QuoteMatcher quoteMatcher = new QuoteMatcher();
  private final QuoteMatcher survivingTexts = new QuoteMatcher();
  private final Set<EntityRef> gone = new LinkedHashSet<>();
  private final Set<Id> ids = new HashSet<>();
  private final Set<String> texts = new LinkedHashSet<>();
  private final Set<Id> trajectories = new LinkedHashSet<>();
  private final Set<Id> scopes = new LinkedHashSet<>();
  private final Map<Id, ArtifactSourceRemoval> lostSources = new LinkedHashMap<>();
  private final Map<Id, NoteRewrite> noteRewrites = new LinkedHashMap<>();

  /** Surviving artifact that loses some of its sources. */
  private record ArtifactSourceRemoval(Id trajectory, List<Id> lost, Optional<String> text) {}

  private ForgetPlan(MemoryView view, Predicate<Note> isErasedAnyway, Predicate<Id> isTaskErased) {
    this.view = view;
    this.isErasedAnyway = isErasedAnyway;
    this.isTaskErased = isTaskErased;
  }

  /** Plans the deletion of these records in one view. */
  public static ForgetPlan of(MemoryView view, List<EntityRef> records) {
    return new ForgetPlan(view, _ -> false, _ -> false).collect(records);
  }

  /**
   * Plans one batch of a larger forget. Covered records are not rewritten, because other commits
   * erase them and no reader sees them.
   */
  public static ForgetPlan ofCovered(
      ForgetRecordMatcher coverage, MemoryView view, List<EntityRef> records) {
    return new ForgetPlan(
            view, note -> coverage.covers(Note.TABLE, note), coverage::coversTrajectory)
        .collect(records);
  }

  private ForgetPlan collect(List<EntityRef> records) {
    records.forEach(this::addRecord);
    spreadToArtifacts();
    spreadToNotes();
    return this;
  }

  /** Returns all records to delete, the requested ones first. */
  public List<EntityRef> records() {
    return List.copyOf(gone);
  }

  /** Returns whether the plan fits into one commit of this size. */
  public boolean fitsOneCommit(BatchSize most) {
    return fittingCount(most) >= gone.size() + lostSources.size() + noteRewrites.size();
  }

  /** Returns how many of these records a commit of this size may erase. */
  public int fittingCount(BatchSize most) {
    long bytes = texts.stream().mapToLong(String::length).sum();
    return bytes <= most.bytes()
        ? most.records()
        : (int) Math.min(most.records(), gone.size() * most.bytes() / bytes);
  }

  /** Returns all texts that are deleted. */
  Collection<String> texts() {
    return texts;
  }

  /** Returns the trajectories that the records belong to, or were learned in. */
  Collection<Id> trajectories() {
    return trajectories;
  }

  /** Returns whether the notes to rewrite are unchanged since the plan was made. */
  public boolean isUpToDate(Transaction transaction) {
    return noteRewrites.values().stream()
        .allMatch(
            noteRewrite ->
                transaction
                    .find(Note.TABLE, noteRewrite.read.id())
                    .equals(Optional.of(noteRewrite.read)));
  }

  /** Rewrites surviving artifacts, notes, summaries and outcomes. */
  void rewriteSurvivors(UnitOfWork unitOfWork) {
    lostSources.forEach(
        (id, rest) ->
            unitOfWork.emit(
                new MemoryEvent.ArtifactSourcesRemoved(
                    rest.trajectory, id, rest.lost, unitOfWork.now())));
    noteRewrites.forEach(
        (note, noteRewrite) ->
            unitOfWork.emit(
                new MemoryEvent.NoteRewritten(
                    note,
                    noteRewrite.content,
                    noteRewrite.versions,
                    noteRewrite.sources,
                    noteRewrite.labels)));
    SummaryRewriter summaryRewriter =
        SummaryRewriter.withoutForgotten(
            unitOfWork, new RuleBasedExtraction(unitOfWork.config()), ids);
    scopes.forEach(
        id ->
            unitOfWork
                .transaction()
                .find(Scope.TABLE, id)
                .ifPresent(summaryRewriter::rewriteSummary));
    for (Id id : trajectories) {
      if (!isTaskErased.test(id)) {
        unitOfWork
            .transaction()
            .find(Trajectory.TABLE, id)
            .ifPresent(summaryRewriter::rewriteSummary);
        unitOfWork
            .transaction()
            .find(Trajectory.TABLE, id)
            .ifPresent(task -> rewriteOutcome(unitOfWork, task));
      }
    }
  }

  private void addRecord(EntityRef record) {
    Id id = Id.parse(record.id());
    gone.add(record);
    ids.add(id);
    new RecordTexts(view).textsOf(record).forEach(this::addText);
    switch (record.type()) {
      case TURN -> view.find(Turn.TABLE, id).ifPresent(this::addTurn);
      case ARTIFACT -> view.find(Artifact.TABLE, id).ifPresent(this::addArtifact);
      case NOTE -> view.find(Note.TABLE, id).ifPresent(note -> trajectories.addAll(note.sources()));
      case SCOPE ->
          view.find(Scope.TABLE, id).ifPresent(scope -> trajectories.add(scope.trajectory()));
      case TRAJECTORY -> trajectories.add(id);
      case CHECKPOINT, AGENT, WINDOW, SUBJECT -> {}
    }
  }

  private void addTurn(Turn turn) {
    addTrajectoryAndScope(turn.trajectory(), turn.scope());
  }

  private void addArtifact(Artifact artifact) {
    addTrajectoryAndScope(artifact.trajectory(), artifact.scope());
  }

  private void addTrajectoryAndScope(Id trajectory, Id scope) {
    trajectories.add(trajectory);
    if (!isTaskErased.test(trajectory)) {
      scopes.add(scope);
    }
  }

  private void addText(String text) {
    if (!text.isBlank() && texts.add(text)) {
      quoteMatcher.add(text);
    }
  }

  /** Repeats until nothing is added, because an artifact may be derived from another one. */
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
            .where(this::hasForgottenSource);
    view.snapshot().forEach(made, this::spreadTo);
  }

  private void spreadTo(Artifact artifact) {
    if (survives(artifact)) {
      List<Id> lost = artifact.provenance().sources().stream().filter(ids::contains).toList();
      lostSources.put(
          artifact.id(),
          new ArtifactSourceRemoval(artifact.trajectory(), lost, artifact.content().text()));
    } else {
      lostSources.remove(artifact.id());
      addRecord(EntityRef.of(EntityType.ARTIFACT, artifact.id()));
    }
  }

  private boolean hasForgottenSource(Artifact artifact) {
    return !ids.contains(artifact.id())
        && artifact.provenance().sources().stream().anyMatch(ids::contains);
  }

  /**
   * An inferred artifact is present in each of its sources; a composed one may quote any of them.
   */
  private boolean survives(Artifact artifact) {
    boolean otherSource = !ids.containsAll(artifact.provenance().sources());
    boolean found = artifact.provenance().method() == ExtractionMethod.INFERRED;
    return otherSource
        && (found || artifact.content().text().filter(quoteMatcher::isQuotedBy).isEmpty());
  }

  /** Text of a surviving artifact is backed by its other sources, so a note may keep it. */
  private void spreadToNotes() {
    lostSources.values().forEach(artifact -> artifact.text.ifPresent(survivingTexts::add));
    for (Id trajectory : List.copyOf(trajectories)) {
      new TrajectoryNotes(view, trajectory)
          .forEach(note -> spreadTo(note, ids.contains(trajectory)));
    }
  }

  private void spreadTo(Note note, boolean sourceIsGone) {
    if (ids.contains(note.id()) || (!sourceIsGone && isErasedAnyway.test(note))) {
      return;
    }
    List<Id> lost = note.sources().stream().filter(ids::contains).toList();
    List<PastNote> history = view.noteHistory(note.id());
    Labels labels = labelsWithout(lost, note, history);
    List<Integer> quoting =
        history.stream()
            .map(PastNote::note)
            .filter(
                past -> quotesOnly(past.content()) || hasLabelsOfLostSources(lost, past, labels))
            .map(Note::version)
            .toList();
    boolean quotesNow = quotesOnly(note.content());
    Optional<String> content =
        quotesNow ? newestUnquotedText(history) : Optional.of(note.content());
    if (content.isEmpty() || lost.size() == note.sources().size()) {
      addRecord(EntityRef.of(EntityType.NOTE, note.id()));
      noteRewrites.remove(note.id());
    } else if (sourceIsGone || quotesNow || !quoting.isEmpty()) {
      addNoteRewrite(note, new NoteRewrite(note, content.get(), quoting, lost, labels), history);
    }
  }

  /**
   * Drops the labels that came with lost sources. They cannot be separated, so the newest version
   * without those sources decides.
   */
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

  private static boolean hasLabelsOfLostSources(List<Id> lost, Note past, Labels left) {
    return !Collections.disjoint(past.sources(), lost) && !past.labels().equals(left);
  }

  private boolean quotesOnly(String text) {
    return quoteMatcher.isQuotedBy(text) && !survivingTexts.isQuotedBy(text);
  }

  private void addNoteRewrite(Note note, NoteRewrite noteRewrite, List<PastNote> history) {
    noteRewrites.put(note.id(), noteRewrite);
    if (!noteRewrite.content.equals(note.content())) {
      texts.add(note.content());
    }
    history.stream()
        .filter(past -> noteRewrite.versions.contains(past.note().version()))
        .forEach(past -> texts.add(past.note().content()));
  }

  /** Returns the newest text that quotes no forgotten record. */
  private Optional<String> newestUnquotedText(List<PastNote> history) {
    return history.reversed().stream()
        .map(past -> past.note().content())
        .filter(words -> !quotesOnly(words))
        .findFirst();
  }

  private void rewriteOutcome(UnitOfWork unitOfWork, Trajectory trajectory) {
    trajectory
        .outcome()
        .map(TrajectoryOutcome::summary)
        .filter(quoteMatcher::isQuotedBy)
        .ifPresent(
            words ->
                unitOfWork.emit(
                    new MemoryEvent.OutcomeRewritten(
                        trajectory.id(),
                        quoteMatcher.withoutQuotingSentences(words),
                        unitOfWork.now())));
  }
}
