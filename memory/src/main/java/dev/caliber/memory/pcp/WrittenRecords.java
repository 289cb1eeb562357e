package dev.caliber.memory.pcp;

import dev.caliber.kernel.config.PcpConfig;
import dev.caliber.memory.Inspector;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Note;
import java.util.List;
import java.util.stream.Stream;

/**
 * What can be said of a record in the commit that writes it. That a note held until a time that has
 * passed is no fault of it: so one tells of the past.
 */
record WrittenRecords(PcpConfig settings) implements Inspector {
  @Override
  public List<String> inspect(Artifact artifact) {
    return codes(
        Stream.of(
                new Linting(settings.lint()).of(artifact).stream(),
                Grounds.missing(artifact, settings.grounding()).stream(),
                Grounds.weak(Source.of(artifact), settings.grounding()).stream())
            .flatMap(found -> found));
  }

  @Override
  public List<String> inspect(Note note) {
    return codes(Grounds.weak(Source.of(note), settings.grounding()).stream());
  }

  private static List<String> codes(Stream<Issue> found) {
    return found.map(issue -> issue.type().code()).toList();
  }
}
