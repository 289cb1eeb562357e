package dev.caliber.memory.record;

import dev.caliber.kernel.Id;
import dev.caliber.memory.spi.Summary;
import dev.caliber.store.Table;
import java.time.Instant;
import java.util.Optional;

/**
 * What was told of a scope or a trajectory before its summary was made anew, and until when; so
 * that a window can be made again in the words that it had.
 *
 * @param about the scope or trajectory
 * @param summary empty where there was none yet
 */
public record PastSummary(Id id, Id about, Optional<Summary> summary, Instant until) {

  public static final Table<PastSummary> TABLE =
      Table.of(
              "past_summary",
              "Earlier summaries of scopes and trajectories.",
              PastSummary.class,
              PastSummary::id)
          .text("about", past -> past.about.toString())
          .instant("until", PastSummary::until)
          .index("about", "until")
          .index("until")
          .quiet();
}
