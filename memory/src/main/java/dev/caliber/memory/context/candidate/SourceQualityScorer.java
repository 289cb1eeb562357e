package dev.caliber.memory.context.candidate;

import dev.caliber.kernel.config.ContextConfig.QualitySettings;
import dev.caliber.memory.context.window.CandidateScores;
import dev.caliber.memory.context.window.SourceQuality;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Note;
import java.time.Duration;
import java.time.Instant;

/**
 * Scores notes and artifacts as sources: confidence is trust, age is freshness, and a named source
 * verifies.
 *
 * @param neutral the trust in a record without confidence
 * @param at the time from which ages are counted
 */
record SourceQualityScorer(QualitySettings rule, double neutral, Instant at) {

  CandidateScores addQuality(Note note, CandidateScores found) {
    Instant since = note.valid().from().orElse(note.recordedAt());
    return scoreQuality(found, note.confidence(), since, !note.sources().isEmpty());
  }

  CandidateScores addQuality(Artifact made, CandidateScores found) {
    return scoreQuality(
        found,
        made.provenance().confidence().orElse(neutral),
        made.createdAt(),
        made.provenance().isGrounded());
  }

  private CandidateScores scoreQuality(
      CandidateScores found, double trust, Instant since, boolean verified) {
    double freshness = freshness(since);
    double sum =
        rule.similarity() * found.relevance()
            + rule.trust() * trust
            + rule.freshness() * freshness
            + (verified ? rule.verified() : 0);
    return rule.enabled()
        ? found.withQuality(
            new SourceQuality(Math.min(1, sum), found.relevance(), trust, freshness, verified))
        : found;
  }

  private double freshness(Instant since) {
    double ages =
        (double) Math.max(0, Duration.between(since, at).toMillis())
            / rule.freshnessPeriod().toMillis();
    return Math.max(rule.minFreshness(), 1 - ages * (1 - rule.minFreshness()));
  }
}
