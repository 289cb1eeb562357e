package dev.caliber.agents;

import dev.caliber.agents.Conflict.Item;
import dev.caliber.kernel.Id;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.text.PlainReader;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Looks for what does not go together in a task and the tasks below it. */
final class Detection {
  private final Desk desk;
  private final DetectConflicts command;
  private final PlainReader reader;
  private final List<Trajectory> tasks;

  Detection(Desk desk, DetectConflicts command) {
    this.desk = desk;
    this.command = command;
    this.reader = PlainReader.of(desk.parts().memoryConfig().text());
    Trajectory root = desk.memoryView().trajectory(command.trajectory());
    this.tasks =
        Stream.concat(Stream.of(root), desk.memoryView().children(root.id()).stream()).toList();
  }

  Stream<ReportConflict> find() {
    return Stream.of(facts(), decisions(), goals(), contention()).flatMap(Function.identity());
  }

  /** Memory links notes that contradict each other when they are written. */
  private Stream<ReportConflict> facts() {
    return tasks.stream()
        .flatMap(task -> desk.memoryView().notesLearnedIn(task.id()).stream())
        .filter(Note::isBelieved)
        .flatMap(
            note -> note.conflictsWith().stream().flatMap(other -> fact(note, other).stream()));
  }

  private Optional<ReportConflict> fact(Note note, Id other) {
    return desk.transaction()
        .find(Note.TABLE, other)
        .filter(Note::isBelieved)
        .map(
            found ->
                report(
                    ConflictType.CONTRADICTING_FACT,
                    Item.of(EntityRef.of(EntityType.NOTE, found.id())),
                    Item.of(EntityRef.of(EntityType.NOTE, note.id())),
                    note.entity()));
  }

  private Stream<ReportConflict> decisions() {
    List<Artifact> made =
        tasks.stream()
            .flatMap(
                task ->
                    desk.memoryView().artifacts(task.id(), ArtifactType.DESIGN_DECISION).stream())
            .filter(artifact -> artifact.isLive(desk.now()))
            .toList();
    return contradicting(
        made,
        artifact -> artifact.content().text().orElse(""),
        (one, other) ->
            report(
                ConflictType.INCOMPATIBLE_DECISION,
                Item.of(EntityRef.of(EntityType.ARTIFACT, one.id())),
                Item.of(EntityRef.of(EntityType.ARTIFACT, other.id())),
                "decisions"));
  }

  private Stream<ReportConflict> goals() {
    List<Trajectory> open = tasks.stream().filter(task -> !task.status().isTerminal()).toList();
    return contradicting(
        open,
        Trajectory::goal,
        (one, other) -> report(ConflictType.GOAL_CONFLICT, ofTask(one), ofTask(other), "goals"));
  }

  private Item ofTask(Trajectory task) {
    return new Item(
        EntityRef.of(EntityType.TRAJECTORY, task.id()),
        desk.view().at(task.id()).stream().map(Agent::id).findFirst());
  }

  /** Whoever has waited too long, and the first it waits for. */
  private Stream<ReportConflict> contention() {
    Instant cutoff = desk.now().minus(desk.config().tending().stuckAfter());
    Waiting waiting = new Waiting(desk.transaction(), desk.now());
    return desk.view().waits().stream()
        .filter(wait -> wait.isLive(desk.now()) && wait.since().isBefore(cutoff))
        .flatMap(
            wait ->
                waiting.before(Waiting.Wish.of(wait)).stream()
                    .limit(1)
                    .map(
                        holder ->
                            report(
                                ConflictType.RESOURCE_CONTENTION,
                                Item.of(holder),
                                Item.of(wait.agent()),
                                wait.resource().toString())));
  }

  private interface Pair<T> {
    ReportConflict of(T one, T other);
  }

  /** Every pair of the newest ones whose words contradict each other. */
  private <T> Stream<ReportConflict> contradicting(
      List<T> all, Function<T, String> words, Pair<T> found) {
    int most = desk.config().work().compared();
    List<T> newest = all.subList(Math.max(0, all.size() - most), all.size());
    List<ReportConflict> conflicts = new ArrayList<>();
    for (int i = 0; i < newest.size(); i++) {
      for (T other : newest.subList(i + 1, newest.size())) {
        T one = newest.get(i);
        if (reader.contradiction(words.apply(one), words.apply(other)).isPresent()) {
          conflicts.add(found.of(one, other));
        }
      }
    }
    return conflicts.stream();
  }

  private ReportConflict report(ConflictType type, Item first, Item second, String about) {
    return new ReportConflict(
        command.agent(), type, first, second, about, Optional.of(command.trajectory()));
  }
}
