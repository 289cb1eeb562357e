package dev.caliber.lang.check;

import dev.caliber.kernel.config.FieldType;
import dev.caliber.lang.ast.Definition;
import dev.caliber.lang.ast.IndexEntry;
import dev.caliber.lang.ast.Keywords;
import dev.caliber.lang.ast.MemoryField;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.DiagnosticText;
import dev.caliber.lang.diagnostic.Diagnostics;

/** Checks that the type of a field allows its index. */
final class IndexTypeCheck implements ConfigCheck {
  @Override
  public void run(SemanticModel semanticModel, Diagnostics diagnostics) {
    semanticModel.memories().forEach(memory -> check(semanticModel, memory, diagnostics));
  }

  private static void check(
      SemanticModel semanticModel, Definition.Memory memory, Diagnostics diagnostics) {
    SemanticModel.fields(memory, MemoryField.Index.class)
        .flatMap(index -> index.entries().stream())
        .forEach(
            entry ->
                semanticModel
                    .fieldType(memory, entry.field().text())
                    .filter(type -> !FieldTypeRules.allowedIndexes(type).contains(entry.type()))
                    .ifPresent(type -> report(entry, type, diagnostics)));
  }

  private static void report(IndexEntry entry, FieldType type, Diagnostics diagnostics) {
    diagnostics.report(
        DiagnosticCode.INCOMPATIBLE_INDEX,
        entry.span(),
        "field '"
            + entry.field().text()
            + "' is "
            + FieldTypeRules.word(type)
            + " and cannot have an index of kind '"
            + Keywords.word(entry.type())
            + "'",
        "use one of "
            + DiagnosticText.list(
                FieldTypeRules.allowedIndexes(type).stream().map(Keywords::word).toList()));
  }
}
