package dev.caliber.lang.check;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.DiagnosticText;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.syntax.Definition;
import dev.caliber.lang.syntax.SchemaField;

/** Checks that a schema does not change the type of a field of the runtime's records. */
final class CatalogueTypes implements ConfigCheck {
  @Override
  public void run(Program program, Diagnostics diagnostics) {
    program
        .memories()
        .forEach(
            memory ->
                Program.schema(memory)
                    .forEach(field -> check(program, memory, field, diagnostics)));
  }

  private static void check(
      Program program, Definition.Memory memory, SchemaField field, Diagnostics diagnostics) {
    program
        .catalogue()
        .field(memory.name().text(), field.name().text())
        .filter(actual -> !FieldTypes.isCompatible(field.type().type(), actual))
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
                        + FieldTypes.word(actual)
                        + ", not "
                        + FieldTypes.word(field.type().type()),
                    "write " + FieldTypes.word(actual) + ", or give the field another name"));
  }
}
