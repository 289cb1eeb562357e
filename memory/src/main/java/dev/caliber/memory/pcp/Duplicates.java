package dev.caliber.memory.pcp;

import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.config.PcpConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.record.Artifact;
import dev.caliber.store.search.SearchException;
import dev.caliber.store.search.SearchHit;
import dev.caliber.store.search.SearchIndex;
import dev.caliber.store.search.SearchQuery;
import java.time.Instant;
import java.util.Optional;

/**
 * Looks for artifacts that say what others say, for one report: by their bytes, then by meaning as
 * of a commit. A search that fails is told once, and not asked again.
 */
final class Duplicates {
  private final Memory memory;
  private final SpaceId space;
  private final PcpConfig.Lint lint;
  private final Instant at;
  private final long commit;
  private Optional<SearchIndex> index;
  private Optional<Issue> failure = Optional.empty();

  Duplicates(
      Memory memory,
      SpaceId space,
      Optional<SearchIndex> index,
      PcpConfig.Lint lint,
      Instant at,
      long commit) {
    this.memory = memory;
    this.space = space;
    this.index = index;
    this.lint = lint;
    this.at = at;
    this.commit = commit;
  }

  Optional<Issue> of(Artifact made) {
    if (!lint.enabled() || !lint.duplicateDetection()) {
      return Optional.empty();
    }
    return memory
        .<Optional<String>>view(
            space, view -> view.twinOf(made, at).map(twin -> twin.id().toString()))
        .or(() -> index.flatMap(searched -> near(searched, made)))
        .flatMap(
            other ->
                Linting.issue(
                    made,
                    Severity.INFO,
                    IssueType.DUPLICATE,
                    "Near-duplicate of artifact " + other));
  }

  /** That artifacts were not compared by meaning, if it is so. */
  Optional<Issue> failure() {
    return failure;
  }

  private Optional<String> near(SearchIndex searched, Artifact made) {
    try {
      return made.content().text().flatMap(text -> near(searched, made, text));
    } catch (SearchException e) {
      index = Optional.empty();
      failure = Optional.of(Issue.notCompared("Artifacts", e));
      return Optional.empty();
    }
  }

  private Optional<String> near(SearchIndex searched, Artifact made, String text) {
    SearchQuery query =
        SearchQuery.of(space, text, lint.duplicateLimit() + 1)
            .in(Artifact.TABLE.name())
            .atLeast(lint.duplicateSimilarity())
            .after(commit);
    return searched.search(query).hits().stream()
        .filter(hit -> !hit.key().equals(made.id().toString()) && isNear(hit))
        .map(SearchHit::key)
        .findFirst();
  }

  private boolean isNear(SearchHit hit) {
    return hit.similarity().isPresent()
        && hit.similarity().getAsDouble() >= lint.duplicateSimilarity();
  }
}
