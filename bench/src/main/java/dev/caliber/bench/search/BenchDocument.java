package dev.caliber.bench.search;

import dev.caliber.store.Table;
import dev.caliber.store.search.Searchable;
import java.time.Instant;

/** A document of the search bench. */
record BenchDocument(
    String id, String session, long number, String bucket, String text, Instant time) {

  static final Table<BenchDocument> PASSAGES =
      Table.of("passage", "Passages of the search bench.", BenchDocument.class, BenchDocument::id);

  static final Searchable<BenchDocument> SEARCHABLE =
      Searchable.of(PASSAGES)
          .body(BenchDocument::text)
          .embedded(BenchDocument::id)
          .group(BenchDocument::session)
          .position(BenchDocument::number)
          .documentTime(BenchDocument::time)
          .keyword("bucket", BenchDocument::bucket);
}
