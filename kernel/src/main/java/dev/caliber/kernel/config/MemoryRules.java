package dev.caliber.kernel.config;

import dev.caliber.kernel.settings.Settings;
import dev.caliber.kernel.settings.SettingsSection;
import java.time.Duration;

/**
 * Initial values and limits of records, and the age of abandoned work.
 *
 * @param initialNoteConfidence the confidence of a note written without one
 * @param traceLimit the most trace events of one answer
 * @param viewLimit the most rows of one view
 * @param orphanAfter a trajectory without activity for this long is cleaned up
 */
public record MemoryRules(
    double initialNoteConfidence, int traceLimit, int viewLimit, Duration orphanAfter) {
  public MemoryRules {
    Ranges.requireShare("initial-confidence", initialNoteConfidence);
    Ranges.requireAtLeast("trace-limit", 1, traceLimit);
    Ranges.requireAtLeast("view-limit", 1, viewLimit);
    Ranges.requirePositive("orphan-after", orphanAfter);
  }

  static MemoryRules from(Settings settings) {
    SettingsSection views = settings.section("memory.views");
    return new MemoryRules(
        settings
            .section("memory.notes")
            .withUnit("confidence")
            .decimalNumber("initial-confidence", 0, 1),
        views.withUnit("events").wholeNumber("trace-limit", 1, ConfigBounds.MAX_COUNT),
        views.withUnit("rows").wholeNumber("view-limit", 1, ConfigBounds.MAX_COUNT),
        settings
            .section("memory.recovery")
            .duration("orphan-after", ConfigBounds.MIN_TIME, ConfigBounds.MAX_TIME));
  }
}
