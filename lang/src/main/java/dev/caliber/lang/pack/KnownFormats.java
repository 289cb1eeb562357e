package dev.caliber.lang.pack;

import java.util.LinkedHashSet;
import java.util.stream.Stream;

/** Checks that defaults, rows, profiles and agents name formats that are built in or defined. */
final class KnownFormats implements PackCheck {
  @Override
  public void run(PackDocument packDocument, PackDiagnostics packDiagnostics) {
    var known = new LinkedHashSet<>(BuiltInFormats.NAMES);
    known.addAll(packDocument.section(Manifest.FORMATS).keySet());
    var referenceDiagnostics = new ReferenceDiagnostics(packDocument, packDiagnostics);
    Stream.of(
            packDocument.defaults().text("context_format").stream(),
            packDocument.matrix().tables("allowed").stream()
                .flatMap(row -> row.text("format").stream()),
            Stream.of(Manifest.PROFILES, Manifest.AGENTS)
                .flatMap(section -> packDocument.section(section).values().stream())
                .flatMap(namedTable -> namedTable.table().text("format").stream()))
        .flatMap(formats -> formats)
        .forEach(
            format -> referenceDiagnostics.requireKnown(Manifest.FORMATS, "format", format, known));
  }
}
