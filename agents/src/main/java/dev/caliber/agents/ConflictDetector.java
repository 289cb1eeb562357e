package dev.caliber.agents;

import dev.caliber.agents.command.DetectConflicts;
import dev.caliber.agents.command.ReportConflict;
import dev.caliber.agents.conflict.Conflict;
import dev.caliber.agents.conflict.Conflict.ConflictSide;
import dev.caliber.agents.conflict.ConflictType;
import dev.caliber.agents.lease.LeaseQueueEntry;
import dev.caliber.agents.lease.LeaseRequest;
import dev.caliber.agents.lease.WaitForGraph;
import dev.caliber.agents.registry.Agent;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.LatestRecords;
import dev.caliber.kernel.Limit;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.text.RuleBasedTextAnalyzer;
import dev.caliber.memory.view.MemoryView;
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
 * Searches for conflicts in a task and its descendants. It compares texts and is therefore slow: it
 * reads a snapshot and writes nothing. A resolved conflict is reported again only if one of its
 * sides has changed since.
 */
public final class ConflictDetector {
  private final Snapshot snapshot;
  private final AgentsConfig config;
  private final DetectConflicts search;
  private final Instant now;
  private final MemoryView memory;
  private final AgentsView agents;
  private final RuleBasedTextAnalyzer reader;
  private int uncompared; // written by the searching thread only

  public ConflictDetector(
      Snapshot snapshot, AgentsConfig config, AgentsDependencies parts, DetectConflicts search) {
    this.snapshot = snapshot;
    this.config = config;
    this.search = search;
    this.now = parts.clock().instant();
    this.memory = MemoryView.of(snapshot, parts.memoryConfig());
    this.agents = AgentsView.of(snapshot, config);
    this.reader = RuleBasedTextAnalyzer.of(parts.memoryConfig().text());
  }

  /** Conflicts found, and the number of records that exceeded the limit of the comparison. */
  public record ConflictReports(List<ReportConflict> found, int uncompared) {}

  public ConflictReports detect() {
    agents.agent(search.agent());
    List<Trajectory> tasks = taskAndDescendants();
    List<ReportConflict> found =
        Stream.of(
                contradictingNotes(tasks),
                contradictingFacts(tasks),
                contradictingDecisions(tasks),
                contradictingGoals(tasks),
                longWaits(tasks))
            .flatMap(Function.identity())
            .toList();
    return new ConflictReports(found, uncompared);
  }

  /** Returns the task and its descendants, level by level. */
  private List<Trajectory> taskAndDescendants() {
    Limit most =
        new Limit("agents.work.conflict-search-tasks", config.work().conflictSearchTasks());
    List<Trajectory> found = new ArrayList<>(List.of(memory.trajectory(search.trajectory())));
    for (int next = 0; next < found.size(); next++) {
      memory.forEachChild(
          found.get(next).id(),
          child -> {
            found.add(child);
            most.requireWithin(found.size());
          });
    }
    return found;
  }

  /** Finds contradicting notes, which memory links when they are written. */
  private Stream<ReportConflict> contradictingNotes(List<Trajectory> tasks) {
    List<ReportConflict> found = new ArrayList<>();
    for (Trajectory task : tasks) {
      memory.forEachNoteLearnedIn(
          task.id(),
          note -> {
            if (note.isBelieved()) {
              note.conflictsWith()
                  .forEach(other -> contradictingNote(note, other).ifPresent(found::add));
            }
          });
    }
    return found.stream();
  }

  private Optional<ReportConflict> contradictingNote(Note note, Id other) {
    return snapshot
        .find(Note.TABLE, other)
        .filter(Note::isBelieved)
        .flatMap(
            found ->
                unlessResolved(
                    newReport(
                        ConflictType.CONTRADICTING_FACT,
                        ConflictSide.of(EntityRef.of(EntityType.NOTE, found.id())),
                        ConflictSide.of(EntityRef.of(EntityType.NOTE, note.id())),
                        note.entity()),
                    later(found.recordedAt(), note.recordedAt())));
  }

  private Stream<ReportConflict> contradictingFacts(List<Trajectory> tasks) {
    return contradictingArtifacts(
        tasks, ArtifactType.FACT, ConflictType.CONTRADICTING_FACT, "facts");
  }

  private Stream<ReportConflict> contradictingDecisions(List<Trajectory> tasks) {
    return contradictingArtifacts(
        tasks, ArtifactType.DESIGN_DECISION, ConflictType.INCOMPATIBLE_DECISION, "decisions");
  }

  private Stream<ReportConflict> contradictingArtifacts(
      List<Trajectory> tasks, ArtifactType type, ConflictType conflict, String about) {
    LatestRecords<Artifact> newest = newestRecords(Comparator.comparing(Artifact::createdAt));
    for (Trajectory task : tasks) {
      memory.forEachArtifact(
          task.id(),
          type,
          artifact -> {
            if (artifact.isLive(now)) {
              newest.add(artifact);
            }
          });
    }
    return contradictingPairs(
        newest,
        artifact -> artifact.content().text().orElse(""),
        (one, other) ->
            unlessResolved(
                newReport(conflict, artifactSide(one), artifactSide(other), about),
                later(one.createdAt(), other.createdAt())));
  }

  private static ConflictSide artifactSide(Artifact artifact) {
    return ConflictSide.of(EntityRef.of(EntityType.ARTIFACT, artifact.id()));
  }

  private Stream<ReportConflict> contradictingGoals(List<Trajectory> tasks) {
    LatestRecords<Trajectory> newest = newestRecords(Comparator.comparing(Trajectory::createdAt));
    tasks.stream().filter(task -> !task.status().isTerminal()).forEach(newest::add);
    return contradictingPairs(
        newest,
        Trajectory::goal,
        (one, other) ->
            unlessResolved(
                newReport(ConflictType.GOAL_CONFLICT, taskSide(one), taskSide(other), "goals"),
                later(one.createdAt(), other.createdAt()))); // the goal of a task never changes
  }

  private ConflictSide taskSide(Trajectory task) {
    return new ConflictSide(
        EntityRef.of(EntityType.TRAJECTORY, task.id()),
        agents.agentsAtTask(task.id()).stream().map(Agent::id).findFirst());
  }

  /**
   * Finds agents of these tasks that have waited too long, with the first agent that each waits
   * for.
   */
  private Stream<ReportConflict> longWaits(List<Trajectory> tasks) {
    Instant cutoff = now.minus(config.maintenance().stuckAfter());
    WaitForGraph waitForGraph = new WaitForGraph(agents.snapshot(), now);
    return tasks.stream()
        .flatMap(task -> agents.agentsAtTask(task.id()).stream())
        .flatMap(agent -> agents.snapshot().list(LeaseQueueEntry.queryByAgent(agent.id())).stream())
        .filter(wait -> wait.isLive(now) && wait.since().isBefore(cutoff))
        .flatMap(
            wait ->
                waitForGraph.blockingAgents(LeaseRequest.of(wait)).stream()
                    .limit(1)
                    .flatMap(
                        holder ->
                            unlessResolved(
                                newReport(
                                    ConflictType.RESOURCE_CONTENTION,
                                    ConflictSide.of(holder),
                                    ConflictSide.of(wait.agent()),
                                    wait.resource().toString()),
                                wait.since())
                                .stream()));
  }

  private <T> LatestRecords<T> newestRecords(Comparator<T> byTime) {
    return new LatestRecords<>(byTime, config.work().conflictSearchRecords());
  }

  private interface PairReporter<T> {
    Optional<ReportConflict> report(T one, T other);
  }

  /** Compares every pair of the newest records, oldest first. */
  private <T> Stream<ReportConflict> contradictingPairs(
      LatestRecords<T> all, Function<T, String> words, PairReporter<T> found) {
    List<T> newest = all.records();
    uncompared += (int) (all.totalCount() - newest.size());
    List<ReportConflict> conflicts = new ArrayList<>();
    for (int i = 0; i < newest.size(); i++) {
      for (T other : newest.subList(i + 1, newest.size())) {
        T one = newest.get(i);
        if (reader.findContradiction(words.apply(one), words.apply(other)).isPresent()) {
          found.report(one, other).ifPresent(conflicts::add);
        }
      }
    }
    return conflicts.stream();
  }

  /** Returns the report, unless the conflict was resolved after the last change of both sides. */
  private Optional<ReportConflict> unlessResolved(ReportConflict report, Instant changed) {
    Query<Conflict> resolved =
        Query.over(Conflict.TABLE, "resolved_pair")
            .equal(Conflict.pairKey(report.type(), report.first(), report.second(), report.about()))
            .where(old -> old.resolvedAt().filter(at -> !at.isBefore(changed)).isPresent());
    return agents.snapshot().list(resolved, 1).isEmpty() ? Optional.of(report) : Optional.empty();
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  private ReportConflict newReport(
      ConflictType type, ConflictSide first, ConflictSide second, String about) {
    return new ReportConflict(
        search.agent(), type, first, second, about, Optional.of(search.trajectory()));
  }
}
