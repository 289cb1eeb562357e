package dev.caliber.lang.check;

import dev.caliber.kernel.config.FieldType;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.Wording;
import dev.caliber.lang.syntax.Definition;
import dev.caliber.lang.syntax.IndexEntry;
import dev.caliber.lang.syntax.Keywords;
import dev.caliber.lang.syntax.MemoryField;

/** A field is indexed in a way that its type allows. */
final class IndexTypes implements Check {
  @Override
  public void run(Program program, Diagnostics diagnostics) {
    program.memories().forEach(memory -> check(program, memory, diagnostics));
  }

  private static void check(Program program, Definition.Memory memory, Diagnostics diagnostics) {
    Program.fields(memory, MemoryField.Index.class)
        .flatMap(index -> index.entries().stream())
        .forEach(
            entry ->
                program
                    .fieldType(memory, entry.field().text())
                    .filter(type -> !FieldTypes.indexes(type).contains(entry.type()))
                    .ifPresent(type -> report(entry, type, diagnostics)));
  }

  private static void report(IndexEntry entry, FieldType type, Diagnostics diagnostics) {
    diagnostics.report(
        DiagnosticCode.INCOMPATIBLE_INDEX,
        entry.span(),
        "field '"
            + entry.field().text()
            + "' is "
            + FieldTypes.word(type)
            + " and cannot have an index of kind '"
            + Keywords.word(entry.type())
            + "'",
        "use one of "
            + Wording.list(FieldTypes.indexes(type).stream().map(Keywords::word).toList()));
  }
}
