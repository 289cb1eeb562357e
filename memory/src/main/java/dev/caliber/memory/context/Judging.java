package dev.caliber.memory.context;

import dev.caliber.kernel.config.ContextConfig.QualityRule;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Note;
import java.time.Duration;
import java.time.Instant;

/**
 * Judges notes and artifacts as sources, by what memory knows of them: confidence is trust, age is
 * freshness, and whatever a record names as its source verifies it.
 *
 * @param neutral the trust in what nobody has judged
 * @param at the moment from which ages are counted
 */
record Judging(QualityRule rule, double neutral, Instant at) {

  Scores of(Note note, Scores found) {
    Instant since = note.valid().from().orElse(note.recordedAt());
    return judged(found, note.confidence(), since, !note.sources().isEmpty());
  }

  Scores of(Artifact made, Scores found) {
    return judged(
        found,
        made.provenance().confidence().orElse(neutral),
        made.createdAt(),
        made.provenance().isGrounded());
  }

  private Scores judged(Scores found, double trust, Instant since, boolean verified) {
    double freshness = freshness(since);
    double sum =
        rule.similarity() * found.relevance()
            + rule.trust() * trust
            + rule.freshness() * freshness
            + (verified ? rule.verified() : 0);
    return rule.enabled()
        ? found.judged(new Quality(Math.min(1, sum), found.relevance(), trust, freshness, verified))
        : found;
  }

  private double freshness(Instant since) {
    double ages =
        (double) Math.max(0, Duration.between(since, at).toMillis()) / rule.freshFor().toMillis();
    return Math.max(rule.leastFreshness(), 1 - ages * (1 - rule.leastFreshness()));
  }
}
