package dev.caliber.lang.lower;

import dev.caliber.kernel.config.AdapterDefinition;
import dev.caliber.kernel.config.Catalogue;
import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.kernel.config.InjectionRule;
import dev.caliber.kernel.config.MemoryDefinition;
import dev.caliber.kernel.config.PolicyDefinition;
import dev.caliber.lang.ast.Ast;
import dev.caliber.lang.ast.Definition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Turns the nodes of a tree into records, in the order of the source. */
public final class ConfigLowering {
  private ConfigLowering() {}

  /** Lowers a tree that has passed every check with the same catalogue. */
  public static CompiledConfig lower(Ast ast, Catalogue catalogue) {
    Map<String, MemoryDefinition> memories = new LinkedHashMap<>();
    for (Definition definition : ast.definitions()) {
      if (definition instanceof Definition.Memory memory) {
        var lowered = MemoryLowering.lower(memory);
        memories.put(lowered.name(), lowered);
      }
    }
    var policies = new ArrayList<PolicyDefinition>();
    var injections = new ArrayList<InjectionRule>();
    var adapters = new ArrayList<AdapterDefinition>();
    var filters = new FilterLowering(memories.values(), catalogue);
    for (Definition definition : ast.definitions()) {
      switch (definition) {
        case Definition.Memory _ -> {}
        case Definition.Policy policy -> policies.add(PolicyLowering.lower(policy));
        case Definition.Injection injection ->
            injections.add(InjectionLowering.lower(injection, filters));
        case Definition.Adapter adapter -> adapters.add(AdapterLowering.lower(adapter));
      }
    }
    return new CompiledConfig(
        ast.version().value(), List.copyOf(memories.values()), policies, injections, adapters);
  }
}
