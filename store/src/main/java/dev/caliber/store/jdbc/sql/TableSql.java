package dev.caliber.store.jdbc.sql;

import dev.caliber.store.BinaryColumn;
import dev.caliber.store.Column;
import dev.caliber.store.ScanShape;
import dev.caliber.store.Table;
import dev.caliber.store.TableIndex;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Statements of one table, derived from its declaration. Scans have a few shapes, each derived
 * once; a session keeps the statements it has prepared.
 */
public final class TableSql {

  private final Table<?> table;
  private final Dialect dialect;
  private final ConcurrentHashMap<ScanShape, String> scans = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<ScanShape, String> counts = new ConcurrentHashMap<>();

  private final ConcurrentHashMap<List<String>, String> updates = new ConcurrentHashMap<>();

  private final String intoColumns;
  private final String oneRow;
  private final ConcurrentHashMap<Integer, String> appends = new ConcurrentHashMap<>();

  final String insert;
  final String update;
  public final String delete;
  public final String select;
  public final String selectThese;
  final String selectAll;

  TableSql(Table<?> table, Dialect dialect) {
    this.table = table;
    this.dialect = dialect;
    List<String> written = writtenColumns(table.columns());
    intoColumns =
        "INSERT INTO %s (%s) VALUES "
            .formatted(
                name(),
                Stream.concat(Stream.of("space", "key"), written.stream())
                    .map(TableSql::quote)
                    .collect(Collectors.joining(", ")));
    oneRow = "(" + "?, ".repeat(written.size() + 1) + "?)";
    insert = appendStatement(1) + " ON CONFLICT DO NOTHING";
    update = updateOf(written);
    delete = "DELETE FROM %s WHERE \"space\" = ? AND \"key\" = ?".formatted(name());
    select =
        "SELECT %s FROM %s WHERE \"space\" = ? AND \"key\" = ?".formatted(bodyColumns(), name());
    selectThese =
        "SELECT %s FROM %s%s WHERE \"space\" = ? AND \"key\"%s"
            .formatted(
                bodyColumns(),
                name(),
                dialect.indexHint(keyIndex(table.name())),
                dialect.inTextsCondition());
    selectAll =
        "SELECT %s, %s FROM %s WHERE (\"space\", \"key\") > (?, ?) ORDER BY \"space\", \"key\" LIMIT ?"
            .formatted(
                bodyColumns(),
                Stream.concat(Stream.of("space"), table.columns().stream().map(Column::name))
                    .map(TableSql::quote)
                    .collect(Collectors.joining(", ")),
                name());
  }

  /** Returns an insert of this number of rows, which fails if the key of one is taken. */
  String appendStatement(int rows) {
    return appends.computeIfAbsent(
        rows, count -> intoColumns + String.join(", ", Collections.nCopies(count, oneRow)));
  }

  /** Returns the columns of insert and update after space and key, in binding order. */
  private List<String> writtenColumns(List<? extends Column<?>> columns) {
    List<String> written = new ArrayList<>(List.of("revision", "schema", "crc", "body"));
    table.binaries().forEach(binaryColumn -> written.add(binaryColumn.name()));
    columns.forEach(column -> written.add(column.name()));
    return written;
  }

  private String updateOf(List<String> written) {
    return "UPDATE %s SET %s WHERE \"space\" = ? AND \"key\" = ?"
        .formatted(
            name(), written.stream().map(c -> quote(c) + " = ?").collect(Collectors.joining(", ")));
  }

  /**
   * Returns an update that leaves the other columns alone. Records change in a few ways, each of
   * which has its statement.
   */
  String updateStatement(List<? extends Column<?>> changed) {
    return updates.computeIfAbsent(
        changed.stream().map(Column::name).toList(), _ -> updateOf(writtenColumns(changed)));
  }

  private String bodyColumns() {
    return Stream.concat(
            Stream.of("key", "revision", "schema", "crc", "body"),
            table.binaries().stream().map(BinaryColumn::name))
        .map(TableSql::quote)
        .collect(Collectors.joining(", "));
  }

  public String scanStatement(ScanShape shape) {
    return scans.computeIfAbsent(
        shape,
        s ->
            "SELECT %s FROM %s%s WHERE %s ORDER BY %s LIMIT ?"
                .formatted(bodyColumns(), name(), hint(s), condition(s), order(s)));
  }

  public String countStatement(ScanShape shape) {
    return counts.computeIfAbsent(
        shape, s -> "SELECT count(*) FROM %s%s WHERE %s".formatted(name(), hint(s), condition(s)));
  }

  /** Selects a row with the same values in a unique index; its columns are bound in order. */
  String selectDuplicate(TableIndex tableIndex) {
    return "SELECT 1 FROM %s WHERE \"space\" = ? AND %s"
        .formatted(
            name(),
            tableIndex.columns().stream()
                .map(column -> quote(column) + " = ?")
                .collect(Collectors.joining(" AND ")));
  }

  private String hint(ScanShape shape) {
    return dialect.indexHint(shape.index().map(TableIndex::name).orElse(keyIndex(table.name())));
  }

  private String condition(ScanShape shape) {
    List<String> columns = shape.index().map(TableIndex::columns).orElse(List.of());
    List<String> terms = new ArrayList<>();
    terms.add("\"space\" = ?");
    columns.forEach(column -> terms.add(quote(column) + " IS NOT NULL"));
    columns.stream().limit(shape.equalColumns()).forEach(c -> terms.add(quote(c) + " = ?"));
    String ranged =
        quote(shape.equalColumns() < columns.size() ? columns.get(shape.equalColumns()) : "key");
    if (shape.hasLower()) {
      terms.add(ranged + " >= ?");
    }
    if (shape.hasUpper()) {
      terms.add(ranged + " < ?");
    }
    if (shape.hasCursor()) {
      List<String> ordered = orderColumns(shape);
      terms.add(
          "(%s) %s (%s)"
              .formatted(
                  String.join(", ", ordered),
                  shape.descending() ? "<" : ">",
                  "?, ".repeat(ordered.size() - 1) + "?"));
    }
    return String.join(" AND ", terms);
  }

  private static String order(ScanShape shape) {
    return sortColumns(shape).stream()
        .map(column -> column + (shape.descending() ? " DESC" : ""))
        .collect(Collectors.joining(", "));
  }

  /**
   * Returns the order of a scan. A unique index has no ties to break, and does not contain the key:
   * ordering by it would need a sort.
   */
  private static List<String> sortColumns(ScanShape shape) {
    List<String> ordered = orderColumns(shape);
    boolean unique = shape.index().filter(TableIndex::unique).isPresent();
    return unique && ordered.size() > 1 ? ordered.subList(0, ordered.size() - 1) : ordered;
  }

  /** Returns the columns after the fixed ones, and the key to break ties. */
  private static List<String> orderColumns(ScanShape shape) {
    List<String> columns = shape.index().map(TableIndex::columns).orElse(List.of());
    return Stream.concat(columns.stream().skip(shape.equalColumns()), Stream.of("key"))
        .map(TableSql::quote)
        .toList();
  }

  private String name() {
    return quote(table.name());
  }

  /** Returns the condition under which a row is in the index. */
  public static String indexedCondition(TableIndex tableIndex) {
    return tableIndex.columns().stream()
        .map(column -> quote(column) + " IS NOT NULL")
        .collect(Collectors.joining(" AND "));
  }

  public static String keyIndex(String table) {
    return table + "_key";
  }

  public static String quote(String identifier) {
    return '"' + identifier + '"';
  }
}
