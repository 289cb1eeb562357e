package dev.caliber.kernel.config;

import dev.caliber.kernel.FieldHash;
import dev.caliber.kernel.Json;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Configuration that passed every check. Lists keep the order of the source, because policies run
 * in it. Names are unique per list, and every memory that a definition names is in the list.
 *
 * @param version the version of the grammar that the source was written in
 */
public record CompiledConfig(
    String version,
    List<MemoryDefinition> memories,
    List<PolicyDefinition> policies,
    List<InjectionRule> injections,
    List<AdapterDefinition> adapters) {
  private static final String KIND = "config";

  public CompiledConfig {
    memories = List.copyOf(memories);
    policies = List.copyOf(policies);
    injections = List.copyOf(injections);
    adapters = List.copyOf(adapters);
    DefinitionRules.requireUnique("memory", memories.stream().map(MemoryDefinition::name));
    DefinitionRules.requireUnique("policy", policies.stream().map(PolicyDefinition::name));
    DefinitionRules.requireUnique("adapter", adapters.stream().map(AdapterDefinition::name));
    var known = memories.stream().map(MemoryDefinition::name).collect(Collectors.toSet());
    injections.forEach(rule -> DefinitionRules.requireKnown(rule.memory(), known));
    memories.forEach(
        memory -> memory.parent().ifPresent(parent -> DefinitionRules.requireKnown(parent, known)));
    for (PolicyDefinition policy : policies) {
      policy.memories().forEach(memory -> DefinitionRules.requireKnown(memory, known));
    }
  }

  public Optional<MemoryDefinition> memory(String name) {
    return memories.stream().filter(memory -> memory.name().equals(name)).findFirst();
  }

  /** Returns the hash of the configuration's JSON: equal exactly when the configurations are. */
  public String hash() {
    return FieldHash.hash(KIND, Json.text(this));
  }
}
