package dev.caliber.lang.pack.check;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.DiagnosticText;
import dev.caliber.lang.pack.manifest.Manifest;
import dev.caliber.lang.pack.manifest.ManifestTable;
import dev.caliber.lang.pack.manifest.PackDiagnostics;
import dev.caliber.lang.pack.manifest.ParsedPack;

/** Checks that an adapter's kind, which is part of its name, equals its type. */
final class AdapterKindCheck implements PackCheck {
  @Override
  public void run(ParsedPack parsedPack, PackDiagnostics packDiagnostics) {
    parsedPack
        .section(Manifest.ADAPTERS)
        .forEach(
            (id, adapter) -> check(id.substring(0, id.indexOf('.')), adapter, packDiagnostics));
  }

  private static void check(
      String kind, ManifestTable.NamedTable adapter, PackDiagnostics packDiagnostics) {
    adapter
        .table()
        .text("type")
        .filter(type -> !type.value().equals(kind))
        .ifPresent(
            type ->
                packDiagnostics
                    .inManifest()
                    .report(
                        DiagnosticCode.INCOMPATIBLE_SETTINGS,
                        type.span(),
                        "an adapter of kind "
                            + DiagnosticText.quote(kind)
                            + " has the type "
                            + DiagnosticText.quote(type.value()),
                        "name it adapters." + type.value() + "." + adapter.name().value()));
  }
}
