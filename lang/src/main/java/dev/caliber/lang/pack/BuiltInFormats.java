package dev.caliber.lang.pack;

import dev.caliber.kernel.pack.PackFormat;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Wording;
import dev.caliber.lang.syntax.Keywords;
import java.util.List;
import java.util.stream.Stream;

/** A pack does not define the formats that every pack has. */
final class BuiltInFormats implements PackCheck {
  static final List<String> NAMES =
      Stream.of(PackFormat.Base.values()).map(Keywords::word).toList();

  @Override
  public void run(Document document, Findings findings) {
    document.section(Manifest.FORMATS).values().stream()
        .map(Table.Entry::name)
        .filter(name -> NAMES.contains(name.value()))
        .forEach(
            name ->
                findings
                    .inManifest()
                    .report(
                        DiagnosticCode.DUPLICATE_DEFINITION,
                        name.span(),
                        "every pack has the format " + Wording.quote(name.value()),
                        "give yours another name; built in: " + Wording.list(NAMES)));
  }
}
