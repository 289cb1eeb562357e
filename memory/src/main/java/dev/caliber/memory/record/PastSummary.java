package dev.caliber.memory.record;

import dev.caliber.kernel.Id;
import dev.caliber.memory.spi.Summary;
import dev.caliber.store.Table;
import java.time.Instant;
import java.util.Optional;

/**
 * Earlier summary of a scope or trajectory, and when the next one replaced it; it allows a replay
 * to rebuild a window with its original text.
 *
 * @param about the scope or trajectory
 * @param summary empty if there was none yet
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
          .withoutFeed();
}
