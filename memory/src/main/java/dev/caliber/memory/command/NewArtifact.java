package dev.caliber.memory.command;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.ExtractionMethod;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.Provenance;
import dev.caliber.memory.record.Ttl;

/** Artifact to create in a scope, open or closed. */
public record NewArtifact(
    Id scope,
    ArtifactType type,
    Bytes content,
    Provenance provenance,
    Ttl ttl,
    int schemaVersion,
    Labels labels) {
  public NewArtifact {
    if (content.size() == 0) {
      throw MemoryException.empty("artifact");
    }
    if (schemaVersion < 1) {
      throw MemoryException.invalid("schema version", "1 or more", Integer.toString(schemaVersion));
    }
  }

  public static NewArtifact of(Id scope, ArtifactType type, Bytes content) {
    return new NewArtifact(
        scope,
        type,
        content,
        Provenance.of(ExtractionMethod.EXPLICIT),
        Ttl.persistent(),
        1,
        Labels.none());
  }

  public NewArtifact withProvenance(Provenance other) {
    return new NewArtifact(scope, type, content, other, ttl, schemaVersion, labels);
  }

  public NewArtifact withTtl(Ttl other) {
    return new NewArtifact(scope, type, content, provenance, other, schemaVersion, labels);
  }

  public NewArtifact withLabels(Labels other) {
    return new NewArtifact(scope, type, content, provenance, ttl, schemaVersion, other);
  }
}
