package dev.caliber.store.job;

import dev.caliber.kernel.DataSize;
import dev.caliber.kernel.settings.SettingKey;
import dev.caliber.kernel.settings.SettingRange;
import java.time.Duration;

/**
 * Upper bound of one commit of batched work.
 *
 * @param bytes of the records' content; a single record may have more
 */
public record BatchSize(int records, long bytes) {

  /**
   * Largest batch, and the time after which the next batch is made smaller.
   *
   * @param records the most records of one commit
   * @param bytes the most content of one commit
   * @param time a commit that takes longer is followed by one of half the size
   */
  public record BatchLimits(
      @SettingKey("batch") @SettingRange("1 to 10000 records") int records,
      @SettingKey("batch-bytes") @SettingRange("1KiB to 512MiB") DataSize bytes,
      @SettingKey("batch-time") @SettingRange("1ms to 36500d") Duration time) {

    /** Returns the largest batch that the limits allow. */
    public BatchSize maximum() {
      return new BatchSize(records, bytes.bytes());
    }
  }

  /** Returns whether this batch cannot be made smaller. */
  boolean isMinimum() {
    return records == 1;
  }

  BatchSize smallerOf(BatchSize other) {
    return new BatchSize(Math.min(records, other.records), Math.min(bytes, other.bytes));
  }

  BatchSize largerOf(BatchSize other) {
    return new BatchSize(Math.max(records, other.records), Math.max(bytes, other.bytes));
  }

  BatchSize halved() {
    return new BatchSize(Math.max(1, records / 2), Math.max(1, bytes / 2));
  }

  BatchSize doubled(BatchSize most) {
    return new BatchSize(
        (int) Math.min(2L * records, most.records), Math.min(2 * bytes, most.bytes));
  }
}
