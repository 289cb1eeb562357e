package dev.caliber.store.search.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.config.ComparisonOperator;
import dev.caliber.kernel.config.FilterValue;
import dev.caliber.store.Table;
import dev.caliber.store.search.SearchFilter;
import dev.caliber.store.search.SearchQuery;
import dev.caliber.store.search.Searchable;
import dev.caliber.store.search.rank.FilterQueryBuilder;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.LongField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.Query;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class FilterQueriesTest {
  private static final Instant ENDED = Instant.parse("2026-03-01T00:00:00Z");
  private static final Instant BEFORE = ENDED.minusSeconds(1);

  private record Thing(String name, Optional<Instant> end) {}

  private static final Table<Thing> THINGS = Table.of("thing", "Things.", Thing.class, Thing::name);
  private static final Table<Thing> OTHERS =
      Table.of("other", "Other things.", Thing.class, Thing::name);

  private static Searchable<Thing> searchable(Table<Thing> table) {
    return Searchable.of(table).time("end", thing -> thing.end().orElse(null));
  }

  /** Returns the filter of a query to an index with one ended record. */
  private static Optional<Query> filter(SearchQuery query) throws IOException {
    try (Directory directory = new ByteBuffersDirectory();
        IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
      Document ended = new Document();
      ended.add(
          new LongField(
              IndexFormatV1.filterField("end"), IndexTimestamps.micros(ENDED), Field.Store.NO));
      writer.addDocument(ended);
      try (DirectoryReader reader = DirectoryReader.open(writer)) {
        SearchDeclarations declared =
            new SearchDeclarations(List.of(searchable(THINGS), searchable(OTHERS)));
        return new FilterQueryBuilder(declared, reader).restrictions(query);
      }
    }
  }

  private static SearchQuery any() {
    return SearchQuery.of(SpaceId.DEFAULT, "words", 1);
  }

  private static SearchFilter notEndedAt(Instant time) {
    return new SearchFilter.Not(
        SearchFilter.compare(
            "end", ComparisonOperator.AT_MOST, new FilterValue.TimestampFilterValue(time)));
  }

  @Test
  @DisplayName("A condition that no document can fail is not asked")
  void whatExcludesNothingIsNotAsked() throws IOException {
    assertThat(filter(any())).isEmpty();
    assertThat(filter(any().withFilter(notEndedAt(BEFORE)))).isEmpty();
    assertThat(filter(any().withTables("thing", "other").withFilter(notEndedAt(BEFORE)))).isEmpty();
  }

  @Test
  @DisplayName("A condition that one document fails is asked")
  void whatExcludesOneIsAsked() throws IOException {
    assertThat(filter(any().withFilter(notEndedAt(ENDED)))).isPresent();
    assertThat(filter(any().withTables("thing"))).isPresent();
    assertThat(filter(any().withTables("thing", "other").withFilter(notEndedAt(ENDED))))
        .isPresent();
  }
}
