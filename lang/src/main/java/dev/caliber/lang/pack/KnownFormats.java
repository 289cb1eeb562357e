package dev.caliber.lang.pack;

import java.util.LinkedHashSet;
import java.util.stream.Stream;

/** Defaults, rows, profiles and agents name formats that are built in or defined. */
final class KnownFormats implements PackCheck {
  @Override
  public void run(Document document, Findings findings) {
    var known = new LinkedHashSet<>(BuiltInFormats.NAMES);
    known.addAll(document.section(Manifest.FORMATS).keySet());
    var referring = new Referring(document, findings);
    Stream.of(
            document.defaults().text("context_format").stream(),
            document.matrix().tables("allowed").stream()
                .flatMap(row -> row.text("format").stream()),
            Stream.of(Manifest.PROFILES, Manifest.AGENTS)
                .flatMap(section -> document.section(section).values().stream())
                .flatMap(entry -> entry.table().text("format").stream()))
        .flatMap(formats -> formats)
        .forEach(format -> referring.require(Manifest.FORMATS, "format", format, known));
  }
}
