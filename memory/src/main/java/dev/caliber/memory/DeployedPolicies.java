package dev.caliber.memory;

import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.kernel.config.InjectionMode;
import dev.caliber.kernel.config.MemoryDefinition;
import dev.caliber.kernel.config.PolicyAction;
import dev.caliber.kernel.config.PolicyDefinition;
import dev.caliber.kernel.config.PolicyRule;
import dev.caliber.kernel.config.Retention;
import dev.caliber.kernel.config.Trigger;
import dev.caliber.memory.record.Lists;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The policies of a configuration. What memories say about when they are compressed and injected
 * comes first, so that a policy's own word about the same memory stands.
 */
final class DeployedPolicies {
  private static final String INJECT_ON = "inject_on";
  private static final String COMPRESS_ON = "compress_on";

  private DeployedPolicies() {}

  static List<PolicyDefinition> of(CompiledConfig config) {
    List<PolicyDefinition> own =
        Stream.of(
                new PolicyDefinition(
                    free(config, COMPRESS_ON), rules(config, DeployedPolicies::compressions)),
                new PolicyDefinition(
                    free(config, INJECT_ON), rules(config, DeployedPolicies::injections)))
            .filter(policy -> !policy.rules().isEmpty())
            .toList();
    return own.isEmpty() ? config.policies() : Lists.union(own, config.policies());
  }

  /** A name that no policy of the configuration has: a rule is known by its policy's name. */
  private static String free(CompiledConfig config, String name) {
    boolean taken = config.policies().stream().anyMatch(policy -> policy.name().equals(name));
    return taken ? free(config, "_" + name) : name;
  }

  private static List<PolicyRule> rules(
      CompiledConfig config, Function<MemoryDefinition, Stream<PolicyRule>> of) {
    return config.memories().stream().flatMap(of).toList();
  }

  /** By the clock; what an event compresses comes before all policies of that event. */
  private static Stream<PolicyRule> compressions(MemoryDefinition memory) {
    return memory.retention() instanceof Retention.CompressOn(Trigger.Schedule schedule)
        ? Stream.of(new PolicyRule(schedule, List.of(new PolicyAction.Summarize(memory.name()))))
        : Stream.empty();
  }

  private static Stream<PolicyRule> injections(MemoryDefinition memory) {
    PolicyAction all = new PolicyAction.Inject(memory.name(), new InjectionMode.Full());
    return memory.injectOn().stream().map(trigger -> new PolicyRule(trigger, List.of(all)));
  }
}
