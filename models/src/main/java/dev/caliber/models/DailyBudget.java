package dev.caliber.models;

import dev.caliber.kernel.DataSize;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;

/** Budget in bytes of all requests of a day (UTC) together. */
final class DailyBudget {
  private final DataSize most;
  private final InstantSource clock;
  private LocalDate day = LocalDate.EPOCH;
  private long spent;

  DailyBudget(DataSize most, InstantSource clock) {
    this.most = most;
    this.clock = clock;
  }

  /** Spends the bytes of one attempt: a model's server counts repeated requests, too. */
  synchronized void spend(long bytes) {
    LocalDate today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
    if (!today.equals(day)) {
      day = today;
      spent = 0;
    }
    if (spent + bytes > most.bytes()) {
      throw ModelsException.budgetSpent(most);
    }
    spent += bytes;
  }
}
