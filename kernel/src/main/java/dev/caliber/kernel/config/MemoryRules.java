package dev.caliber.kernel.config;

import dev.caliber.kernel.settings.Section;
import dev.caliber.kernel.settings.Settings;
import java.time.Duration;

/**
 * What records begin with, how many are shown at once, and when work counts as abandoned.
 *
 * @param initialNoteConfidence of a note that says nothing about it
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
    Section views = settings.section("memory.views");
    return new MemoryRules(
        settings.section("memory.notes").in("confidence").real("initial-confidence", 0, 1),
        views.in("events").whole("trace-limit", 1, ConfigBounds.MAX_COUNT),
        views.in("rows").whole("view-limit", 1, ConfigBounds.MAX_COUNT),
        settings
            .section("memory.recovery")
            .duration("orphan-after", ConfigBounds.MIN_TIME, ConfigBounds.MAX_TIME));
  }
}
