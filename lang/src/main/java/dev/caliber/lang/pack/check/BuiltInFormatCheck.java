package dev.caliber.lang.pack.check;

import dev.caliber.kernel.pack.PackFormat;
import dev.caliber.lang.ast.Keywords;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.DiagnosticText;
import dev.caliber.lang.pack.manifest.Manifest;
import dev.caliber.lang.pack.manifest.ManifestTable;
import dev.caliber.lang.pack.manifest.PackDiagnostics;
import dev.caliber.lang.pack.manifest.ParsedPack;
import java.util.List;
import java.util.stream.Stream;

/** Checks that a pack does not redefine built-in formats. */
final class BuiltInFormatCheck implements PackCheck {
  static final List<String> NAMES =
      Stream.of(PackFormat.BaseFormat.values()).map(Keywords::word).toList();

  @Override
  public void run(ParsedPack parsedPack, PackDiagnostics packDiagnostics) {
    parsedPack.section(Manifest.FORMATS).values().stream()
        .map(ManifestTable.NamedTable::name)
        .filter(name -> NAMES.contains(name.value()))
        .forEach(
            name ->
                packDiagnostics
                    .inManifest()
                    .report(
                        DiagnosticCode.DUPLICATE_DEFINITION,
                        name.span(),
                        "every pack already has the format " + DiagnosticText.quote(name.value()),
                        "choose another name; built-in formats: " + DiagnosticText.list(NAMES)));
  }
}
