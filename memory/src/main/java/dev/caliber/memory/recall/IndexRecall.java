package dev.caliber.memory.recall;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.config.ComparisonOperator;
import dev.caliber.kernel.config.FilterValue;
import dev.caliber.memory.command.RecallFilter;
import dev.caliber.memory.command.RecallQuery;
import dev.caliber.memory.command.RecallResult.RecallHit;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.memory.text.RecallExplainer;
import dev.caliber.memory.view.MemoryView;
import dev.caliber.store.search.SearchFilter;
import dev.caliber.store.search.SearchHit;
import dev.caliber.store.search.SearchIndex;
import dev.caliber.store.search.SearchQuery;
import dev.caliber.store.search.SearchResult;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Recall from the search index; a hit that its record no longer matches is dropped. */
public final class IndexRecall {

  private final SearchIndex index;
  private final TokenCounter counter;
  private final double minSimilarity;

  public IndexRecall(SearchIndex index, TokenCounter counter, double minSimilarity) {
    this.index = index;
    this.counter = counter;
    this.minSimilarity = minSimilarity;
  }

  /**
   * Hits of the index, best first.
   *
   * @param unembedded number of records in the space that have no vector yet
   */
  public record IndexRecallResult(List<SearchHit> hits, long unembedded) {}

  /** Searches the index as of this commit; hits below the minimum similarity are dropped. */
  public IndexRecallResult search(
      SpaceId space, RecallQuery query, int limit, long sequence, Instant now) {
    String[] tables = tables(query.filter());
    if (tables.length == 0) {
      return new IndexRecallResult(List.of(), 0);
    }
    SearchQuery asked =
        SearchQuery.of(space, query.text(), limit)
            .withTables(tables)
            .withFilter(searchFilter(query, now))
            .withSequence(sequence)
            .withExplanation();
    SearchResult result = index.search(asked);
    double least = query.minSimilarity().orElse(minSimilarity);
    List<SearchHit> similar = result.hits().stream().filter(hit -> hit.score() >= least).toList();
    return new IndexRecallResult(similar, result.unembedded());
  }

  /** Returns the hits whose records match the query, with their text. */
  public List<RecallHit> readHits(
      MemoryView view, List<SearchHit> hits, RecallQuery query, Instant now) {
    RecallHitFactory records = new RecallHitFactory(view, counter);
    HitRecordReader hitRecordReader =
        new HitRecordReader(view, records, new RecordVisibility(view.snapshot()), query, now);
    return records.deduplicate(
        hits.stream()
            .flatMap(
                hit ->
                    hitRecordReader.read(hit).stream()
                        .map(
                            found ->
                                found.withMatch(hit.score(), reason(hit, query, found.text()))))
            .toList());
  }

  /** Reader for the records of hits, limited to records that the query matches and may see. */
  private record HitRecordReader(
      MemoryView view,
      RecallHitFactory records,
      RecordVisibility subjects,
      RecallQuery query,
      Instant now) {

    Optional<RecallHit> read(SearchHit hit) {
      Id id = Id.parse(hit.key());
      if (hit.table().equals(Note.TABLE.name())) {
        return view.find(Note.TABLE, id)
            .filter(note -> note.isLive(now) && query.filter().matches(note))
            .filter(note -> subjects.isVisible(query.visible(), note))
            .map(records::noteHit);
      }
      if (hit.table().equals(Turn.TABLE.name())) {
        return view.find(Turn.TABLE, id)
            .filter(turn -> turn.rolledBackAt().isEmpty() && query.filter().matches(turn))
            .filter(turn -> subjects.isVisible(query.visible(), turn))
            .map(records::turnHit);
      }
      return view.find(Artifact.TABLE, id)
          .filter(made -> made.isLive(now) && query.filter().matches(made))
          .filter(made -> subjects.isVisible(query.visible(), made))
          .flatMap(records::artifactHit);
    }
  }

  private static String reason(SearchHit hit, RecallQuery query, String text) {
    return RecallExplainer.explain(query.text(), text, hit.similarity().isPresent());
  }

  private static String[] tables(RecallFilter filter) {
    return Stream.of(
            Optional.of(Note.TABLE).filter(_ -> filter.includesType(EntityType.NOTE)),
            Optional.of(Turn.TABLE).filter(_ -> filter.includesType(EntityType.TURN)),
            Optional.of(Artifact.TABLE).filter(_ -> filter.includesType(EntityType.ARTIFACT)))
        .flatMap(Optional::stream)
        .map(table -> table.name())
        .toArray(String[]::new);
  }

  private static SearchFilter searchFilter(RecallQuery query, Instant now) {
    RecallFilter filter = query.filter();
    List<SearchFilter> all = new ArrayList<>();
    SubjectSearchFilter.visibleDocuments(query.visible()).ifPresent(all::add);
    all.add(negatedFilter(SearchableMemoryRecords.BEGINS, ComparisonOperator.GREATER, now));
    all.add(negatedFilter(SearchableMemoryRecords.ENDS, ComparisonOperator.AT_MOST, now));
    filter
        .created()
        .from()
        .ifPresent(time -> all.add(createdFilter(ComparisonOperator.AT_LEAST, time)));
    filter
        .created()
        .until()
        .ifPresent(time -> all.add(createdFilter(ComparisonOperator.LESS, time)));
    filter
        .subject()
        .ifPresent(text -> all.add(SearchFilter.equal(SearchableMemoryRecords.SUBJECT, text)));
    filter
        .externalId()
        .ifPresent(text -> all.add(SearchFilter.equal(SearchableMemoryRecords.EXTERNAL_ID, text)));
    filter
        .entity()
        .ifPresent(text -> all.add(SearchFilter.equal(SearchableMemoryRecords.ENTITY, text)));
    if (!filter.trajectories().isEmpty()) {
      all.add(
          SearchFilter.anyOf(
              SearchableMemoryRecords.TRAJECTORY,
              filter.trajectories().stream().map(Id::toString).sorted().toList()));
    }
    if (!filter.noteTypes().isEmpty()) {
      all.add(
          SearchFilter.anyOf(
              SearchableMemoryRecords.NOTE_TYPE,
              filter.noteTypes().stream()
                  .map(SearchableMemoryRecords::lowerCaseName)
                  .sorted()
                  .toList()));
    }
    filter.metadata().entrySet().stream()
        .map(SearchableMemoryRecords::metadataKeyword)
        .forEach(entry -> all.add(SearchFilter.equal(SearchableMemoryRecords.METADATA, entry)));
    return new SearchFilter.AllOf(all);
  }

  private static SearchFilter createdFilter(
      ComparisonOperator comparisonOperator, Instant created) {
    return SearchFilter.compare(
        SearchableMemoryRecords.CREATED,
        comparisonOperator,
        new FilterValue.TimestampFilterValue(created));
  }

  /** Negates a comparison, so that a document without the field passes. */
  private static SearchFilter negatedFilter(
      String field, ComparisonOperator comparisonOperator, Instant time) {
    return new SearchFilter.Not(
        SearchFilter.compare(
            field, comparisonOperator, new FilterValue.TimestampFilterValue(time)));
  }
}
