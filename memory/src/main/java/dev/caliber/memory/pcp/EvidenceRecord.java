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
 * Note or artifact that is a source of a context.
 *
 * @param trajectory where it was created or first learned
 * @param topic only sources of one topic can contradict each other
 * @param text empty for a record that is not text or states no fact
 * @param standing whether search still finds it
 * @param confidence empty if it has none
 */
record EvidenceRecord(
    EntityRef record,
    Optional<Id> trajectory,
    String topic,
    Optional<String> text,
    boolean standing,
    Optional<Double> confidence,
    Instant time) {

  private static final String ARTIFACTS = "artifact";

  static EvidenceRecord of(Note note) {
    return new EvidenceRecord(
        EntityRef.of(EntityType.NOTE, note.id()),
        note.sources().stream().findFirst(),
        "note " + note.entityType() + " " + note.entity() + " " + note.labels().subject(),
        Optional.of(note.content()),
        note.isBelieved(),
        Optional.of(note.confidence()),
        note.recordedAt());
  }

  static EvidenceRecord of(Artifact artifact) {
    return new EvidenceRecord(
        EntityRef.of(EntityType.ARTIFACT, artifact.id()),
        Optional.of(artifact.trajectory()),
        ARTIFACTS,
        artifact.content().text().filter(_ -> artifact.type() == ArtifactType.FACT),
        artifact.isCurrent(),
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
