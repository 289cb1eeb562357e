package dev.caliber.store;

import dev.caliber.kernel.Vectors;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Declaration of one kind of record: its key, its readable columns, its indexes.
 *
 * <p>A table is immutable; each method returns a new one. The whole record is stored as a JSON
 * body; columns are copies for people and for indexes. A record component declared with {@link
 * #bytes} or {@link #vector} is stored in a column of its own instead of the body.
 */
public final class Table<T> {

  /**
   * Largest sum of the UTF-8 bytes of the columns of one index: with space and key, PostgreSQL
   * takes 2,704 bytes.
   */
  public static final int INDEXED_TEXTS_BOUND = 2000;

  /** Columns that every table has; {@code StoreFormatV1} describes them. */
  private static final Set<String> ROW_COLUMNS =
      Set.of("space", "key", "revision", "schema", "crc", "body");

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,47}");

  private final String name;
  private final String description;
  private final Class<T> type;
  private final Function<T, ?> key;
  private final Map<String, Column<T>> columns;
  private final List<Column<T>> inOrder;
  private final List<TableIndex> indexes;
  private final List<BinaryColumn<T>> binaries;
  private final SortedMap<Integer, UnaryOperator<ObjectNode>> upgrades;
  private final Map<String, String> views;
  private final boolean quiet;
  private final boolean secret;
  private final boolean importedByName;

  private Table(TableDraft<T> tableDraft) {
    name = tableDraft.name;
    description = tableDraft.description;
    type = tableDraft.type;
    key = tableDraft.key;
    columns = tableDraft.columns;
    inOrder = List.copyOf(columns.values());
    indexes = List.copyOf(tableDraft.indexes);
    binaries = List.copyOf(tableDraft.binaries);
    upgrades = tableDraft.upgrades;
    views = Map.copyOf(tableDraft.views);
    quiet = tableDraft.quiet;
    secret = tableDraft.secret;
    importedByName = tableDraft.importedByName;
  }

  /**
   * Returns a table whose key is the text of what {@code key} returns; the description is for
   * people.
   */
  public static <T extends Record> Table<T> of(
      String name, String description, Class<T> type, Function<T, ?> key) {
    requireName(name);
    if (description.isBlank()) {
      throw new IllegalArgumentException("Table '%s' has no description".formatted(name));
    }
    return new Table<>(new TableDraft<>(name, description, type, key));
  }

  public Table<T> text(String column, Function<T, @Nullable String> value) {
    return withColumn(column, ColumnType.TEXT, value);
  }

  public Table<T> integer(String column, Function<T, ? extends @Nullable Number> value) {
    return withColumn(
        column,
        ColumnType.INTEGER,
        record -> {
          Number number = value.apply(record);
          return number == null ? null : number.longValue();
        });
  }

  public Table<T> real(String column, Function<T, @Nullable Double> value) {
    return withColumn(column, ColumnType.REAL, value);
  }

  public Table<T> flag(String column, Function<T, @Nullable Boolean> value) {
    return withColumn(column, ColumnType.FLAG, value);
  }

  public Table<T> instant(String column, Function<T, @Nullable Instant> value) {
    return withColumn(column, ColumnType.INSTANT, value);
  }

  /** Stores the component with this JSON name in a column of its own instead of the body. */
  public Table<T> bytes(String property, Function<T, byte @Nullable []> value) {
    return withBinary(new BinaryColumn<>(property, false, value));
  }

  /** Stores the vector with this JSON name in a column of its own instead of the body. */
  public Table<T> vector(String property, Function<T, float @Nullable []> value) {
    return withBinary(
        new BinaryColumn<>(
            property,
            true,
            record -> {
              float[] vector = value.apply(record);
              return vector == null ? null : Vectors.toBytes(vector);
            }));
  }

  private Table<T> withBinary(BinaryColumn<T> binaryColumn) {
    requireName(binaryColumn.name());
    boolean taken =
        ROW_COLUMNS.contains(binaryColumn.name())
            || columns.containsKey(binaryColumn.name())
            || binaries.stream().anyMatch(other -> other.name().equals(binaryColumn.name()));
    if (taken) {
      throw new IllegalArgumentException("'%s' is already a column".formatted(binaryColumn.name()));
    }
    return with(tableDraft -> tableDraft.binaries.add(binaryColumn));
  }

  /**
   * Adds an ordered index over declared columns, read with {@link Query#over(Table, String...)}.
   */
  public Table<T> index(String... indexed) {
    return withIndex(List.of(indexed), false);
  }

  /** Adds an index that refuses a second row with the same values. */
  public Table<T> unique(String... indexed) {
    return withIndex(List.of(indexed), true);
  }

  /**
   * Adds a view for people with an SQL prompt, over declared columns of this and other tables of
   * the same store; both engines must understand it. Nothing in the running system reads it.
   */
  public Table<T> view(String viewName, String select) {
    requireName(viewName);
    return with(tableDraft -> tableDraft.views.put(viewName, select));
  }

  public Map<String, String> views() {
    return views;
  }

  /** Leaves this table's changes out of the feed: heartbeats, caches, traces. */
  public Table<T> withoutFeed() {
    return with(tableDraft -> tableDraft.quiet = true);
  }

  /** Excludes this table's records from exports. */
  public Table<T> withoutExport() {
    return with(tableDraft -> tableDraft.secret = true);
  }

  /**
   * Excludes this table's records, which make a server act, from imports that do not name the
   * table.
   */
  public Table<T> importedOnlyIfNamed() {
    return with(tableDraft -> tableDraft.importedByName = true);
  }

  /**
   * Raises the schema number by one: {@code upgrade} changes a body of the previous number when it
   * is read, and columns are computed anew when the store is opened.
   */
  public Table<T> upgrade(UnaryOperator<ObjectNode> upgrade) {
    return with(tableDraft -> tableDraft.upgrades.put(tableDraft.upgrades.size() + 1, upgrade));
  }

  public String name() {
    return name;
  }

  public String description() {
    return description;
  }

  /** Returns the schema number of new bodies; the first is 1. */
  public int schema() {
    return upgrades.size() + 1;
  }

  public Class<T> type() {
    return type;
  }

  /** Returns whether the feed leaves out this table's changes. */
  public boolean isExcludedFromFeed() {
    return quiet;
  }

  public boolean isExcludedFromExport() {
    return secret;
  }

  public boolean isImportedOnlyIfNamed() {
    return importedByName;
  }

  public List<Column<T>> columns() {
    return inOrder;
  }

  /** Returns the record's value of a text column; empty if there is no such column or value. */
  public Optional<String> textValue(String column, T record) {
    return Optional.ofNullable(columns.get(column))
        .filter(found -> found.type() == ColumnType.TEXT)
        .map(found -> (String) found.value().apply(record));
  }

  /** Returns whether the table has a column of this name. */
  public boolean hasColumn(String column) {
    return columns.containsKey(column);
  }

  public Column<T> column(String column) {
    Column<T> found = columns.get(column);
    if (found == null) {
      throw new IllegalArgumentException(
          "Table '%s' has no column '%s'; its columns are %s"
              .formatted(name, column, columns.keySet()));
    }
    return found;
  }

  public List<TableIndex> indexes() {
    return indexes;
  }

  /** Returns the index over exactly these columns. */
  TableIndex indexOver(List<String> indexed) {
    Optional<TableIndex> found =
        indexes.stream().filter(tableIndex -> tableIndex.columns().equals(indexed)).findFirst();
    return found.orElseThrow(
        () ->
            new IllegalArgumentException(
                "Table '%s' declares no index over the columns %s".formatted(name, indexed)));
  }

  public List<BinaryColumn<T>> binaries() {
    return binaries;
  }

  public SortedMap<Integer, UnaryOperator<ObjectNode>> upgrades() {
    return upgrades;
  }

  /** Returns the text of the record's key. */
  public String keyOf(T record) {
    return key.apply(record).toString();
  }

  @Override
  public String toString() {
    return name;
  }

  private Table<T> withColumn(
      String column, ColumnType columnType, Function<T, ? extends @Nullable Object> value) {
    requireName(column);
    if (ROW_COLUMNS.contains(column)) {
      throw new IllegalArgumentException(
          "Column '%s' has a name that is reserved for the store".formatted(column));
    }
    return with(
        tableDraft -> {
          if (tableDraft.columns.put(column, new Column<>(column, columnType, value::apply))
              != null) {
            throw new IllegalArgumentException("Column '%s' is declared twice".formatted(column));
          }
        });
  }

  private Table<T> withIndex(List<String> indexed, boolean unique) {
    indexed.forEach(this::column);
    return with(tableDraft -> tableDraft.indexes.add(TableIndex.of(name, indexed, unique)));
  }

  private Table<T> with(java.util.function.Consumer<TableDraft<T>> change) {
    TableDraft<T> tableDraft = new TableDraft<>(name, description, type, key);
    tableDraft.columns.putAll(columns);
    tableDraft.indexes.addAll(indexes);
    tableDraft.binaries.addAll(binaries);
    tableDraft.upgrades.putAll(upgrades);
    tableDraft.views.putAll(views);
    tableDraft.quiet = quiet;
    tableDraft.secret = secret;
    tableDraft.importedByName = importedByName;
    change.accept(tableDraft);
    return new Table<>(tableDraft);
  }

  private static void requireName(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "'%s' is not a valid name of a table or column: expected %s".formatted(name, NAME));
    }
  }

  private static final class TableDraft<T> {
    final String name;
    final String description;
    final Class<T> type;
    final Function<T, ?> key;
    final Map<String, Column<T>> columns = new LinkedHashMap<>();
    final List<TableIndex> indexes = new ArrayList<>();
    final List<BinaryColumn<T>> binaries = new ArrayList<>();
    final SortedMap<Integer, UnaryOperator<ObjectNode>> upgrades = new TreeMap<>();
    final Map<String, String> views = new LinkedHashMap<>();
    boolean quiet;
    boolean secret;
    boolean importedByName;

    TableDraft(String name, String description, Class<T> type, Function<T, ?> key) {
      this.name = name;
      this.description = description;
      this.type = type;
      this.key = key;
    }
  }
}
