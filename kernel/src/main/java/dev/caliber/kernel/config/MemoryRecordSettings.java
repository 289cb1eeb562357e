package dev.caliber.kernel.config;

import dev.caliber.kernel.settings.SettingKey;
import dev.caliber.kernel.settings.SettingRange;
import java.time.Duration;

/**
 * Initial values and limits of records, and the age of abandoned work.
 *
 * @param initialNoteConfidence the confidence of a note written without one
 * @param traceLimit the most trace events of one answer
 * @param viewLimit the most rows of one view
 * @param orphanAfter a trajectory without activity for this long is cleaned up
 */
public record MemoryRecordSettings(
    @SettingKey("notes.initial-confidence") @SettingRange("0 to 1 confidence")
        double initialNoteConfidence,
    @SettingKey("views.trace-limit") @SettingRange("1 to 100000 events") int traceLimit,
    @SettingKey("views.view-limit") @SettingRange("1 to 100000 rows") int viewLimit,
    @SettingKey("recovery.orphan-after") @SettingRange("1ms to 36500d") Duration orphanAfter) {}
