package dev.caliber.kernel.config;

import dev.caliber.kernel.KernelException;
import java.util.List;

/** Trigger and the actions that it runs, in this order. */
public record PolicyRule(Trigger on, List<PolicyAction> actions) {
  public PolicyRule {
    actions = List.copyOf(actions);
    if (actions.isEmpty()) {
      throw KernelException.requiredFieldMissing("actions of a rule");
    }
  }
}
