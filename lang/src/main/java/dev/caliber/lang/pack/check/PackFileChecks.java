package dev.caliber.lang.pack.check;

import dev.caliber.lang.ast.TextNode;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.DiagnosticText;
import dev.caliber.lang.pack.manifest.ManifestTable;
import dev.caliber.lang.pack.manifest.PackDiagnostics;
import dev.caliber.lang.pack.manifest.PackPath;
import dev.caliber.lang.pack.manifest.PackSource;
import dev.caliber.lang.pack.manifest.ParsedPack;
import java.util.Locale;

/** Checks of the files that a table names. */
final class PackFileChecks {
  private PackFileChecks() {}

  /** Reports a path that leaves the pack, or that the pack does not contain. */
  static void requireFile(
      ManifestTable manifestTable,
      String key,
      ParsedPack parsedPack,
      PackDiagnostics packDiagnostics) {
    manifestTable
        .text(key)
        .ifPresent(path -> requireFile(path, parsedPack.source(), packDiagnostics));
  }

  private static void requireFile(
      TextNode path, PackSource source, PackDiagnostics packDiagnostics) {
    var fault = PackPath.findFault(path.value());
    if (fault.isPresent()) {
      packDiagnostics
          .inManifest()
          .report(
              DiagnosticCode.PATH_OUTSIDE_PACK,
              path.span(),
              "the path " + DiagnosticText.quote(path.value()) + " is refused: " + fault.get(),
              "write the path of a file in the pack, such as agents/support.md");
    } else if (!source.has(path.value())) {
      packDiagnostics
          .inManifest()
          .report(
              DiagnosticCode.MISSING_FILE,
              path.span(),
              "the pack has no file " + DiagnosticText.quote(path.value()),
              () -> suggestion(path.value(), source));
    }
  }

  private static String suggestion(String path, PackSource source) {
    String directory = path.substring(0, path.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
    var near =
        source.paths().stream()
            .filter(known -> known.toLowerCase(Locale.ROOT).startsWith(directory))
            .filter(known -> !known.startsWith("cal."))
            .toList();
    return near.isEmpty()
        ? "add the file, or remove the key"
        : DiagnosticText.suggest("file", path, near);
  }
}
