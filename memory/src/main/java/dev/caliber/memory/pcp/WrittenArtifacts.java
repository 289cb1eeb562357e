package dev.caliber.memory.pcp;

import dev.caliber.kernel.config.PcpConfig;
import dev.caliber.memory.Inspector;
import dev.caliber.memory.record.Artifact;
import java.util.List;
import java.util.stream.Stream;

/** What can be said of an artifact in the commit that writes it. */
record WrittenArtifacts(PcpConfig settings) implements Inspector {
  @Override
  public List<String> inspect(Artifact artifact) {
    return Stream.concat(
            new Linting(settings.lint()).of(artifact).stream(),
            Grounds.missing(artifact, settings.grounding()).stream())
        .map(issue -> issue.type().code())
        .toList();
  }
}
