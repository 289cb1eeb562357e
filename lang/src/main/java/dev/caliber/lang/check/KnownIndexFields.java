package dev.caliber.lang.check;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.Wording;
import dev.caliber.lang.syntax.Definition;
import dev.caliber.lang.syntax.MemoryField;
import dev.caliber.lang.syntax.Name;

/** An index is of a field that the memory's records have. */
final class KnownIndexFields implements Check {
  @Override
  public void run(Program program, Diagnostics diagnostics) {
    program
        .memories()
        .filter(memory -> !program.damage().to(memory))
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
        "memory '" + memory.name().text() + "' has no field " + Wording.quote(field.text()),
        () -> Wording.suggest("field", field.text(), program.fieldNames(memory)));
  }
}
