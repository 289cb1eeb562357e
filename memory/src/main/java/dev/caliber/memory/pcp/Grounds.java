package dev.caliber.memory.pcp;

import dev.caliber.kernel.config.PcpConfig.Grounding;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import java.util.Locale;
import java.util.Optional;

/** What a fact stands on, and how much it is believed. */
final class Grounds {
  private Grounds() {}

  /** An error for a fact that names neither a turn nor a record, and that no user has provided. */
  static Optional<Issue> missing(Artifact made, Grounding settings) {
    EntityRef record = EntityRef.of(EntityType.ARTIFACT, made.id());
    return settings.requireSourceForFacts()
            && made.type() == ArtifactType.FACT
            && !made.provenance().isGrounded()
        ? Optional.of(
            Issue.of(
                Severity.ERROR,
                IssueType.MISSING_SOURCE,
                Validating.named(record) + " states a fact and names no source",
                record))
        : Optional.empty();
  }

  /** An info for what is believed too little. */
  static Optional<Issue> weak(Source source, Grounding settings) {
    return source
        .confidence()
        .filter(found -> found < settings.confidenceThreshold())
        .map(found -> low(source.record(), "confidence", found, settings));
  }

  static Issue low(EntityRef record, String what, double found, Grounding settings) {
    return Issue.of(
        Severity.INFO,
        IssueType.LOW_CONFIDENCE,
        String.format(
            Locale.ROOT,
            "%s: %s below confidence threshold (%.2f < %.2f)",
            Validating.named(record),
            what,
            found,
            settings.confidenceThreshold()),
        record);
  }
}
