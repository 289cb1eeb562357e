package dev.caliber.store;

import dev.caliber.kernel.Vectors;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The declaration of one kind of record: its key, its readable columns, its indexes.
 *
 * <p>A table is immutable; each method returns a new one. The whole record is stored as a JSON
 * body; columns are copies for people and for indexes. A record component declared {@link #bytes}
 * or {@link #vector} lives in a column of its own instead of the body.
 */
public final class Table<T> {

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,47}");

  private final String name;
  private final String description;
  private final Class<T> type;
  private final Function<T, ?> key;
  private final Map<String, Column<T>> columns;
  private final List<Column<T>> inOrder;
  private final List<Index> indexes;
  private final List<Binary<T>> binaries;
  private final SortedMap<Integer, UnaryOperator<ObjectNode>> upgrades;
  private final Map<String, String> views;
  private final boolean quiet;
  private final boolean secret;
  private final boolean importedByName;

  private Table(Draft<T> draft) {
    name = draft.name;
    description = draft.description;
    type = draft.type;
    key = draft.key;
    columns = draft.columns;
    inOrder = List.copyOf(columns.values());
    indexes = List.copyOf(draft.indexes);
    binaries = List.copyOf(draft.binaries);
    upgrades = draft.upgrades;
    views = Map.copyOf(draft.views);
    quiet = draft.quiet;
    secret = draft.secret;
    importedByName = draft.importedByName;
  }

  /** A table whose key is the text of what {@code key} returns; the description is for people. */
  public static <T extends Record> Table<T> of(
      String name, String description, Class<T> type, Function<T, ?> key) {
    requireName(name);
    if (description.isBlank()) {
      throw new IllegalArgumentException("Table '%s' has no description".formatted(name));
    }
    return new Table<>(new Draft<>(name, description, type, key));
  }

  public Table<T> text(String column, Function<T, @Nullable String> value) {
    return column(column, ColumnType.TEXT, value);
  }

  public Table<T> integer(String column, Function<T, ? extends @Nullable Number> value) {
    return column(
        column,
        ColumnType.INTEGER,
        record -> {
          Number number = value.apply(record);
          return number == null ? null : number.longValue();
        });
  }

  public Table<T> real(String column, Function<T, @Nullable Double> value) {
    return column(column, ColumnType.REAL, value);
  }

  public Table<T> flag(String column, Function<T, @Nullable Boolean> value) {
    return column(column, ColumnType.FLAG, value);
  }

  public Table<T> instant(String column, Function<T, @Nullable Instant> value) {
    return column(column, ColumnType.INSTANT, value);
  }

  /** Keeps the component with this JSON name out of the body, in a column of its own. */
  public Table<T> bytes(String property, Function<T, byte @Nullable []> value) {
    return binary(new Binary<>(property, false, value));
  }

  /** Keeps the vector with this JSON name out of the body, in a column of its own. */
  public Table<T> vector(String property, Function<T, float @Nullable []> value) {
    return binary(
        new Binary<>(
            property,
            true,
            record -> {
              float[] vector = value.apply(record);
              return vector == null ? null : Vectors.toBytes(vector);
            }));
  }

  private Table<T> binary(Binary<T> binary) {
    requireName(binary.name());
    boolean taken =
        StoreFormatV1.ROW_COLUMNS.contains(binary.name())
            || columns.containsKey(binary.name())
            || binaries.stream().anyMatch(other -> other.name().equals(binary.name()));
    if (taken) {
      throw new IllegalArgumentException("'%s' is a column already".formatted(binary.name()));
    }
    return with(draft -> draft.binaries.add(binary));
  }

  /** An ordered index over declared columns, read with {@link Query#over(Table, String...)}. */
  public Table<T> index(String... indexed) {
    return index(List.of(indexed), false);
  }

  /** An index that refuses a second row with the same values. */
  public Table<T> unique(String... indexed) {
    return index(List.of(indexed), true);
  }

  /**
   * A view for people with an SQL prompt, over declared columns of this and other tables of the
   * same store; both engines must understand it. Nothing in the running system reads it.
   */
  public Table<T> view(String viewName, String select) {
    requireName(viewName);
    return with(draft -> draft.views.put(viewName, select));
  }

  Map<String, String> views() {
    return views;
  }

  /** Leaves this table's changes out of the feed: heartbeats, caches, traces. */
  public Table<T> quiet() {
    return with(draft -> draft.quiet = true);
  }

  /** Keeps this table's records in their store: no export has them. */
  public Table<T> secret() {
    return with(draft -> draft.secret = true);
  }

  /** Its records make a server act, so an import leaves them out unless the table is named. */
  public Table<T> importedByName() {
    return with(draft -> draft.importedByName = true);
  }

  /**
   * Raises the body's schema number by one: a body of the number before is changed by {@code
   * upgrade} when it is read, and columns are computed anew when the store is opened.
   */
  public Table<T> upgrade(UnaryOperator<ObjectNode> upgrade) {
    return with(draft -> draft.upgrades.put(draft.upgrades.size() + 1, upgrade));
  }

  public String name() {
    return name;
  }

  public String description() {
    return description;
  }

  /** The number that new bodies carry; the first is 1. */
  public int schema() {
    return upgrades.size() + 1;
  }

  Class<T> type() {
    return type;
  }

  /** Whether its changes are told to nobody. */
  public boolean isQuiet() {
    return quiet;
  }

  boolean isSecret() {
    return secret;
  }

  boolean isImportedByName() {
    return importedByName;
  }

  List<Column<T>> columns() {
    return inOrder;
  }

  /** What a text column says of a record; nothing where there is no such column or value. */
  public Optional<String> textOf(String column, T record) {
    return Optional.ofNullable(columns.get(column))
        .filter(found -> found.type() == ColumnType.TEXT)
        .map(found -> (String) found.value().apply(record));
  }

  /** Whether the table has a column of this name. */
  public boolean hasColumn(String column) {
    return columns.containsKey(column);
  }

  Column<T> column(String column) {
    Column<T> found = columns.get(column);
    if (found == null) {
      throw new IllegalArgumentException(
          "Table '%s' has no column '%s', only %s".formatted(name, column, columns.keySet()));
    }
    return found;
  }

  List<Index> indexes() {
    return indexes;
  }

  /** The index over exactly these columns. */
  Index index(List<String> indexed) {
    Optional<Index> found =
        indexes.stream().filter(index -> index.columns().equals(indexed)).findFirst();
    return found.orElseThrow(
        () ->
            new IllegalArgumentException(
                "Table '%s' declares no index over %s".formatted(name, indexed)));
  }

  List<Binary<T>> binaries() {
    return binaries;
  }

  SortedMap<Integer, UnaryOperator<ObjectNode>> upgrades() {
    return upgrades;
  }

  /** The text of the record's key. */
  public String keyOf(T record) {
    return key.apply(record).toString();
  }

  @Override
  public String toString() {
    return name;
  }

  private Table<T> column(
      String column, ColumnType columnType, Function<T, ? extends @Nullable Object> value) {
    requireName(column);
    if (StoreFormatV1.ROW_COLUMNS.contains(column)) {
      throw new IllegalArgumentException("Column '%s' is the store's own".formatted(column));
    }
    return with(
        draft -> {
          if (draft.columns.put(column, new Column<>(column, columnType, value::apply)) != null) {
            throw new IllegalArgumentException("Column '%s' is declared twice".formatted(column));
          }
        });
  }

  private Table<T> index(List<String> indexed, boolean unique) {
    indexed.forEach(this::column);
    return with(draft -> draft.indexes.add(Index.of(name, indexed, unique)));
  }

  private Table<T> with(java.util.function.Consumer<Draft<T>> change) {
    Draft<T> draft = new Draft<>(name, description, type, key);
    draft.columns.putAll(columns);
    draft.indexes.addAll(indexes);
    draft.binaries.addAll(binaries);
    draft.upgrades.putAll(upgrades);
    draft.views.putAll(views);
    draft.quiet = quiet;
    draft.secret = secret;
    draft.importedByName = importedByName;
    change.accept(draft);
    return new Table<>(draft);
  }

  private static void requireName(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "'%s' is no name for a table or column: wanted %s".formatted(name, NAME));
    }
  }

  private static final class Draft<T> {
    final String name;
    final String description;
    final Class<T> type;
    final Function<T, ?> key;
    final Map<String, Column<T>> columns = new LinkedHashMap<>();
    final List<Index> indexes = new ArrayList<>();
    final List<Binary<T>> binaries = new ArrayList<>();
    final SortedMap<Integer, UnaryOperator<ObjectNode>> upgrades = new TreeMap<>();
    final Map<String, String> views = new LinkedHashMap<>();
    boolean quiet;
    boolean secret;
    boolean importedByName;

    Draft(String name, String description, Class<T> type, Function<T, ?> key) {
      this.name = name;
      this.description = description;
      this.type = type;
      this.key = key;
    }
  }
}
