package dev.caliber.memory.policy;

import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.kernel.config.InjectionMode;
import dev.caliber.kernel.config.MemoryDefinition;
import dev.caliber.kernel.config.PolicyAction;
import dev.caliber.kernel.config.PolicyDefinition;
import dev.caliber.kernel.config.PolicyRule;
import dev.caliber.kernel.config.Retention;
import dev.caliber.kernel.config.Trigger;
import dev.caliber.memory.record.DistinctLists;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Policies of a configuration. Rules derived from {@code compress_on} and {@code inject_on} of
 * memories come first, so that an explicit policy for the same memory overrides them.
 */
public final class DeployedPolicies {
  private static final String INJECT_ON = "inject_on";
  private static final String COMPRESS_ON = "compress_on";

  private DeployedPolicies() {}

  public static List<PolicyDefinition> policiesOf(CompiledConfig config) {
    List<PolicyDefinition> own =
        Stream.of(
                new PolicyDefinition(
                    unusedName(config, COMPRESS_ON), rules(config, DeployedPolicies::compressions)),
                new PolicyDefinition(
                    unusedName(config, INJECT_ON), rules(config, DeployedPolicies::injections)))
            .filter(policy -> !policy.rules().isEmpty())
            .toList();
    return own.isEmpty() ? config.policies() : DistinctLists.union(own, config.policies());
  }

  /** Returns an unused policy name, because a rule is identified by its policy's name. */
  private static String unusedName(CompiledConfig config, String name) {
    boolean taken = config.policies().stream().anyMatch(policy -> policy.name().equals(name));
    return taken ? unusedName(config, "_" + name) : name;
  }

  private static List<PolicyRule> rules(
      CompiledConfig config, Function<MemoryDefinition, Stream<PolicyRule>> of) {
    return config.memories().stream().flatMap(of).toList();
  }

  /** Returns scheduled compressions; those by an event run before its policies. */
  private static Stream<PolicyRule> compressions(MemoryDefinition memory) {
    return memory.retention()
            instanceof Retention.CompressionRetention(Trigger.ScheduleTrigger scheduleTrigger)
        ? Stream.of(
            new PolicyRule(
                scheduleTrigger, List.of(new PolicyAction.SummarizeAction(memory.name()))))
        : Stream.empty();
  }

  private static Stream<PolicyRule> injections(MemoryDefinition memory) {
    PolicyAction all =
        new PolicyAction.InjectAction(memory.name(), new InjectionMode.FullInjection());
    return memory.injectOn().stream().map(trigger -> new PolicyRule(trigger, List.of(all)));
  }
}
