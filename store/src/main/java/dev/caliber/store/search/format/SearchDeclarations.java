package dev.caliber.store.search.format;

import dev.caliber.kernel.FieldHash;
import dev.caliber.store.Snapshot;
import dev.caliber.store.search.SearchException;
import dev.caliber.store.search.Searchable;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All declarations of an index. */
public final class SearchDeclarations {

  /** Declarations by table name, so that a half-built index continues in a fixed order. */
  private final Map<String, Searchable<?>> byTable = new TreeMap<>();

  private final Map<String, Searchable.FilterFieldKind> fields = new TreeMap<>();

  public SearchDeclarations(List<Searchable<?>> declared) {
    declared.forEach(this::add);
  }

  private void add(Searchable<?> searchable) {
    if (byTable.put(searchable.table().name(), searchable) != null) {
      throw new IllegalArgumentException(
          "Table '%s' is declared searchable twice".formatted(searchable.table()));
    }
    searchable.fields().forEach((name, filterField) -> addField(name, filterField.kind()));
  }

  private void addField(String name, Searchable.FilterFieldKind filterFieldKind) {
    Searchable.FilterFieldKind other = fields.put(name, filterFieldKind);
    if (other != null && other != filterFieldKind) {
      throw new IllegalArgumentException(
          "Field '%s' is %s in one table and %s in another"
              .formatted(name, other, filterFieldKind));
    }
  }

  public Optional<Searchable<?>> find(String table) {
    return Optional.ofNullable(byTable.get(table));
  }

  public Collection<Searchable<?>> all() {
    return byTable.values();
  }

  public Set<String> tables() {
    return byTable.keySet();
  }

  /** Returns the declaration that is read after the table's; the first for null. */
  public Optional<Searchable<?>> next(@Nullable String table) {
    boolean passed = table == null;
    for (Searchable<?> searchable : byTable.values()) {
      if (passed) {
        return Optional.of(searchable);
      }
      passed = searchable.table().name().equals(table);
    }
    return Optional.empty();
  }

  public Searchable.FilterFieldKind fieldKind(String field) {
    Searchable.FilterFieldKind filterFieldKind = fields.get(field);
    if (filterFieldKind == null) {
      throw SearchException.unknownField(field, fields.keySet());
    }
    return filterFieldKind;
  }

  /** Returns the embedded text of the record with this id; empty if there is none. */
  public String embeddedText(Snapshot snapshot, String id) {
    return find(IndexFormatV1.tableOf(id))
        .map(searchable -> embeddedText(snapshot, searchable, id))
        .orElse("");
  }

  private static <T> String embeddedText(Snapshot snapshot, Searchable<T> searchable, String id) {
    return snapshot
        .find(searchable.table(), IndexFormatV1.keyOf(id))
        .filter(searchable::includes)
        .map(searchable::embeddedText)
        .orElse("");
  }

  String fingerprint() {
    return FieldHash.hash(
        "searchableMemoryRecords",
        byTable.values().stream().map(Searchable::fingerprint).sorted().toArray(String[]::new));
  }
}
