package dev.caliber.memory.context;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.config.Comparator;
import dev.caliber.kernel.config.FilterValue;
import dev.caliber.memory.SubjectFilter;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.SubjectScope;
import dev.caliber.memory.record.Turn;
import dev.caliber.store.Query;
import dev.caliber.store.Snapshot;
import dev.caliber.store.search.SearchFilter;
import dev.caliber.store.search.SearchIndex;
import dev.caliber.store.search.SearchQuery;
import dev.caliber.store.search.SearchResult;
import java.time.Instant;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Asks the index: once for each kind of record that rules want ranked, so that the notes of a large
 * space do not crowd out the turns of the trajectory.
 *
 * @param trajectories the task, then those above it that reach into its window
 * @param current the scope whose turns are there anyway
 * @param visible whose notes may be found
 * @param subject whose other sessions may be found
 */
record Searching(
    SearchIndex index,
    SpaceId space,
    List<Id> trajectories,
    Optional<Id> current,
    String text,
    Instant at,
    long sequence,
    SubjectScope visible,
    Optional<String> subject) {
  private static final String TRAJECTORY = "trajectory_id";

  /**
   * The kinds of which the index may have something to tell: most tasks have one scope, whose turns
   * are there anyway, and many have made nothing, and a search costs more than a look.
   */
  static Set<SourceKind> present(Snapshot snapshot, List<Id> trajectories, Optional<Id> current) {
    Set<SourceKind> kinds = EnumSet.of(SourceKind.NOTE);
    if (hasScopeBeside(snapshot, trajectories.getFirst(), current)) {
      kinds.add(SourceKind.TURN);
      kinds.add(SourceKind.SCOPE);
    } else if (trajectories.stream().anyMatch(task -> hasScopeBeside(snapshot, task, current))) {
      kinds.add(SourceKind.SCOPE);
    }
    if (trajectories.stream().anyMatch(task -> hasArtifact(snapshot, task))) {
      kinds.add(SourceKind.ARTIFACT);
    }
    return kinds;
  }

  private static boolean hasScopeBeside(Snapshot snapshot, Id trajectory, Optional<Id> current) {
    return snapshot
        .first(
            Query.over(Scope.TABLE, "trajectory", "sequence")
                .equal(trajectory)
                .where(scope -> !current.equals(Optional.of(scope.id()))))
        .isPresent();
  }

  private static boolean hasArtifact(Snapshot snapshot, Id trajectory) {
    return snapshot
        .first(Query.over(Artifact.TABLE, "trajectory", "created_at").equal(trajectory))
        .isPresent();
  }

  Found find(List<Rule> rules, Set<SourceKind> present, int candidateLimit) {
    Map<SourceKind, SearchResult> results = new EnumMap<>(SourceKind.class);
    Map<SourceKind, Integer> limits = limits(rules, candidateLimit);
    limits.keySet().retainAll(present);
    limits.forEach(
        (kind, limit) ->
            table(kind)
                .ifPresent(table -> results.put(kind, index.search(query(table, kind, limit)))));
    Found found = Found.of(results, limits);
    return rules.stream()
        .filter(Rule::elsewhere)
        .findFirst()
        .map(rule -> found.and(index.search(elsewhere(rule.limit().records() + 1))))
        .orElse(found);
  }

  /** What the subject and its assistants have said in other sessions. */
  private SearchQuery elsewhere(int limit) {
    return SearchQuery.of(space, text, limit)
        .in(Turn.TABLE.name())
        .where(
            SearchFilter.all(
                SearchFilter.equal("subject", subject.orElseThrow()),
                new SearchFilter.Not(ofAny()),
                SearchFilter.anyOf("role", List.of("user", "assistant"))))
        .asOf(at)
        .after(sequence)
        .explained();
  }

  /** How many hits all rules of a kind need together, and one more to know whether there is one. */
  private static Map<SourceKind, Integer> limits(List<Rule> rules, int candidateLimit) {
    Map<SourceKind, Integer> limits = new EnumMap<>(SourceKind.class);
    for (Rule rule : rules) {
      SourceKind kind = rule.section().kind();
      if (!rule.elsewhere() && (rule.isRelevant() || isAlwaysRanked(kind))) {
        limits.merge(kind, limit(rule, candidateLimit), Integer::sum);
      }
    }
    limits.replaceAll((_, limit) -> Math.min(limit, candidateLimit) + 1);
    return limits;
  }

  /** What a window shows in any mode is nearer to a query or further from it all the same. */
  private static boolean isAlwaysRanked(SourceKind kind) {
    return kind == SourceKind.ARTIFACT || kind == SourceKind.SCOPE;
  }

  /** A rule with a filter needs more than it will take. */
  private static int limit(Rule rule, int candidateLimit) {
    return rule.isRelevant() && rule.filter().isEmpty() ? rule.limit().records() : candidateLimit;
  }

  private SearchQuery query(String table, SourceKind kind, int limit) {
    return SearchQuery.of(space, text, limit)
        .in(table)
        .where(condition(kind))
        .asOf(at)
        .after(sequence)
        .explained();
  }

  private static Optional<String> table(SourceKind kind) {
    return switch (kind) {
      case NOTE -> Optional.of(Note.TABLE.name());
      case TURN -> Optional.of(Turn.TABLE.name());
      case ARTIFACT -> Optional.of(Artifact.TABLE.name());
      case SCOPE -> Optional.of(Scope.TABLE.name());
      case SYSTEM, TRAJECTORY -> Optional.empty();
    };
  }

  private SearchFilter condition(SourceKind kind) {
    return switch (kind) {
      case NOTE ->
          visibly(
              SearchFilter.all(
                  not("valid_from", Comparator.GREATER), not("valid_until", Comparator.AT_MOST)));
      case TURN ->
          current
              .<SearchFilter>map(
                  scope ->
                      SearchFilter.all(
                          ofTrajectory(),
                          new SearchFilter.Not(SearchFilter.equal("scope_id", scope.toString()))))
              .orElseGet(this::ofTrajectory);
      case ARTIFACT -> SearchFilter.all(ofAny(), not("valid_until", Comparator.AT_MOST));
      case SCOPE, SYSTEM, TRAJECTORY -> ofAny();
    };
  }

  /** Records of the task and of those above it are looked at one by one; notes are too many. */
  private SearchFilter visibly(SearchFilter wanted) {
    return SubjectFilter.of(visible).map(seen -> SearchFilter.all(wanted, seen)).orElse(wanted);
  }

  private SearchFilter ofTrajectory() {
    return SearchFilter.equal(TRAJECTORY, trajectories.getFirst().toString());
  }

  /** Of the task or of those above it. */
  private SearchFilter ofAny() {
    return SearchFilter.anyOf(TRAJECTORY, trajectories.stream().map(Id::toString).toList());
  }

  private SearchFilter not(String field, Comparator comparator) {
    return new SearchFilter.Not(
        SearchFilter.compare(field, comparator, new FilterValue.Moment(at)));
  }
}
