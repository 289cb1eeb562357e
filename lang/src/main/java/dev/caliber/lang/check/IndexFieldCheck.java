package dev.caliber.lang.check;

import dev.caliber.lang.ast.Definition;
import dev.caliber.lang.ast.MemoryField;
import dev.caliber.lang.ast.NameNode;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.DiagnosticText;
import dev.caliber.lang.diagnostic.Diagnostics;

/** Checks that an indexed field exists in the memory's records. */
final class IndexFieldCheck implements ConfigCheck {
  @Override
  public void run(SemanticModel semanticModel, Diagnostics diagnostics) {
    semanticModel
        .memories()
        .filter(memory -> !semanticModel.damage().isDamaged(memory))
        .forEach(
            memory ->
                SemanticModel.fields(memory, MemoryField.Index.class)
                    .flatMap(index -> index.entries().stream())
                    .filter(
                        entry -> semanticModel.fieldType(memory, entry.field().text()).isEmpty())
                    .forEach(entry -> report(semanticModel, memory, entry.field(), diagnostics)));
  }

  private static void report(
      SemanticModel semanticModel,
      Definition.Memory memory,
      NameNode field,
      Diagnostics diagnostics) {
    diagnostics.report(
        DiagnosticCode.UNKNOWN_FIELD,
        field.span(),
        "memory '" + memory.name().text() + "' has no field " + DiagnosticText.quote(field.text()),
        () -> DiagnosticText.suggest("field", field.text(), semanticModel.fieldNames(memory)));
  }
}
