package dev.caliber.lang.pack;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Wording;
import java.util.HashSet;

/** No two rows of the matrix have the same name. */
final class UniqueRows implements PackCheck {
  @Override
  public void run(Document document, Findings findings) {
    var seen = new HashSet<String>();
    document.matrix().tables("allowed").stream()
        .flatMap(row -> row.text("name").stream())
        .filter(name -> !seen.add(name.value()))
        .forEach(
            name ->
                findings
                    .inManifest()
                    .report(
                        DiagnosticCode.DUPLICATE_VALUE,
                        name.span(),
                        "a row " + Wording.quote(name.value()) + " is there already",
                        "give each row a name of its own"));
  }
}
