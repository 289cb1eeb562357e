package dev.caliber.memory.pcp;

import dev.caliber.kernel.config.ContextIntegrityConfig.GroundingSettings;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import java.util.Locale;
import java.util.Optional;

/** Checks of the source and the confidence of a fact. */
final class GroundingCheck {
  private GroundingCheck() {}

  /**
   * Returns an error for a fact that names neither a turn nor a record and was not provided by a
   * user.
   */
  static Optional<Issue> missingSource(Artifact made, GroundingSettings settings) {
    EntityRef record = EntityRef.of(EntityType.ARTIFACT, made.id());
    return settings.requireSourceForFacts()
            && made.type() == ArtifactType.FACT
            && !made.provenance().isGrounded()
        ? Optional.of(
            Issue.of(
                IssueSeverity.ERROR,
                IssueType.MISSING_SOURCE,
                ContextValidator.displayName(record) + " states a fact and names no source",
                record))
        : Optional.empty();
  }

  /** Returns an info for a confidence below the threshold. */
  static Optional<Issue> lowConfidence(EvidenceRecord evidenceRecord, GroundingSettings settings) {
    return evidenceRecord
        .confidence()
        .filter(found -> found < settings.confidenceThreshold())
        .map(found -> lowScoreIssue(evidenceRecord.record(), "confidence", found, settings));
  }

  static Issue lowScoreIssue(
      EntityRef record, String what, double found, GroundingSettings settings) {
    return Issue.of(
        IssueSeverity.INFO,
        IssueType.LOW_CONFIDENCE,
        String.format(
            Locale.ROOT,
            "%s: %s is below pcp.grounding.confidence-threshold (%.2f < %.2f)",
            ContextValidator.displayName(record),
            what,
            found,
            settings.confidenceThreshold()),
        record);
  }
}
