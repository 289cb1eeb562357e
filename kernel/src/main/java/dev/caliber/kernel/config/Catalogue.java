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
 * @param builtIns the columns that records have whatever their schema; a kind that is known has
 *     those among its fields
 * @param targets what memories may be injected into, beside other memories
 * @param adapters the storages that are built
 * @param made of which kind of record a memory is made, whatever its name
 * @param modes in which modes each kind is injected
 */
public record Catalogue(
    Map<String, Map<String, FieldType>> kinds,
    Map<String, FieldType> builtIns,
    Set<String> targets,
    Set<AdapterType> adapters,
    MemoryKinds made,
    Map<String, Set<InjectionMode.Word>> modes) {
  public Catalogue {
    var fields = new TreeMap<String, Map<String, FieldType>>();
    kinds.forEach((kind, of) -> fields.put(kind, Collections.unmodifiableMap(new TreeMap<>(of))));
    kinds = Collections.unmodifiableMap(fields);
    builtIns = Collections.unmodifiableMap(new TreeMap<>(builtIns));
    targets = Collections.unmodifiableSet(new TreeSet<>(targets));
    adapters = Collections.unmodifiableSet(new TreeSet<>(adapters));
    var ways = new TreeMap<String, Set<InjectionMode.Word>>();
    modes.forEach((kind, of) -> ways.put(kind, Collections.unmodifiableSet(new TreeSet<>(of))));
    modes = Collections.unmodifiableMap(ways);
  }

  /** Of which nobody knows what its memories are made of. */
  public Catalogue(
      Map<String, Map<String, FieldType>> kinds,
      Map<String, FieldType> builtIns,
      Set<String> targets,
      Set<AdapterType> adapters) {
    this(kinds, builtIns, targets, adapters, MemoryKinds.NONE, Map.of());
  }

  /** Whether records of a kind are known to have no such column, though others have. */
  public boolean lacks(String kind, String builtIn) {
    return builtIns.containsKey(builtIn)
        && kinds.containsKey(kind)
        && !kinds.getOrDefault(kind, Map.of()).containsKey(builtIn);
  }

  /** The modes in which a kind is injected; empty where that is not known. */
  public Optional<Set<InjectionMode.Word>> modes(String kind) {
    return Optional.ofNullable(modes.get(kind));
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
