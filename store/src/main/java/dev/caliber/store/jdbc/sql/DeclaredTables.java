package dev.caliber.store.jdbc.sql;

import dev.caliber.store.Table;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The tables that this store was opened with. */
public final class DeclaredTables {

  private final Map<String, PreparedTable<?>> byName = new LinkedHashMap<>();

  public DeclaredTables(List<Table<?>> tables, Dialect dialect) {
    DecodedRecordCache recent = new DecodedRecordCache();
    for (Table<?> table : tables) {
      if (table.name().startsWith(StoreFormatV1.OWN_PREFIX)) {
        throw new IllegalArgumentException(
            "Table '%s' has a name with the prefix that is reserved for tables of the store itself"
                .formatted(table.name()));
      }
      if (byName.put(table.name(), PreparedTable.of(table, dialect, recent)) != null) {
        throw new IllegalArgumentException("Table '%s' is declared twice".formatted(table.name()));
      }
    }
  }

  public Collection<PreparedTable<?>> all() {
    return Collections.unmodifiableCollection(byName.values());
  }

  public Optional<PreparedTable<?>> find(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  @SuppressWarnings("unchecked")
  public // the runtime was made from this very table
  <T> PreparedTable<T> runtimeOf(Table<T> table) {
    PreparedTable<?> runtime = byName.get(table.name());
    if (runtime == null || runtime.table() != table) {
      throw new IllegalArgumentException(
          "Table '%s' is not among the tables that the store was opened with"
              .formatted(table.name()));
    }
    return (PreparedTable<T>) runtime;
  }
}
