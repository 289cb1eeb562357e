package dev.caliber.lang.check;

import dev.caliber.kernel.config.FieldType;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.syntax.ActionNode;
import dev.caliber.lang.syntax.CriteriaNode;
import dev.caliber.lang.syntax.Name;

/** Records are pruned by a confidence that they have. */
final class PruneSense implements Check {
  private static final String CONFIDENCE = "confidence";
  private static final FieldType FLOAT = new FieldType.Plain(FieldType.Primitive.FLOAT);

  @Override
  public void run(Program program, Diagnostics diagnostics) {
    program
        .actions()
        .forEach(
            action -> {
              if (action
                      instanceof
                      ActionNode.Prune(var memory, CriteriaNode.BelowConfidence criteria, _)
                  && !hasConfidence(program, memory)) {
                diagnostics.report(
                    DiagnosticCode.INCOMPATIBLE_PRUNE,
                    criteria.span(),
                    "memory '" + memory.text() + "' has no field 'confidence' of type float",
                    "declare it in the schema, or prune by older_than");
              }
            });
  }

  private static boolean hasConfidence(Program program, Name name) {
    var memory = program.memoriesByName().get(name.text());
    return memory == null
        || program.damage().to(memory)
        || program.fieldType(memory, CONFIDENCE).filter(FLOAT::equals).isPresent();
  }
}
