package dev.caliber.lang.check;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.DiagnosticText;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.syntax.Definition;
import dev.caliber.lang.syntax.MemoryField;
import dev.caliber.lang.syntax.Name;

/** Checks that an indexed field exists in the memory's records. */
final class KnownIndexFields implements ConfigCheck {
  @Override
  public void run(Program program, Diagnostics diagnostics) {
    program
        .memories()
        .filter(memory -> !program.damage().isDamaged(memory))
        .forEach(
            memory ->
                Program.fields(memory, MemoryField.Index.class)
                    .flatMap(index -> index.entries().stream())
                    .filter(entry -> program.fieldType(memory, entry.field().text()).isEmpty())
                    .forEach(entry -> report(program, memory, entry.field(), diagnostics)));
  }

  private static void report(
      Program program, Definition.Memory memory, Name field, Diagnostics diagnostics) {
    diagnostics.report(
        DiagnosticCode.UNKNOWN_FIELD,
        field.span(),
        "memory '" + memory.name().text() + "' has no field " + DiagnosticText.quote(field.text()),
        () -> DiagnosticText.suggest("field", field.text(), program.fieldNames(memory)));
  }
}
