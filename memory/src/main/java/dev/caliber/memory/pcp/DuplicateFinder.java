package dev.caliber.memory.pcp;

import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.config.ContextIntegrityConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.record.Artifact;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds duplicates of artifacts: by their bytes, then by their meaning. */
final class DuplicateFinder {
  private final Memory memory;
  private final SpaceId space;
  private final ContextIntegrityConfig.LintSettings lintSettings;
  private final Instant at;
  private final SimilarArtifactSearch similarArtifactSearch;

  DuplicateFinder(
      Memory memory,
      SpaceId space,
      ContextIntegrityConfig.LintSettings lintSettings,
      Instant at,
      SimilarArtifactSearch similarArtifactSearch) {
    this.memory = memory;
    this.space = space;
    this.lintSettings = lintSettings;
    this.at = at;
    this.similarArtifactSearch = similarArtifactSearch;
  }

  Optional<Issue> findDuplicate(Artifact made) {
    if (!lintSettings.enabled() || !lintSettings.duplicateDetection()) {
      return Optional.empty();
    }
    return memory
        .<Optional<String>>view(
            space, view -> view.liveDuplicateOf(made, at).map(twin -> twin.id().toString()))
        .or(() -> similarKeys(made))
        .flatMap(
            other ->
                ArtifactLinter.newIssue(
                    made,
                    IssueSeverity.INFO,
                    IssueType.DUPLICATE,
                    "The artifact nearly repeats artifact " + other));
  }

  /** Returns an info if artifacts were not all compared by meaning. */
  Optional<Issue> incompleteIssue() {
    return similarArtifactSearch
        .incompleteReason()
        .map(why -> Issue.incompleteComparison("Artifacts", why));
  }

  private Optional<String> similarKeys(Artifact made) {
    return made.content().text().stream()
        .flatMap(text -> similarKeys(made.id().toString(), text))
        .findFirst();
  }

  private Stream<String> similarKeys(String key, String text) {
    return similarArtifactSearch
        .findSimilar(
            key,
            text,
            lintSettings.duplicateSimilarity(),
            lintSettings.duplicateLimit(),
            Optional.empty())
        .stream();
  }
}
