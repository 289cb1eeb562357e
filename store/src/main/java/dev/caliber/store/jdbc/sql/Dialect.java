package dev.caliber.store.jdbc.sql;

import dev.caliber.store.ColumnType;
import dev.caliber.store.StoreException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The differences between the engines' SQL; all other statements are shared. */
public interface Dialect {

  String textType();

  String longType();

  String binaryType();

  String columnType(ColumnType type);

  /** Returns the SQL after the columns of a declared table. */
  String tableSuffix();

  /**
   * Returns the SQL after the columns of a table that is stored in the order of its primary key.
   */
  String clusteredSuffix();

  /** Returns the beginning of a view definition that replaces an existing view. */
  String createView();

  /** Returns the query for the column names of one table. */
  String columnNamesQuery();

  /** Returns the query for the names of all indexes of this store. */
  String indexNamesQuery();

  /**
   * Returns the statement that sets a table's description, where the engine stores descriptions.
   */
  Optional<String> tableComment(String table, String description);

  /** Returns the statement that sets a view's description, where the engine stores descriptions. */
  Optional<String> viewComment(String view, String description);

  /** Returns the hint that makes a statement use this index, where the engine has hints. */
  String indexHint(String index);

  /**
   * Returns the condition, to be put after a column, that its value is one of the texts bound with
   * {@link #bindTexts}.
   */
  String inTextsCondition();

  void bindTexts(PreparedStatement statement, int position, Collection<String> texts)
      throws SQLException;

  void bind(PreparedStatement statement, int position, ColumnType type, @Nullable Object value)
      throws SQLException;

  @Nullable Object read(ResultSet rows, int position, ColumnType type) throws SQLException;

  /** Translates a driver's exception into a store error. */
  StoreException translate(String doing, SQLException e);
}
