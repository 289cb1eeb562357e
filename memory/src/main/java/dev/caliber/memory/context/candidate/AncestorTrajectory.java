package dev.caliber.memory.context.candidate;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.ContextIntegrityConfig.AncestorSettings;
import dev.caliber.memory.context.window.AssembleRequest;
import dev.caliber.memory.record.ContinuationPoint;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.spi.Summary;
import dev.caliber.memory.text.WordSets;
import dev.caliber.store.Query;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Ancestor of a trajectory whose artifacts and summaries its window may show.
 *
 * @param at the time of the fork, if the trajectory was forked from it; empty for the present
 */
public record AncestorTrajectory(Id trajectory, Optional<Instant> at) {

  /** Returns the ancestors, nearest first; if there are too many, the prune strategy selects. */
  public static List<AncestorTrajectory> ancestorsOf(
      VisibleRecords visibleRecords, AssembleRequest request, AncestorSettings settings) {
    if (!settings.enabled()) {
      return List.of();
    }
    List<Trajectory> line = trajectoryAndAncestors(visibleRecords, request.trajectory());
    List<Trajectory> kept =
        selectAncestors(line.subList(1, line.size()), request.query(), settings);
    List<AncestorTrajectory> ancestors = new ArrayList<>();
    Optional<Instant> at = Optional.empty();
    for (int i = 1; i < line.size(); i++) {
      at = earlier(at, forkTime(visibleRecords, line.get(i - 1)));
      if (kept.contains(line.get(i))) {
        ancestors.add(new AncestorTrajectory(line.get(i).id(), at));
      }
    }
    return ancestors;
  }

  /** Ancestors above a fork are read at its time or earlier. */
  private static Optional<Instant> earlier(Optional<Instant> one, Optional<Instant> other) {
    return Stream.of(one, other).flatMap(Optional::stream).min(Comparator.naturalOrder());
  }

  /** Returns the trajectory and its ancestors; a forgotten one ends the list. */
  private static List<Trajectory> trajectoryAndAncestors(
      VisibleRecords visibleRecords, Id trajectory) {
    List<Trajectory> line = new ArrayList<>();
    Set<Id> seen = new HashSet<>();
    Optional<Trajectory> next = visibleRecords.trajectory(trajectory);
    while (next.isPresent() && seen.add(next.get().id())) {
      line.add(next.get());
      next = next.get().parent().flatMap(visibleRecords::trajectory);
    }
    return line;
  }

  /** Returns when a trajectory was forked from its parent, if it was. */
  private static Optional<Instant> forkTime(VisibleRecords visibleRecords, Trajectory child) {
    return visibleRecords
        .snapshot()
        .scan(Query.over(Scope.TABLE, "trajectory", "sequence").equal(child.id()), 1)
        .records()
        .stream()
        .flatMap(first -> first.continues().stream())
        .filter(from -> !from.trajectory().equals(child.id()))
        .map(ContinuationPoint::at)
        .findFirst();
  }

  private static List<Trajectory> selectAncestors(
      List<Trajectory> above, Optional<String> query, AncestorSettings settings) {
    if (above.size() <= settings.maxDepth()) {
      return above;
    }
    List<Trajectory> byUse =
        above.stream().sorted(Comparator.comparing(Trajectory::updatedAt).reversed()).toList();
    List<Trajectory> byRelevance =
        above.stream().sorted(Comparator.comparingDouble(task -> -relevance(task, query))).toList();
    Comparator<Trajectory> order =
        switch (settings.pruneStrategy()) {
          case LRU -> Comparator.comparingInt(byUse::indexOf);
          case RELEVANCE -> Comparator.comparingInt(byRelevance::indexOf);
          case HYBRID ->
              Comparator.comparingInt(task -> byUse.indexOf(task) + byRelevance.indexOf(task));
        };
    return above.stream().sorted(order).limit(settings.maxDepth()).toList();
  }

  /** Returns the share of the query's words that the goal and summary contain. */
  private static double relevance(Trajectory task, Optional<String> query) {
    String text = task.goal() + " " + task.summary().map(Summary::text).orElse("");
    return query
        .map(words -> WordSets.coverage(WordSets.wordsOf(words), WordSets.wordsOf(text)))
        .orElse(0.0);
  }

  VisibleRecords asOfFork(VisibleRecords visibleRecords) {
    return at.filter(time -> time.isBefore(visibleRecords.at()))
        .map(visibleRecords::asOf)
        .orElse(visibleRecords);
  }
}
