package dev.caliber.memory.context;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.PcpConfig.ContextDag;
import dev.caliber.memory.record.Continuation;
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
 * A task above another one, which reaches into its window with artifacts and summaries.
 *
 * @param at as it was then, for one that was forked from; empty for the present
 */
record Ancestor(Id trajectory, Optional<Instant> at) {

  /** Nearest first; where there are too many, those that the strategy keeps. */
  static List<Ancestor> of(Reading reading, AssembleRequest request, ContextDag settings) {
    if (!settings.enabled()) {
      return List.of();
    }
    List<Trajectory> line = line(reading, request.trajectory());
    List<Trajectory> kept = kept(line.subList(1, line.size()), request.query(), settings);
    List<Ancestor> ancestors = new ArrayList<>();
    Optional<Instant> at = Optional.empty();
    for (int i = 1; i < line.size(); i++) {
      at = earlier(at, forked(reading, line.get(i - 1)));
      if (kept.contains(line.get(i))) {
        ancestors.add(new Ancestor(line.get(i).id(), at));
      }
    }
    return ancestors;
  }

  /** Above what was forked from, the past is the same past or an earlier one. */
  private static Optional<Instant> earlier(Optional<Instant> one, Optional<Instant> other) {
    return Stream.of(one, other).flatMap(Optional::stream).min(Comparator.naturalOrder());
  }

  /** The trajectory and those above it; one that was forgotten ends the line. */
  private static List<Trajectory> line(Reading reading, Id trajectory) {
    List<Trajectory> line = new ArrayList<>();
    Set<Id> seen = new HashSet<>();
    Optional<Trajectory> next = reading.trajectory(trajectory);
    while (next.isPresent() && seen.add(next.get().id())) {
      line.add(next.get());
      next = next.get().parent().flatMap(reading::trajectory);
    }
    return line;
  }

  /** When a trajectory was forked from its parent, if it was. */
  private static Optional<Instant> forked(Reading reading, Trajectory child) {
    return reading
        .snapshot()
        .scan(Query.over(Scope.TABLE, "trajectory", "sequence").equal(child.id()), 1)
        .records()
        .stream()
        .flatMap(first -> first.continues().stream())
        .filter(from -> !from.trajectory().equals(child.id()))
        .map(Continuation::at)
        .findFirst();
  }

  private static List<Trajectory> kept(
      List<Trajectory> above, Optional<String> query, ContextDag settings) {
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

  /** Which share of the query's words its goal and summary have. */
  private static double relevance(Trajectory task, Optional<String> query) {
    String told = task.goal() + " " + task.summary().map(Summary::text).orElse("");
    return query.map(words -> WordSets.covered(WordSets.of(words), WordSets.of(told))).orElse(0.0);
  }

  Reading seenBy(Reading reading) {
    return at.filter(time -> time.isBefore(reading.at())).map(reading::at).orElse(reading);
  }
}
