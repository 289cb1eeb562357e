package dev.caliber.memory.pcp;

import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.config.PcpConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.record.Artifact;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/** Looks for artifacts that say what others say: by their bytes, then by their meaning. */
final class Duplicates {
  private final Memory memory;
  private final SpaceId space;
  private final PcpConfig.Lint lint;
  private final Instant at;
  private final Nearness nearness;

  Duplicates(Memory memory, SpaceId space, PcpConfig.Lint lint, Instant at, Nearness nearness) {
    this.memory = memory;
    this.space = space;
    this.lint = lint;
    this.at = at;
    this.nearness = nearness;
  }

  Optional<Issue> of(Artifact made) {
    if (!lint.enabled() || !lint.duplicateDetection()) {
      return Optional.empty();
    }
    return memory
        .<Optional<String>>view(
            space, view -> view.twinOf(made, at).map(twin -> twin.id().toString()))
        .or(() -> near(made))
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
    return nearness.shortfall().map(why -> Issue.notCompared("Artifacts", why));
  }

  private Optional<String> near(Artifact made) {
    return made.content().text().stream()
        .flatMap(text -> near(made.id().toString(), text))
        .findFirst();
  }

  private Stream<String> near(String key, String text) {
    return nearness
        .to(key, text, lint.duplicateSimilarity(), lint.duplicateLimit(), Optional.empty())
        .stream();
  }
}
