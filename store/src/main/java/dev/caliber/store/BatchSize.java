package dev.caliber.store;

import dev.caliber.kernel.DataSize;
import java.time.Duration;

/**
 * How much one commit of a longer work takes at most.
 *
 * @param bytes of the records' content; a single record may have more
 */
public record BatchSize(int records, long bytes) {

  /**
   * The most of it, and how long one commit may hold its turn before the next one takes less.
   *
   * @param records the most records of one commit
   * @param bytes the most content of one commit
   * @param time a commit that takes longer is followed by one of half the size
   */
  public record Rules(int records, DataSize bytes, Duration time) {

    /** What the rules allow. */
    public BatchSize most() {
      return new BatchSize(records, bytes.bytes());
    }
  }

  /** So small that nothing less can be taken. */
  boolean isLeast() {
    return records == 1;
  }

  BatchSize half() {
    return new BatchSize(Math.max(1, records / 2), Math.max(1, bytes / 2));
  }

  BatchSize twice(BatchSize most) {
    return new BatchSize(
        (int) Math.min(2L * records, most.records), Math.min(2 * bytes, most.bytes));
  }
}
