package dev.caliber.models;

import dev.caliber.kernel.DataSize;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;

/** What the requests of a day (UTC) may hold together, whoever makes them. */
final class DailyBudget {
  private final DataSize most;
  private final InstantSource clock;
  private LocalDate day = LocalDate.EPOCH;
  private long spent;

  DailyBudget(DataSize most, InstantSource clock) {
    this.most = most;
    this.clock = clock;
  }

  /** Each time that it is sent: a model's server counts what it is sent again, too. */
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
