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
import dev.caliber.store.search.SearchFilter;
import dev.caliber.store.search.SearchHit;
import dev.caliber.store.search.SearchIndex;
import dev.caliber.store.search.SearchQuery;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Recalls from the search index. Records decide: a hit that no longer holds is not answered. */
final class IndexRecall {

  private final SearchIndex index;
  private final TokenCounter counter;

  IndexRecall(SearchIndex index, TokenCounter counter) {
    this.index = index;
    this.counter = counter;
  }

  /** What the index has after this commit, best first. */
  List<SearchHit> search(SpaceId space, RecallQuery query, long sequence, Instant now) {
    String[] tables = tables(query.filter());
    if (tables.length == 0) {
      return List.of();
    }
    SearchQuery asked =
        SearchQuery.of(space, query.text(), query.limit())
            .in(tables)
            .where(condition(query.filter(), now))
            .after(sequence);
    return index.search(asked).hits();
  }

  /** The hits whose records pass, with their words. */
  List<Hit> read(MemoryView view, List<SearchHit> hits, RecallQuery query, Instant now) {
    return hits.stream().flatMap(hit -> read(view, hit, query.filter(), now).stream()).toList();
  }

  private Optional<Hit> read(MemoryView view, SearchHit hit, RecallFilter filter, Instant now) {
    Id id = Id.parse(hit.key());
    if (hit.table().equals(Note.TABLE.name())) {
      return view.snapshot()
          .find(Note.TABLE, id)
          .filter(note -> note.isLive(now) && filter.passes(note))
          .map(note -> hit(EntityType.NOTE, hit, note.content(), note.createdAt()));
    }
    if (hit.table().equals(Turn.TABLE.name())) {
      return view.snapshot()
          .find(Turn.TABLE, id)
          .filter(turn -> turn.rolledBackAt().isEmpty() && filter.passes(turn))
          .map(turn -> hit(EntityType.TURN, hit, turn.words(), turn.createdAt()));
    }
    return view.snapshot()
        .find(Artifact.TABLE, id)
        .filter(made -> made.isLive(now) && filter.passes(made))
        .flatMap(
            made ->
                made.content()
                    .text()
                    .map(text -> hit(EntityType.ARTIFACT, hit, text, made.createdAt())));
  }

  private Hit hit(EntityType type, SearchHit hit, String text, Instant createdAt) {
    return new Hit(type, Id.parse(hit.key()), text, hit.score(), counter.count(text), createdAt);
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

  private static SearchFilter condition(RecallFilter filter, Instant now) {
    List<SearchFilter> all = new ArrayList<>();
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
