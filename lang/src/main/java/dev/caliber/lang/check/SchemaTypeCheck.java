package dev.caliber.lang.check;

import dev.caliber.lang.ast.Definition;
import dev.caliber.lang.ast.SchemaField;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.DiagnosticText;
import dev.caliber.lang.diagnostic.Diagnostics;

/** Checks that a schema does not change the type of a field of the runtime's records. */
final class SchemaTypeCheck implements ConfigCheck {
  @Override
  public void run(SemanticModel semanticModel, Diagnostics diagnostics) {
    semanticModel
        .memories()
        .forEach(
            memory ->
                SemanticModel.schema(memory)
                    .forEach(field -> check(semanticModel, memory, field, diagnostics)));
  }

  private static void check(
      SemanticModel semanticModel,
      Definition.Memory memory,
      SchemaField field,
      Diagnostics diagnostics) {
    semanticModel
        .catalogue()
        .field(memory.name().text(), field.name().text())
        .filter(actual -> !FieldTypeRules.isCompatible(field.type().type(), actual))
        .ifPresent(
            actual ->
                diagnostics.report(
                    DiagnosticCode.FIELD_TYPE_CONFLICT,
                    field.type().span(),
                    "field "
                        + DiagnosticText.quote(field.name().text())
                        + " of records '"
                        + memory.name().text()
                        + "' is "
                        + FieldTypeRules.word(actual)
                        + ", not "
                        + FieldTypeRules.word(field.type().type()),
                    "write " + FieldTypeRules.word(actual) + ", or give the field another name"));
  }
}
