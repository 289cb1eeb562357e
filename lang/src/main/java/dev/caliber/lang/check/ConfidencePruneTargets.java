package dev.caliber.lang.check;

import dev.caliber.kernel.config.FieldType;
import dev.caliber.lang.ast.ActionNode;
import dev.caliber.lang.ast.CriteriaNode;
import dev.caliber.lang.ast.NameNode;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;

/** Checks that records pruned by confidence have a confidence. */
final class ConfidencePruneTargets implements ConfigCheck {
  private static final String CONFIDENCE = "confidence";
  private static final FieldType FLOAT =
      new FieldType.PlainFieldType(FieldType.PrimitiveType.FLOAT);

  @Override
  public void run(SemanticModel semanticModel, Diagnostics diagnostics) {
    semanticModel
        .actions()
        .forEach(
            action -> {
              if (action
                      instanceof
                      ActionNode.Prune(var memory, CriteriaNode.BelowConfidence criteria, _)
                  && !hasConfidence(semanticModel, memory)) {
                diagnostics.report(
                    DiagnosticCode.INCOMPATIBLE_PRUNE,
                    criteria.span(),
                    "memory '" + memory.text() + "' has no field 'confidence' of type float",
                    "declare it in the schema, or prune by older_than");
              }
            });
  }

  private static boolean hasConfidence(SemanticModel semanticModel, NameNode nameNode) {
    var memory = semanticModel.memoriesByName().get(nameNode.text());
    return memory == null
        || semanticModel.damage().isDamaged(memory)
        || semanticModel.fieldType(memory, CONFIDENCE).filter(FLOAT::equals).isPresent();
  }
}
