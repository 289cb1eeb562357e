package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.config.Comparator;
import dev.caliber.kernel.config.FilterValue;
import dev.caliber.memory.command.RecallFilter;
import dev.caliber.memory.command.RecallQuery;
import dev.caliber.memory.command.Recollection.Hit;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.memory.text.RecallReason;
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

/** Recalls from the search index. Records decide: a hit that no longer holds is not answered. */
final class IndexRecall {

  private final SearchIndex index;
  private final TokenCounter counter;
  private final double minSimilarity;

  IndexRecall(SearchIndex index, TokenCounter counter, double minSimilarity) {
    this.index = index;
    this.counter = counter;
    this.minSimilarity = minSimilarity;
  }

  /**
   * What the index answered, best first.
   *
   * @param unembedded how many records of the space could not be compared by meaning yet
   */
  record Found(List<SearchHit> hits, long unembedded) {}

  /** Searches the index after this commit; what is not similar enough is no answer. */
  Found search(SpaceId space, RecallQuery query, int limit, long sequence, Instant now) {
    String[] tables = tables(query.filter());
    if (tables.length == 0) {
      return new Found(List.of(), 0);
    }
    SearchQuery asked =
        SearchQuery.of(space, query.text(), limit)
            .in(tables)
            .where(condition(query, now))
            .after(sequence)
            .explained();
    SearchResult result = index.search(asked);
    double least = query.minSimilarity().orElse(minSimilarity);
    List<SearchHit> similar = result.hits().stream().filter(hit -> hit.score() >= least).toList();
    return new Found(similar, result.unembedded());
  }

  /** The hits whose records pass, with their words. */
  List<Hit> read(MemoryView view, List<SearchHit> hits, RecallQuery query, Instant now) {
    RecallHits records = new RecallHits(view, counter);
    Reader reader = new Reader(view, records, new RecordSubjects(view.snapshot()), query, now);
    return records.once(
        hits.stream()
            .flatMap(
                hit ->
                    reader.read(hit).stream()
                        .map(found -> found.found(hit.score(), reason(hit, query, found.text()))))
            .toList());
  }

  /** Reads the records of hits, of those that the query asks for and may see. */
  private record Reader(
      MemoryView view,
      RecallHits records,
      RecordSubjects subjects,
      RecallQuery query,
      Instant now) {

    Optional<Hit> read(SearchHit hit) {
      Id id = Id.parse(hit.key());
      if (hit.table().equals(Note.TABLE.name())) {
        return view.find(Note.TABLE, id)
            .filter(note -> note.isLive(now) && query.filter().passes(note))
            .filter(note -> subjects.sees(query.visible(), note))
            .map(records::note);
      }
      if (hit.table().equals(Turn.TABLE.name())) {
        return view.find(Turn.TABLE, id)
            .filter(turn -> turn.rolledBackAt().isEmpty() && query.filter().passes(turn))
            .filter(turn -> subjects.sees(query.visible(), turn))
            .map(records::turn);
      }
      return view.find(Artifact.TABLE, id)
          .filter(made -> made.isLive(now) && query.filter().passes(made))
          .filter(made -> subjects.sees(query.visible(), made))
          .flatMap(records::artifact);
    }
  }

  private static String reason(SearchHit hit, RecallQuery query, String text) {
    return RecallReason.of(query.text(), text, hit.similarity().isPresent());
  }

  private static String[] tables(RecallFilter filter) {
    return Stream.of(
            Optional.of(Note.TABLE).filter(_ -> filter.wants(EntityType.NOTE)),
            Optional.of(Turn.TABLE).filter(_ -> filter.wants(EntityType.TURN)),
            Optional.of(Artifact.TABLE).filter(_ -> filter.wants(EntityType.ARTIFACT)))
        .flatMap(Optional::stream)
        .map(table -> table.name())
        .toArray(String[]::new);
  }

  private static SearchFilter condition(RecallQuery query, Instant now) {
    RecallFilter filter = query.filter();
    List<SearchFilter> all = new ArrayList<>();
    SubjectFilter.of(query.visible()).ifPresent(all::add);
    all.add(not(Searchables.BEGINS, Comparator.GREATER, now));
    all.add(not(Searchables.ENDS, Comparator.AT_MOST, now));
    filter.created().from().ifPresent(time -> all.add(is(Comparator.AT_LEAST, time)));
    filter.created().until().ifPresent(time -> all.add(is(Comparator.LESS, time)));
    filter.subject().ifPresent(text -> all.add(SearchFilter.equal(Searchables.SUBJECT, text)));
    filter
        .externalId()
        .ifPresent(text -> all.add(SearchFilter.equal(Searchables.EXTERNAL_ID, text)));
    filter.entity().ifPresent(text -> all.add(SearchFilter.equal(Searchables.ENTITY, text)));
    if (!filter.trajectories().isEmpty()) {
      all.add(
          SearchFilter.anyOf(
              Searchables.TRAJECTORY,
              filter.trajectories().stream().map(Id::toString).sorted().toList()));
    }
    if (!filter.noteTypes().isEmpty()) {
      all.add(
          SearchFilter.anyOf(
              Searchables.NOTE_TYPE,
              filter.noteTypes().stream().map(Searchables::word).sorted().toList()));
    }
    filter.metadata().entrySet().stream()
        .map(Searchables::entry)
        .forEach(entry -> all.add(SearchFilter.equal(Searchables.METADATA, entry)));
    return new SearchFilter.All(all);
  }

  private static SearchFilter is(Comparator comparator, Instant created) {
    return SearchFilter.compare(Searchables.CREATED, comparator, new FilterValue.Moment(created));
  }

  /** A document without the field passes. */
  private static SearchFilter not(String field, Comparator comparator, Instant time) {
    return new SearchFilter.Not(
        SearchFilter.compare(field, comparator, new FilterValue.Moment(time)));
  }
}
