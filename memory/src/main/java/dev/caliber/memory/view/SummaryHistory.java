package dev.caliber.memory.view;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.PastSummary;
import dev.caliber.store.Query;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Earlier summaries of one scope or trajectory, oldest first. */
public record SummaryHistory(MemoryView view, Id about) {

  /** Returns the summary of a time, unless it is the present one. */
  Optional<PastSummary> summaryAt(Instant time) {
    return view.first(summariesQuery().from(time).where(past -> past.until().isAfter(time)));
  }

  /** Returns the oldest {@code limit} summaries, oldest first. */
  public List<PastSummary> oldestSummaries(int limit) {
    return view.snapshot().list(summariesQuery(), limit);
  }

  public long count() {
    return view.snapshot().count(summariesQuery());
  }

  private Query<PastSummary> summariesQuery() {
    return Query.over(PastSummary.TABLE, "about", "until").equal(about);
  }
}
