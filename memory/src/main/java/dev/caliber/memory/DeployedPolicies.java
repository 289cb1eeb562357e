package dev.caliber.memory;

import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.kernel.config.InjectionMode;
import dev.caliber.kernel.config.PolicyAction;
import dev.caliber.kernel.config.PolicyDefinition;
import dev.caliber.kernel.config.PolicyRule;
import dev.caliber.memory.record.Lists;
import java.util.List;

/**
 * The policies of a configuration. What memories say about when they are injected comes first, so
 * that a policy's own word about the same memory stands.
 */
final class DeployedPolicies {
  private static final String INJECT_ON = "inject_on";

  private DeployedPolicies() {}

  static List<PolicyDefinition> of(CompiledConfig config) {
    List<PolicyRule> injections =
        config.memories().stream()
            .flatMap(
                memory ->
                    memory.injectOn().stream()
                        .map(trigger -> new PolicyRule(trigger, List.of(all(memory.name())))))
            .toList();
    return injections.isEmpty()
        ? config.policies()
        : Lists.union(List.of(new PolicyDefinition(INJECT_ON, injections)), config.policies());
  }

  private static PolicyAction all(String memory) {
    return new PolicyAction.Inject(memory, new InjectionMode.Full());
  }
}
