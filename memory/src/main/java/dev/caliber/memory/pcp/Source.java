package dev.caliber.memory.pcp;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Note;
import java.time.Instant;
import java.util.Optional;

/**
 * A note or an artifact that a context stands on.
 *
 * @param trajectory where it was made, or first learned
 * @param topic only sources of one topic can contradict each other
 * @param text empty for what is no text, and for what states no fact
 * @param standing whether it is still searched for
 * @param confidence empty when nobody has judged
 */
record Source(
    EntityRef record,
    Optional<Id> trajectory,
    String topic,
    Optional<String> text,
    boolean standing,
    Optional<Double> confidence,
    Instant time) {

  private static final String ARTIFACTS = "artifact";

  static Source of(Note note) {
    return new Source(
        EntityRef.of(EntityType.NOTE, note.id()),
        note.sources().stream().findFirst(),
        "note " + note.entityType() + " " + note.entity() + " " + note.labels().subject(),
        Optional.of(note.content()),
        note.isBelieved(),
        Optional.of(note.confidence()),
        note.recordedAt());
  }

  static Source of(Artifact artifact) {
    return new Source(
        EntityRef.of(EntityType.ARTIFACT, artifact.id()),
        Optional.of(artifact.trajectory()),
        ARTIFACTS,
        artifact.content().text().filter(_ -> artifact.type() == ArtifactType.FACT),
        artifact.isStanding(),
        artifact.provenance().confidence(),
        artifact.createdAt());
  }

  boolean isArtifact() {
    return record.type() == EntityType.ARTIFACT;
  }

  Id id() {
    return Id.parse(record.id());
  }
}
