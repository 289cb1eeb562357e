package dev.caliber.store;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Walk along one index: equal values for its leading columns, then a half-open range of the next
 * one, in either direction. Without columns it walks the keys.
 *
 * <pre>{@code
 * Query.over(NOTES, "entity", "updated_at").equal("alice").from(monday).descending()
 * }</pre>
 */
public final class Query<T> {
  /** Resolution of times in the store. */
  private static final long MICROSECOND = 1000;

  private final Table<T> table;
  private final Optional<TableIndex> index;
  private final List<Object> equal;
  private final Optional<Object> from;
  private final Optional<Object> until;
  private final boolean descending;
  private final Optional<Predicate<T>> filter;
  private final Optional<PageCursor> cursor;

  private Query(
      Table<T> table,
      Optional<TableIndex> index,
      List<Object> equal,
      KeyRange keyRange,
      Optional<Predicate<T>> filter,
      Optional<PageCursor> cursor) {
    this.table = table;
    this.index = index;
    this.equal = equal;
    this.from = keyRange.from;
    this.until = keyRange.until;
    this.descending = keyRange.descending;
    this.filter = filter;
    this.cursor = cursor;
  }

  private record KeyRange(Optional<Object> from, Optional<Object> until, boolean descending) {}

  /**
   * Returns a query over the declared index with exactly these columns; over the keys if none is
   * named.
   */
  public static <T> Query<T> over(Table<T> table, String... columns) {
    Optional<TableIndex> index =
        columns.length == 0 ? Optional.empty() : Optional.of(table.indexOver(List.of(columns)));
    return new Query<>(
        table,
        index,
        List.of(),
        new KeyRange(Optional.empty(), Optional.empty(), false),
        Optional.empty(),
        Optional.empty());
  }

  /** Fixes the index's leading columns to these values. */
  public Query<T> equal(Object... values) {
    int columns = index.map(declared -> declared.columns().size()).orElse(0);
    if (values.length > columns) {
      throw new IllegalArgumentException(
          "the query has %d values, but its index has %d columns"
              .formatted(values.length, columns));
    }
    List<Object> checked = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      checked.add(columnAt(i).type().checkedValue(values[i]));
    }
    return new Query<>(table, index, List.copyOf(checked), range(), filter, cursor);
  }

  /** Restricts the query to rows whose next column (or key) is this or greater. */
  public Query<T> from(Object value) {
    return withRange(new KeyRange(Optional.of(checkNext(value)), until, descending));
  }

  /** Restricts the query to rows whose next column (or key) is less than this. */
  public Query<T> until(Object value) {
    return withRange(new KeyRange(from, Optional.of(checkNext(value)), descending));
  }

  /** Restricts the query to rows that have a time in the next column, at or before this one. */
  public Query<T> due(Instant now) {
    return from(Instant.EPOCH).until(now.plusNanos(MICROSECOND));
  }

  /** Reverses the order, greatest first; with time-ordered ids that is newest first. */
  public Query<T> descending() {
    return withRange(new KeyRange(from, until, true));
  }

  /**
   * Restricts the query to records that pass; a page then reads at most {@code
   * store.reads.scan-limit} rows.
   */
  public Query<T> where(Predicate<T> passes) {
    return new Query<>(table, index, equal, range(), Optional.of(passes), cursor);
  }

  /** Restricts the query to records that pass this and the present filter. */
  public Query<T> and(Predicate<T> passes) {
    return where(filter.map(other -> other.and(passes)).orElse(passes));
  }

  /** Continues where a page of the same query ended. */
  public Query<T> resume(PageCursor place) {
    return new Query<>(table, index, equal, range(), filter, Optional.of(place));
  }

  /** Returns the table whose records are read. */
  public Table<T> table() {
    return table;
  }

  public List<Object> equalValues() {
    return equal;
  }

  public Optional<Object> lowerBound() {
    return from;
  }

  public Optional<Object> upperBound() {
    return until;
  }

  public Optional<Predicate<T>> filter() {
    return filter;
  }

  public Optional<PageCursor> cursor() {
    return cursor;
  }

  /** Returns the shape of the statement, without the values. */
  public ScanShape shape() {
    return new ScanShape(
        index, equal.size(), from.isPresent(), until.isPresent(), cursor.isPresent(), descending);
  }

  /** Returns the columns that order the rows after the fixed ones, without the key. */
  public List<Column<T>> orderColumns() {
    return index
        .map(declared -> declared.columns().subList(equal.size(), declared.columns().size()))
        .orElse(List.of())
        .stream()
        .map(table::column)
        .toList();
  }

  /**
   * Returns a hash that ties a cursor to the query that made it. It detects mistakes and is no
   * protection.
   */
  String fingerprint() {
    return Integer.toHexString(
        List.of(table.name(), index.map(TableIndex::name), equal, from, until, descending)
            .toString()
            .hashCode());
  }

  private Query<T> withRange(KeyRange changed) {
    return new Query<>(table, index, equal, changed, filter, cursor);
  }

  private KeyRange range() {
    return new KeyRange(from, until, descending);
  }

  /** Returns the type of the range's bounds: the column after the fixed ones, or the key. */
  public ColumnType rangeType() {
    List<Column<T>> columns = orderColumns();
    return columns.isEmpty() ? ColumnType.TEXT : columns.getFirst().type();
  }

  private Object checkNext(Object value) {
    return rangeType().checkedValue(value);
  }

  private Column<T> columnAt(int position) {
    return table.column(index.orElseThrow().columns().get(position));
  }
}
