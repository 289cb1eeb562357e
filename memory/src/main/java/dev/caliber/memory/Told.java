package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.PastSummary;
import dev.caliber.store.Query;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What was told of a scope or trajectory before its summary of today. */
record Told(MemoryView view, Id about) {

  /** What was told of it at a time, if that is not what is told today. */
  Optional<PastSummary> at(Instant time) {
    return view.first(all().from(time).where(past -> past.until().isAfter(time)));
  }

  /** The oldest, at most so many, oldest first. */
  List<PastSummary> before(int limit) {
    return view.upTo(all(), limit);
  }

  long count() {
    return view.snapshot().count(all());
  }

  private Query<PastSummary> all() {
    return Query.over(PastSummary.TABLE, "about", "until").equal(about);
  }
}
