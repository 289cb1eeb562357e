package dev.caliber.store;

/** Declared table with its codec and its statements. */
record PreparedTable<T>(Table<T> table, Codec<T> codec, TableSql sql) {

  static <T> PreparedTable<T> of(Table<T> table, Dialect dialect, DecodedRecordCache recent) {
    return new PreparedTable<>(table, new Codec<>(table, recent), new TableSql(table, dialect));
  }
}
