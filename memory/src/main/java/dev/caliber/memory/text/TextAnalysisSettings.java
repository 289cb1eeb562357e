package dev.caliber.memory.text;

import dev.caliber.kernel.settings.SettingKey;
import dev.caliber.kernel.settings.SettingRange;
import dev.caliber.memory.spi.FindingKind;
import java.util.Map;
import java.util.Optional;

/**
 * Settings of the rule-based text analysis.
 *
 * @param sentences maximum number of sentences in a summary
 * @param sentenceLength maximum number of characters in a summary sentence; empty in recipes from
 *     before this limit existed
 * @param redundancy similarity from 0 to 1 at which a sentence repeats a chosen one and is skipped
 * @param confidence confidence of a finding by its kind, from 0 to 1
 * @param overlap share of a denial's words that a statement must have to contradict it
 */
public record TextAnalysisSettings(
    @SettingKey("summaries.sentences") @SettingRange("1 to 1000 sentences") int sentences,
    @SettingKey("summaries.sentence-length") @SettingRange("10 to 1000000 characters")
        Optional<Integer> sentenceLength,
    @SettingKey("summaries.redundancy") @SettingRange("0 to 1 share") double redundancy,
    @SettingKey("extraction-confidence") @SettingRange("0 to 1 confidence")
        Map<FindingKind, Double> confidence,
    @SettingKey("contradictions.overlap") @SettingRange("0 to 1 share") double overlap) {
  public TextAnalysisSettings {
    confidence = Map.copyOf(confidence);
    if (!confidence.keySet().containsAll(java.util.List.of(FindingKind.values()))) {
      throw new IllegalArgumentException(
          "confidence has no value for some kinds; expected one for each: " + confidence);
    }
  }
}
