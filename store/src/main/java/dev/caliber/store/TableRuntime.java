package dev.caliber.store;

/** Declared table with its codec and its statements. */
record TableRuntime<T>(Table<T> table, Codec<T> codec, TableSql sql) {

  static <T> TableRuntime<T> of(Table<T> table, Dialect dialect, DecodedRecordCache recent) {
    return new TableRuntime<>(table, new Codec<>(table, recent), new TableSql(table, dialect));
  }
}
