package dev.caliber.lang.pack;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Wording;
import dev.caliber.lang.syntax.Text;
import java.util.Locale;

/** How rules look at the files that a table names. */
final class PackFiles {
  private PackFiles() {}

  /** Reports a path that leaves the pack, or that the pack does not have. */
  static void require(Table table, String key, Document document, Findings findings) {
    table.text(key).ifPresent(path -> require(path, document.source(), findings));
  }

  private static void require(Text path, PackSource source, Findings findings) {
    var fault = PackPath.fault(path.value());
    if (fault.isPresent()) {
      findings
          .inManifest()
          .report(
              DiagnosticCode.PATH_OUTSIDE_PACK,
              path.span(),
              "the path " + Wording.quote(path.value()) + " is refused: " + fault.get(),
              "write the path of a file in the pack, such as agents/support.md");
    } else if (!source.has(path.value())) {
      findings
          .inManifest()
          .report(
              DiagnosticCode.MISSING_FILE,
              path.span(),
              "the pack has no file " + Wording.quote(path.value()),
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
    return near.isEmpty() ? "add it, or leave the key out" : Wording.suggest("file", path, near);
  }
}
