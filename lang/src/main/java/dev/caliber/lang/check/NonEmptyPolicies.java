package dev.caliber.lang.check;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.syntax.Definition;

/** Checks that a policy has rules. */
final class NonEmptyPolicies implements ConfigCheck {
  @Override
  public void run(Program program, Diagnostics diagnostics) {
    program
        .definitions(Definition.Policy.class)
        .filter(policy -> policy.rules().isEmpty() && !program.damage().isDamaged(policy))
        .forEach(
            policy ->
                diagnostics.report(
                    DiagnosticCode.EMPTY_POLICY,
                    Program.nameSpan(policy),
                    Program.title(policy) + " has no rules and does nothing",
                    "add a rule such as 'on task_end: [summarize(…)]', or remove the policy"));
  }
}
