package dev.caliber.memory.pcp;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.config.PcpConfig.ConflictResolution;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryView;
import dev.caliber.memory.command.CreateArtifact;
import dev.caliber.memory.command.EndNote;
import dev.caliber.memory.command.SupersedeArtifact;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Note;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Lets one of two contradicting records stay: the other artifact is superseded by it, the other
 * note ends now.
 *
 * @param unjudged the confidence of what nobody has judged
 */
record Resolving(Memory memory, ConflictResolution policy, double unjudged, Instant now) {

  Optional<Resolution> resolve(SpaceId space, Issue issue) {
    boolean pair =
        issue.type() == IssueType.CONTRADICTION
            && issue.severity() == Severity.WARNING
            && policy != ConflictResolution.MANUAL;
    List<Source> standing =
        pair ? memory.view(space, view -> standing(view, issue.records())) : List.of();
    return standing.size() == 2 ? Optional.of(end(space, standing)) : Optional.empty();
  }

  private List<Source> standing(MemoryView view, List<EntityRef> records) {
    return records.stream().flatMap(record -> standing(view, record).stream()).toList();
  }

  private Optional<Source> standing(MemoryView view, EntityRef record) {
    Id id = Id.parse(record.id());
    return record.type() == EntityType.NOTE
        ? view.find(Note.TABLE, id).filter(note -> note.isLive(now)).map(Source::of)
        : view.find(Artifact.TABLE, id).filter(made -> made.isLive(now)).map(Source::of);
  }

  private Resolution end(SpaceId space, List<Source> pair) {
    Comparator<Source> newest =
        Comparator.comparing(Source::time).thenComparing(source -> source.record().id());
    Comparator<Source> order =
        policy == ConflictResolution.NEWEST
            ? newest
            : Comparator.comparingDouble((Source source) -> source.confidence().orElse(unjudged))
                .thenComparing(newest);
    List<Source> sorted = pair.stream().sorted(order).toList();
    Source loser = sorted.getFirst();
    Source winner = sorted.getLast();
    if (loser.isArtifact()) {
      supersede(space, loser.id(), winner.id());
    } else {
      memory.run(space, new EndNote(loser.id(), now));
    }
    return new Resolution(winner.record(), loser.record());
  }

  private void supersede(SpaceId space, Id loser, Id winner) {
    Artifact kept = memory.view(space, view -> view.artifact(winner));
    memory.run(
        space,
        new SupersedeArtifact(
            loser,
            new CreateArtifact(
                kept.scope(),
                kept.type(),
                kept.content(),
                kept.provenance(),
                kept.ttl(),
                kept.schemaVersion(),
                kept.labels())));
  }
}
