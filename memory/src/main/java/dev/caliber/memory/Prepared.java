package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.memory.spi.Passage;
import dev.caliber.memory.spi.Summary;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Summaries that were made before a commit, by the scope or trajectory they are of. */
record Prepared(Map<Id, Made> summaries) {
  static final Prepared NOTHING = new Prepared(Map.of());

  /** A summary and what it was made from. */
  record Made(List<Passage> passages, Summary summary) {}

  Prepared {
    summaries = Map.copyOf(summaries);
  }

  /** The one of these passages; what has changed since, or was forgotten, has none. */
  Optional<Summary> of(Id about, List<Passage> passages) {
    return Optional.ofNullable(summaries.get(about))
        .filter(made -> made.passages().equals(passages))
        .map(Made::summary);
  }
}
