package dev.caliber.lang.check;

import dev.caliber.kernel.config.MemoryType;
import dev.caliber.lang.ast.Definition;
import dev.caliber.lang.ast.MemoryField;
import dev.caliber.lang.ast.RetentionNode;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;

/** Checks that memories that end with their session or scope are not kept for ever. */
final class RetentionCheck implements ConfigCheck {
  @Override
  public void run(SemanticModel semanticModel, Diagnostics diagnostics) {
    semanticModel
        .memories()
        .filter(RetentionCheck::isEphemeral)
        .forEach(m -> check(m, diagnostics));
  }

  private static boolean isEphemeral(Definition.Memory memory) {
    return SemanticModel.fields(memory, MemoryField.Type.class)
        .anyMatch(field -> field.type() == MemoryType.EPHEMERAL);
  }

  private static void check(Definition.Memory memory, Diagnostics diagnostics) {
    SemanticModel.fields(memory, MemoryField.Retention.class)
        .map(MemoryField.Retention::retention)
        .filter(RetentionNode.Persistent.class::isInstance)
        .forEach(
            retention ->
                diagnostics.report(
                    DiagnosticCode.INCOMPATIBLE_RETENTION,
                    retention.span(),
                    SemanticModel.title(memory) + " is ephemeral and cannot be persistent",
                    "write session, scope or a duration, or give it another type"));
  }
}
