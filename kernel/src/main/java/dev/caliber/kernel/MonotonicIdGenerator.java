package dev.caliber.kernel;

import java.time.Clock;

/** Generator that keeps ids in order by a counter after the millisecond. */
final class MonotonicIdGenerator implements IdGenerator {
  /*
   * millisecond 48 | version 4 | counter 12 | variant 2 | counter 6 | chance 56
   *
   * Each new millisecond starts the 18-bit counter at a random value below its half, so that it can
   * count at least 131,072 ids; when it is full, the next millisecond is borrowed. The millisecond
   * never decreases: while the clock does not advance or is set back, the counter continues from the
   * last one used. The 56 bits are fresh for each id, so that ids cannot be guessed from one another
   * and two processes do not collide.
   */
  private static final int COUNTER_BITS = 18;
  private static final int LOW_COUNTER_BITS = 6;
  private static final int CHANCE_BITS = 56;
  private static final long LOW_COUNTER = (1L << LOW_COUNTER_BITS) - 1;
  private static final int LAST_COUNT = (1 << COUNTER_BITS) - 1;
  private static final Limit MILLISECOND = new Limit("millisecond of an id", (1L << 48) - 1);

  private final Clock clock;
  private final RandomSource randomSource;

  /* Both are guarded by this. */
  private long millis = -1;
  private int count;

  MonotonicIdGenerator(Clock clock, RandomSource randomSource) {
    this.clock = clock;
    this.randomSource = randomSource;
  }

  @Override
  public Id next() {
    long now = clock.millis();
    if (now < 0) {
      throw KernelException.invalidValue(
          "clock", "a time from 1970 on", clock.instant().toString());
    }
    long tail = randomSource.nextLong() >>> (Long.SIZE - CHANCE_BITS);
    synchronized (this) {
      advance(now);
      long low = ((count & LOW_COUNTER) << CHANCE_BITS) | tail;
      return Id.version7(millis, count >>> LOW_COUNTER_BITS, low);
    }
  }

  private void advance(long now) {
    if (now > millis) {
      begin(now);
    } else if (count == LAST_COUNT) {
      begin(millis + 1);
    } else {
      count++;
    }
  }

  private void begin(long millisecond) {
    millis = MILLISECOND.requireWithin(millisecond);
    count = randomSource.nextInt(1 << (COUNTER_BITS - 1));
  }
}
