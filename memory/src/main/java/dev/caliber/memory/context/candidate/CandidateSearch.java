package dev.caliber.memory.context.candidate;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.config.ComparisonOperator;
import dev.caliber.kernel.config.FilterValue;
import dev.caliber.memory.context.window.SourceKind;
import dev.caliber.memory.recall.SubjectSearchFilter;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.ReadableSubjects;
import dev.caliber.memory.record.Scope;
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
 * Queries to the search index: one for each kind of record that rules rank, so that the notes of a
 * large space do not crowd out the turns of the trajectory.
 *
 * @param trajectories the trajectory, then its ancestors
 * @param current the scope whose turns are included without a search
 * @param visible subjects whose notes may be found
 * @param subject the subject whose other sessions may be found
 */
public record CandidateSearch(
    SearchIndex index,
    SpaceId space,
    List<Id> trajectories,
    Optional<Id> current,
    String text,
    Instant at,
    long sequence,
    ReadableSubjects visible,
    Optional<String> subject) {
  private static final String TRAJECTORY = "trajectory_id";

  /**
   * Returns the kinds worth a search: most trajectories have one scope, whose turns are included
   * anyway, and many have no artifacts. A look at the store costs less than a search.
   */
  public static Set<SourceKind> searchableKinds(
      Snapshot snapshot, List<Id> trajectories, Optional<Id> current) {
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

  public CandidateSearchResult search(
      List<SectionRule> rules, Set<SourceKind> present, int candidateLimit) {
    Map<SourceKind, SearchResult> results = new EnumMap<>(SourceKind.class);
    Map<SourceKind, Integer> limits = hitLimits(rules, candidateLimit);
    limits.keySet().retainAll(present);
    limits.forEach(
        (kind, limit) ->
            tableName(kind)
                .ifPresent(table -> results.put(kind, index.search(query(table, kind, limit)))));
    CandidateSearchResult candidateSearchResult = CandidateSearchResult.of(results, limits);
    return rules.stream()
        .filter(SectionRule::otherSessions)
        .findFirst()
        .map(
            sectionRule ->
                candidateSearchResult.withSessionHits(
                    index.search(otherSessionsQuery(sectionRule.limit().records() + 1))))
        .orElse(candidateSearchResult);
  }

  /** Finds turns of the subject and its assistants in other sessions. */
  private SearchQuery otherSessionsQuery(int limit) {
    return SearchQuery.of(space, text, limit)
        .withTables(Turn.TABLE.name())
        .withFilter(
            SearchFilter.allOf(
                SearchFilter.equal("subject", subject.orElseThrow()),
                new SearchFilter.Not(anyTrajectoryFilter()),
                SearchFilter.anyOf("role", List.of("user", "assistant"))))
        .withAsOf(at)
        .withSequence(sequence)
        .withExplanation();
  }

  /** Returns the number of hits that all rules of a kind need together, plus one to detect more. */
  private static Map<SourceKind, Integer> hitLimits(List<SectionRule> rules, int candidateLimit) {
    Map<SourceKind, Integer> limits = new EnumMap<>(SourceKind.class);
    for (SectionRule sectionRule : rules) {
      SourceKind kind = sectionRule.section().kind();
      if (!sectionRule.otherSessions() && (sectionRule.isByRelevance() || isAlwaysRanked(kind))) {
        limits.merge(kind, ruleLimit(sectionRule, candidateLimit), Integer::sum);
      }
    }
    limits.replaceAll((_, limit) -> Math.min(limit, candidateLimit) + 1);
    return limits;
  }

  /**
   * Returns whether this kind needs relevance scores even where a rule shows it without a search.
   */
  private static boolean isAlwaysRanked(SourceKind kind) {
    return kind == SourceKind.ARTIFACT || kind == SourceKind.SCOPE;
  }

  /** Returns the candidate limit for a rule with a filter, because the filter removes hits. */
  private static int ruleLimit(SectionRule sectionRule, int candidateLimit) {
    return sectionRule.isByRelevance() && sectionRule.filter().isEmpty()
        ? sectionRule.limit().records()
        : candidateLimit;
  }

  private SearchQuery query(String table, SourceKind kind, int limit) {
    return SearchQuery.of(space, text, limit)
        .withTables(table)
        .withFilter(filterFor(kind))
        .withAsOf(at)
        .withSequence(sequence)
        .withExplanation();
  }

  private static Optional<String> tableName(SourceKind kind) {
    return switch (kind) {
      case NOTE -> Optional.of(Note.TABLE.name());
      case TURN -> Optional.of(Turn.TABLE.name());
      case ARTIFACT -> Optional.of(Artifact.TABLE.name());
      case SCOPE -> Optional.of(Scope.TABLE.name());
      case SYSTEM, TRAJECTORY -> Optional.empty();
    };
  }

  private SearchFilter filterFor(SourceKind kind) {
    return switch (kind) {
      case NOTE ->
          withVisibleSubjects(
              SearchFilter.allOf(
                  not("valid_from", ComparisonOperator.GREATER),
                  not("valid_until", ComparisonOperator.AT_MOST)));
      case TURN ->
          current
              .<SearchFilter>map(
                  scope ->
                      SearchFilter.allOf(
                          trajectoryFilter(),
                          new SearchFilter.Not(SearchFilter.equal("scope_id", scope.toString()))))
              .orElseGet(this::trajectoryFilter);
      case ARTIFACT ->
          SearchFilter.allOf(anyTrajectoryFilter(), not("valid_until", ComparisonOperator.AT_MOST));
      case SCOPE, SYSTEM, TRAJECTORY -> anyTrajectoryFilter();
    };
  }

  /**
   * Filters notes by subject in the search, because they are too many to check one by one like
   * other records.
   */
  private SearchFilter withVisibleSubjects(SearchFilter wanted) {
    return SubjectSearchFilter.visibleDocuments(visible)
        .map(seen -> SearchFilter.allOf(wanted, seen))
        .orElse(wanted);
  }

  private SearchFilter trajectoryFilter() {
    return SearchFilter.equal(TRAJECTORY, trajectories.getFirst().toString());
  }

  /** Filters by the trajectory or one of its ancestors. */
  private SearchFilter anyTrajectoryFilter() {
    return SearchFilter.anyOf(TRAJECTORY, trajectories.stream().map(Id::toString).toList());
  }

  private SearchFilter not(String field, ComparisonOperator comparisonOperator) {
    return new SearchFilter.Not(
        SearchFilter.compare(field, comparisonOperator, new FilterValue.TimestampFilterValue(at)));
  }
}
