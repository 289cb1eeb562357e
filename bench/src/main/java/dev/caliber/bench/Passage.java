package dev.caliber.bench;

import dev.caliber.store.Table;
import dev.caliber.store.search.Searchable;
import java.time.Instant;

/** A document of the search bench. */
record Passage(String id, String session, long number, String bucket, String text, Instant time) {

  static final Table<Passage> PASSAGES =
      Table.of("passage", "Passages of the search bench.", Passage.class, Passage::id);

  static final Searchable<Passage> SEARCHABLE =
      Searchable.of(PASSAGES)
          .body(Passage::text)
          .embedded(Passage::id)
          .within(Passage::session)
          .position(Passage::number)
          .at(Passage::time)
          .keyword("bucket", Passage::bucket);
}
