package dev.caliber.agents;

import dev.caliber.agents.Conflict.Item;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.Latest;
import dev.caliber.kernel.Limit;
import dev.caliber.memory.MemoryView;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.text.PlainReader;
import dev.caliber.store.Query;
import dev.caliber.store.Snapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Looks for what does not go together in a task and the tasks below it. It compares texts, so that
 * it is slow: it reads a snapshot and writes nothing. What was resolved is found again only if one
 * of the two has changed since.
 */
final class Detection {
  private final Snapshot snapshot;
  private final AgentsConfig config;
  private final DetectConflicts search;
  private final Instant now;
  private final MemoryView memory;
  private final AgentsView agents;
  private final PlainReader reader;
  private int uncompared; // counted by the one thread that looks

  Detection(Snapshot snapshot, AgentsConfig config, AgentsParts parts, DetectConflicts search) {
    this.snapshot = snapshot;
    this.config = config;
    this.search = search;
    this.now = parts.clock().instant();
    this.memory = MemoryView.of(snapshot, parts.memoryConfig());
    this.agents = AgentsView.of(snapshot, config);
    this.reader = PlainReader.of(parts.memoryConfig().text());
  }

  /** What was found, and how many records were too many to be looked at. */
  record Result(List<ReportConflict> found, int uncompared) {}

  Result find() {
    agents.agent(search.agent());
    List<Trajectory> tasks = tasks();
    List<ReportConflict> found =
        Stream.of(facts(tasks), stated(tasks), decisions(tasks), goals(tasks), contention(tasks))
            .flatMap(Function.identity())
            .toList();
    return new Result(found, uncompared);
  }

  /** The task and everything below it, level by level. */
  private List<Trajectory> tasks() {
    Limit most = new Limit("agents.work.tasks", config.work().tasks());
    List<Trajectory> found = new ArrayList<>(List.of(memory.trajectory(search.trajectory())));
    for (int next = 0; next < found.size(); next++) {
      memory.eachChild(
          found.get(next).id(),
          child -> {
            found.add(child);
            most.check(found.size());
          });
    }
    return found;
  }

  /** Memory links notes that contradict each other when they are written. */
  private Stream<ReportConflict> facts(List<Trajectory> tasks) {
    List<ReportConflict> found = new ArrayList<>();
    for (Trajectory task : tasks) {
      memory.eachLearnedIn(
          task.id(),
          note -> {
            if (note.isBelieved()) {
              note.conflictsWith().forEach(other -> fact(note, other).ifPresent(found::add));
            }
          });
    }
    return found.stream();
  }

  private Optional<ReportConflict> fact(Note note, Id other) {
    return snapshot
        .find(Note.TABLE, other)
        .filter(Note::isBelieved)
        .flatMap(
            found ->
                unsettled(
                    report(
                        ConflictType.CONTRADICTING_FACT,
                        Item.of(EntityRef.of(EntityType.NOTE, found.id())),
                        Item.of(EntityRef.of(EntityType.NOTE, note.id())),
                        note.entity()),
                    later(found.recordedAt(), note.recordedAt())));
  }

  private Stream<ReportConflict> stated(List<Trajectory> tasks) {
    return artifacts(tasks, ArtifactType.FACT, ConflictType.CONTRADICTING_FACT, "facts");
  }

  private Stream<ReportConflict> decisions(List<Trajectory> tasks) {
    return artifacts(
        tasks, ArtifactType.DESIGN_DECISION, ConflictType.INCOMPATIBLE_DECISION, "decisions");
  }

  private Stream<ReportConflict> artifacts(
      List<Trajectory> tasks, ArtifactType type, ConflictType conflict, String about) {
    Latest<Artifact> newest = newest(Comparator.comparing(Artifact::createdAt));
    for (Trajectory task : tasks) {
      memory.eachArtifact(
          task.id(),
          type,
          artifact -> {
            if (artifact.isLive(now)) {
              newest.add(artifact);
            }
          });
    }
    return contradicting(
        newest,
        artifact -> artifact.content().text().orElse(""),
        (one, other) ->
            unsettled(
                report(conflict, ofArtifact(one), ofArtifact(other), about),
                later(one.createdAt(), other.createdAt())));
  }

  private static Item ofArtifact(Artifact artifact) {
    return Item.of(EntityRef.of(EntityType.ARTIFACT, artifact.id()));
  }

  private Stream<ReportConflict> goals(List<Trajectory> tasks) {
    Latest<Trajectory> newest = newest(Comparator.comparing(Trajectory::createdAt));
    tasks.stream().filter(task -> !task.status().isTerminal()).forEach(newest::add);
    return contradicting(
        newest,
        Trajectory::goal,
        (one, other) ->
            unsettled(
                report(ConflictType.GOAL_CONFLICT, ofTask(one), ofTask(other), "goals"),
                later(one.createdAt(), other.createdAt()))); // a goal stays as it was
  }

  private Item ofTask(Trajectory task) {
    return new Item(
        EntityRef.of(EntityType.TRAJECTORY, task.id()),
        agents.at(task.id()).stream().map(Agent::id).findFirst());
  }

  /** Whoever of these tasks has waited too long, and the first it waits for. */
  private Stream<ReportConflict> contention(List<Trajectory> tasks) {
    Instant cutoff = now.minus(config.tending().stuckAfter());
    Waiting waiting = new Waiting(agents.rows(), now);
    return tasks.stream()
        .flatMap(task -> agents.at(task.id()).stream())
        .flatMap(agent -> agents.rows().all(LeaseWait.of(agent.id())).stream())
        .filter(wait -> wait.isLive(now) && wait.since().isBefore(cutoff))
        .flatMap(
            wait ->
                waiting.before(Waiting.Wish.of(wait)).stream()
                    .limit(1)
                    .flatMap(
                        holder ->
                            unsettled(
                                report(
                                    ConflictType.RESOURCE_CONTENTION,
                                    Item.of(holder),
                                    Item.of(wait.agent()),
                                    wait.resource().toString()),
                                wait.since())
                                .stream()));
  }

  private <T> Latest<T> newest(Comparator<T> byTime) {
    return new Latest<>(byTime, config.work().compared());
  }

  private interface Pair<T> {
    Optional<ReportConflict> of(T one, T other);
  }

  /** Every pair of the newest ones whose words contradict each other; the oldest come first. */
  private <T> Stream<ReportConflict> contradicting(
      Latest<T> all, Function<T, String> words, Pair<T> found) {
    List<T> newest = all.records();
    uncompared += (int) (all.all() - newest.size());
    List<ReportConflict> conflicts = new ArrayList<>();
    for (int i = 0; i < newest.size(); i++) {
      for (T other : newest.subList(i + 1, newest.size())) {
        T one = newest.get(i);
        if (reader.contradiction(words.apply(one), words.apply(other)).isPresent()) {
          found.of(one, other).ifPresent(conflicts::add);
        }
      }
    }
    return conflicts.stream();
  }

  /** Unless somebody has resolved it when both were as they are. */
  private Optional<ReportConflict> unsettled(ReportConflict report, Instant changed) {
    Query<Conflict> resolved =
        Query.over(Conflict.TABLE, "resolved_pair")
            .equal(Conflict.pair(report.type(), report.first(), report.second(), report.about()))
            .where(old -> old.resolvedAt().filter(at -> !at.isBefore(changed)).isPresent());
    return agents.rows().upTo(resolved, 1).isEmpty() ? Optional.of(report) : Optional.empty();
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  private ReportConflict report(ConflictType type, Item first, Item second, String about) {
    return new ReportConflict(
        search.agent(), type, first, second, about, Optional.of(search.trajectory()));
  }
}
