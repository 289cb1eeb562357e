package dev.caliber.store;

/** A declared table with what was derived from it. */
record TableRuntime<T>(Table<T> table, Codec<T> codec, TableSql sql) {

  static <T> TableRuntime<T> of(Table<T> table, Dialect dialect, RecentRecords recent) {
    return new TableRuntime<>(table, new Codec<>(table, recent), new TableSql(table, dialect));
  }
}
