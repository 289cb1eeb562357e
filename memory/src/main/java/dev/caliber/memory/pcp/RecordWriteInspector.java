package dev.caliber.memory.pcp;

import dev.caliber.kernel.config.ContextIntegrityConfig;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.view.RecordInspector;
import java.util.List;
import java.util.stream.Stream;

/**
 * Lint of a record in the commit that writes it. A note whose validity is over is no issue: notes
 * may describe the past.
 */
record RecordWriteInspector(ContextIntegrityConfig settings) implements RecordInspector {
  @Override
  public List<String> inspect(Artifact artifact) {
    return codes(
        Stream.of(
                new ArtifactLinter(settings.lint()).lint(artifact).stream(),
                GroundingCheck.missingSource(artifact, settings.grounding()).stream(),
                GroundingCheck.lowConfidence(EvidenceRecord.of(artifact), settings.grounding())
                    .stream())
            .flatMap(found -> found));
  }

  @Override
  public List<String> inspect(Note note) {
    return codes(
        GroundingCheck.lowConfidence(EvidenceRecord.of(note), settings.grounding()).stream());
  }

  private static List<String> codes(Stream<Issue> found) {
    return found.map(issue -> issue.type().code()).toList();
  }
}
