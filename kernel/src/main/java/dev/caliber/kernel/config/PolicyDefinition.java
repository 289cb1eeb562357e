package dev.caliber.kernel.config;

import java.util.List;
import java.util.stream.Stream;

/** Named list of rules, run in their order. */
public record PolicyDefinition(String name, List<PolicyRule> rules) {
  public PolicyDefinition {
    DefinitionRules.require("name of a policy", name);
    rules = List.copyOf(rules);
  }

  /** Returns the memories that actions name. */
  Stream<String> memories() {
    return rules.stream()
        .flatMap(rule -> rule.actions().stream())
        .flatMap(action -> action.target().stream());
  }
}
