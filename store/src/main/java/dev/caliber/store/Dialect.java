package dev.caliber.store;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What differs between the engines' SQL; everything else is written once. */
interface Dialect {

  String textType();

  String longType();

  String binaryType();

  String columnType(ColumnType type);

  /** Behind the columns of a declared table. */
  String tableSuffix();

  /** Behind the columns of a table that is kept in the order of its primary key. */
  String clusteredSuffix();

  /** Begins the definition of a view that may be there already. */
  String createView();

  /** The names of one table's columns. */
  String columnNames();

  /** The names of all indexes of this store. */
  String indexNames();

  /** Puts a description on a table, where the engine keeps such things. */
  Optional<String> describe(String table, String description);

  /** The same for a view. */
  Optional<String> describeView(String view, String description);

  /** Names the index that a statement must use, where the engine can be told. */
  String indexHint(String index);

  /** Behind a column: that it has one of the texts which {@link #bindTexts} binds. */
  String isOneOf();

  void bindTexts(PreparedStatement statement, int position, Collection<String> texts)
      throws SQLException;

  void bind(PreparedStatement statement, int position, ColumnType type, @Nullable Object value)
      throws SQLException;

  @Nullable Object read(ResultSet rows, int position, ColumnType type) throws SQLException;

  /** The error behind a driver's exception, in our words. */
  StoreException translate(String doing, SQLException e);
}
