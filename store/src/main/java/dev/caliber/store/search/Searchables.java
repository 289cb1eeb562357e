package dev.caliber.store.search;

import dev.caliber.kernel.Hashing;
import dev.caliber.store.Snapshot;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All declarations of an index. */
final class Searchables {

  /** In the order of names, in which a half-built index goes on whatever order they come in. */
  private final Map<String, Searchable<?>> byTable = new TreeMap<>();

  private final Map<String, Searchable.Kind> fields = new TreeMap<>();

  Searchables(List<Searchable<?>> declared) {
    declared.forEach(this::add);
  }

  private void add(Searchable<?> searchable) {
    if (byTable.put(searchable.table().name(), searchable) != null) {
      throw new IllegalArgumentException(
          "Table '%s' is declared searchable twice".formatted(searchable.table()));
    }
    searchable.fields().forEach((name, field) -> addField(name, field.kind()));
  }

  private void addField(String name, Searchable.Kind kind) {
    Searchable.Kind other = fields.put(name, kind);
    if (other != null && other != kind) {
      throw new IllegalArgumentException(
          "Field '%s' is %s in one table and %s in another".formatted(name, other, kind));
    }
  }

  Optional<Searchable<?>> of(String table) {
    return Optional.ofNullable(byTable.get(table));
  }

  Collection<Searchable<?>> all() {
    return byTable.values();
  }

  Set<String> tables() {
    return byTable.keySet();
  }

  /** The one whose records are read after those of the table; the first for null. */
  Optional<Searchable<?>> after(@Nullable String table) {
    boolean passed = table == null;
    for (Searchable<?> searchable : byTable.values()) {
      if (passed) {
        return Optional.of(searchable);
      }
      passed = searchable.table().name().equals(table);
    }
    return Optional.empty();
  }

  Searchable.Kind kind(String field) {
    Searchable.Kind kind = fields.get(field);
    if (kind == null) {
      throw SearchException.unknownField(field, fields.keySet());
    }
    return kind;
  }

  /** The text of the record with this id that is embedded; empty if there is none. */
  String embeddedText(Snapshot snapshot, String id) {
    return of(IndexFormatV1.tableOf(id))
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
    return Hashing.hash(
        "searchables",
        byTable.values().stream().map(Searchable::fingerprint).sorted().toArray(String[]::new));
  }
}
