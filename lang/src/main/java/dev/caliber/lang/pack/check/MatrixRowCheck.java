package dev.caliber.lang.pack.check;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.DiagnosticText;
import dev.caliber.lang.pack.manifest.PackDiagnostics;
import dev.caliber.lang.pack.manifest.ParsedPack;
import java.util.HashSet;

/** Checks that rows of the matrix have unique names. */
final class MatrixRowCheck implements PackCheck {
  @Override
  public void run(ParsedPack parsedPack, PackDiagnostics packDiagnostics) {
    var seen = new HashSet<String>();
    parsedPack.matrix().tables("allowed").stream()
        .flatMap(row -> row.text("name").stream())
        .filter(name -> !seen.add(name.value()))
        .forEach(
            name ->
                packDiagnostics
                    .inManifest()
                    .report(
                        DiagnosticCode.DUPLICATE_VALUE,
                        name.span(),
                        "row " + DiagnosticText.quote(name.value()) + " is defined twice",
                        "give each row a name of its own"));
  }
}
