package dev.caliber.kernel.config;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Facts about the other modules that a compiler of configurations needs, so that it does not import
 * them.
 *
 * @param kinds the kinds of records that exist, each with its fields; a memory of the same name has
 *     them too
 * @param builtIns the columns that records have whatever their schema; a known kind has those among
 *     its fields
 * @param targets the injection targets beside other memories
 * @param adapters the supported storages
 * @param memoryKinds resolves the kind of record that a memory is stored as, whatever its name
 * @param modes the modes in which each kind is injected
 */
public record Catalogue(
    Map<String, Map<String, FieldType>> kinds,
    Map<String, FieldType> builtIns,
    Set<String> targets,
    Set<AdapterType> adapters,
    MemoryKindResolver memoryKinds,
    Map<String, Set<InjectionMode.InjectionModeName>> modes) {
  public Catalogue {
    var fields = new TreeMap<String, Map<String, FieldType>>();
    kinds.forEach((kind, of) -> fields.put(kind, Collections.unmodifiableMap(new TreeMap<>(of))));
    kinds = Collections.unmodifiableMap(fields);
    builtIns = Collections.unmodifiableMap(new TreeMap<>(builtIns));
    targets = Collections.unmodifiableSet(new TreeSet<>(targets));
    adapters = Collections.unmodifiableSet(new TreeSet<>(adapters));
    var ways = new TreeMap<String, Set<InjectionMode.InjectionModeName>>();
    modes.forEach((kind, of) -> ways.put(kind, Collections.unmodifiableSet(new TreeSet<>(of))));
    modes = Collections.unmodifiableMap(ways);
  }

  /** Creates a catalogue that does not know the kinds of memories. */
  public Catalogue(
      Map<String, Map<String, FieldType>> kinds,
      Map<String, FieldType> builtIns,
      Set<String> targets,
      Set<AdapterType> adapters) {
    this(kinds, builtIns, targets, adapters, MemoryKindResolver.NONE, Map.of());
  }

  /** Returns whether records of a kind are known to lack this column, which others have. */
  public boolean isMissingColumn(String kind, String builtIn) {
    return builtIns.containsKey(builtIn)
        && kinds.containsKey(kind)
        && !kinds.getOrDefault(kind, Map.of()).containsKey(builtIn);
  }

  /** Returns the modes in which a kind is injected; empty where they are unknown. */
  public Optional<Set<InjectionMode.InjectionModeName>> modes(String kind) {
    return Optional.ofNullable(modes.get(kind));
  }

  /** Returns the type of a field that the memory has without declaring it. */
  public Optional<FieldType> field(String memory, String field) {
    var ofKind = kinds.getOrDefault(memory, Map.of()).get(field);
    return Optional.ofNullable(ofKind).or(() -> Optional.ofNullable(builtIns.get(field)));
  }

  /** Returns the names of the fields that the memory has without declaring them. */
  public Set<String> fields(String memory) {
    var names = new TreeSet<>(builtIns.keySet());
    names.addAll(kinds.getOrDefault(memory, Map.of()).keySet());
    return names;
  }
}
