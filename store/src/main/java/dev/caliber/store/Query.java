package dev.caliber.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A walk along one index: equal values for its leading columns, then a half-open range of the next
 * one, in either direction. Without columns it walks the keys.
 *
 * <pre>{@code
 * Query.over(NOTES, "entity", "updated_at").equal("alice").from(monday).descending()
 * }</pre>
 */
public final class Query<T> {

  private final Table<T> table;
  private final Optional<Index> index;
  private final List<Object> equal;
  private final Optional<Object> from;
  private final Optional<Object> until;
  private final boolean descending;
  private final Optional<Predicate<T>> filter;
  private final Optional<PageCursor> cursor;

  private Query(
      Table<T> table,
      Optional<Index> index,
      List<Object> equal,
      Range range,
      Optional<Predicate<T>> filter,
      Optional<PageCursor> cursor) {
    this.table = table;
    this.index = index;
    this.equal = equal;
    this.from = range.from;
    this.until = range.until;
    this.descending = range.descending;
    this.filter = filter;
    this.cursor = cursor;
  }

  private record Range(Optional<Object> from, Optional<Object> until, boolean descending) {}

  /** Over the declared index with exactly these columns; over the keys if none is named. */
  public static <T> Query<T> over(Table<T> table, String... columns) {
    Optional<Index> index =
        columns.length == 0 ? Optional.empty() : Optional.of(table.index(List.of(columns)));
    return new Query<>(
        table,
        index,
        List.of(),
        new Range(Optional.empty(), Optional.empty(), false),
        Optional.empty(),
        Optional.empty());
  }

  /** Fixes the index's leading columns to these values. */
  public Query<T> equal(Object... values) {
    int columns = index.map(declared -> declared.columns().size()).orElse(0);
    if (values.length > columns) {
      throw new IllegalArgumentException(
          "%d values for an index of %d columns".formatted(values.length, columns));
    }
    List<Object> checked = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      checked.add(columnAt(i).type().check(values[i]));
    }
    return new Query<>(table, index, List.copyOf(checked), range(), filter, cursor);
  }

  /** Only rows whose next column (or key) is this or greater. */
  public Query<T> from(Object value) {
    return ranged(new Range(Optional.of(checkNext(value)), until, descending));
  }

  /** Only rows whose next column (or key) is less than this. */
  public Query<T> until(Object value) {
    return ranged(new Range(from, Optional.of(checkNext(value)), descending));
  }

  /** Greatest first: with time-ordered ids, the newest first. */
  public Query<T> descending() {
    return ranged(new Range(from, until, true));
  }

  /** Only records that pass; a page then reads at most {@code store.reads.scan-limit} rows. */
  public Query<T> where(Predicate<T> passes) {
    return new Query<>(table, index, equal, range(), Optional.of(passes), cursor);
  }

  /** Only records that pass this as well as the filter that is there. */
  public Query<T> and(Predicate<T> passes) {
    return where(filter.map(other -> other.and(passes)).orElse(passes));
  }

  /** Goes on where a page of the same query ended. */
  public Query<T> resume(PageCursor place) {
    return new Query<>(table, index, equal, range(), filter, Optional.of(place));
  }

  /** The table whose records are read. */
  public Table<T> table() {
    return table;
  }

  List<Object> equalValues() {
    return equal;
  }

  Optional<Object> lower() {
    return from;
  }

  Optional<Object> upper() {
    return until;
  }

  Optional<Predicate<T>> filter() {
    return filter;
  }

  Optional<PageCursor> cursor() {
    return cursor;
  }

  /** What the statement looks like, whatever the values are. */
  ScanShape shape() {
    return new ScanShape(
        index, equal.size(), from.isPresent(), until.isPresent(), cursor.isPresent(), descending);
  }

  /** The columns by which rows are ordered behind the fixed ones, without the key. */
  List<Column<T>> orderColumns() {
    return index
        .map(declared -> declared.columns().subList(equal.size(), declared.columns().size()))
        .orElse(List.of())
        .stream()
        .map(table::column)
        .toList();
  }

  /** Ties a cursor to the query that made it: against mistakes, it keeps no secret. */
  String fingerprint() {
    return Integer.toHexString(
        List.of(table.name(), index.map(Index::name), equal, from, until, descending)
            .toString()
            .hashCode());
  }

  private Query<T> ranged(Range changed) {
    return new Query<>(table, index, equal, changed, filter, cursor);
  }

  private Range range() {
    return new Range(from, until, descending);
  }

  /** The type of what a range speaks of: the column behind the fixed ones, or the key. */
  ColumnType rangeType() {
    List<Column<T>> columns = orderColumns();
    return columns.isEmpty() ? ColumnType.TEXT : columns.getFirst().type();
  }

  private Object checkNext(Object value) {
    return rangeType().check(value);
  }

  private Column<T> columnAt(int position) {
    return table.column(index.orElseThrow().columns().get(position));
  }
}
