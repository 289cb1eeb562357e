package dev.caliber.lang.check;

import dev.caliber.lang.ast.Definition;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;

/** Checks that a policy has rules. */
final class EmptyPolicyCheck implements ConfigCheck {
  @Override
  public void run(SemanticModel semanticModel, Diagnostics diagnostics) {
    semanticModel
        .definitions(Definition.Policy.class)
        .filter(policy -> policy.rules().isEmpty() && !semanticModel.damage().isDamaged(policy))
        .forEach(
            policy ->
                diagnostics.report(
                    DiagnosticCode.EMPTY_POLICY,
                    SemanticModel.nameSpan(policy),
                    SemanticModel.title(policy) + " has no rules and does nothing",
                    "add a rule such as 'on task_end: [summarize(…)]', or remove the policy"));
  }
}
