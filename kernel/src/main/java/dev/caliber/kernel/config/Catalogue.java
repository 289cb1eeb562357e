package dev.caliber.kernel.config;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a compiler of configurations has to know of the rooms that will read the result, so that it
 * need not import them.
 *
 * @param kinds the kinds of records that exist, each with its fields; a memory of the same name has
 *     them too
 * @param builtIns the columns that every record has, whatever its schema
 * @param targets what memories may be injected into, beside other memories
 * @param adapters the storages that are built
 */
public record Catalogue(
    Map<String, Map<String, FieldType>> kinds,
    Map<String, FieldType> builtIns,
    Set<String> targets,
    Set<AdapterType> adapters) {
  public Catalogue {
    var fields = new TreeMap<String, Map<String, FieldType>>();
    kinds.forEach((kind, of) -> fields.put(kind, Collections.unmodifiableMap(new TreeMap<>(of))));
    kinds = Collections.unmodifiableMap(fields);
    builtIns = Collections.unmodifiableMap(new TreeMap<>(builtIns));
    targets = Collections.unmodifiableSet(new TreeSet<>(targets));
    adapters = Collections.unmodifiableSet(new TreeSet<>(adapters));
  }

  /** The type of a field that the memory has without declaring it. */
  public Optional<FieldType> field(String memory, String field) {
    var ofKind = kinds.getOrDefault(memory, Map.of()).get(field);
    return Optional.ofNullable(ofKind).or(() -> Optional.ofNullable(builtIns.get(field)));
  }

  /** The names of the fields that the memory has without declaring them. */
  public Set<String> fields(String memory) {
    var names = new TreeSet<>(builtIns.keySet());
    names.addAll(kinds.getOrDefault(memory, Map.of()).keySet());
    return names;
  }
}
