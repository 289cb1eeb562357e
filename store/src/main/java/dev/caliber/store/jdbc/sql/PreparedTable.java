package dev.caliber.store.jdbc.sql;

import dev.caliber.store.Table;

/** Declared table with its codec and its statements. */
public record PreparedTable<T>(Table<T> table, Codec<T> codec, TableSql sql) {

  static <T> PreparedTable<T> of(Table<T> table, Dialect dialect, DecodedRecordCache recent) {
    return new PreparedTable<>(table, new Codec<>(table, recent), new TableSql(table, dialect));
  }
}
