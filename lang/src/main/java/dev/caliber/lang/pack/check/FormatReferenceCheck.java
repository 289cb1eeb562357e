package dev.caliber.lang.pack.check;

import dev.caliber.lang.pack.manifest.Manifest;
import dev.caliber.lang.pack.manifest.PackDiagnostics;
import dev.caliber.lang.pack.manifest.ParsedPack;
import java.util.LinkedHashSet;
import java.util.stream.Stream;

/** Checks that defaults, rows, profiles and agents name formats that are built in or defined. */
final class FormatReferenceCheck implements PackCheck {
  @Override
  public void run(ParsedPack parsedPack, PackDiagnostics packDiagnostics) {
    var known = new LinkedHashSet<>(BuiltInFormatCheck.NAMES);
    known.addAll(parsedPack.section(Manifest.FORMATS).keySet());
    var referenceDiagnostics = new ReferenceDiagnostics(parsedPack, packDiagnostics);
    Stream.of(
            parsedPack.defaults().text("context_format").stream(),
            parsedPack.matrix().tables("allowed").stream()
                .flatMap(row -> row.text("format").stream()),
            Stream.of(Manifest.PROFILES, Manifest.AGENTS)
                .flatMap(section -> parsedPack.section(section).values().stream())
                .flatMap(namedTable -> namedTable.table().text("format").stream()))
        .flatMap(formats -> formats)
        .forEach(
            format -> referenceDiagnostics.requireKnown(Manifest.FORMATS, "format", format, known));
  }
}
