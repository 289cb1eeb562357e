package dev.caliber.lang.pack;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Wording;

/** An adapter's kind, which is part of its name, is its type. */
final class AdapterKinds implements PackCheck {
  @Override
  public void run(Document document, Findings findings) {
    document
        .section(Manifest.ADAPTERS)
        .forEach((id, adapter) -> check(id.substring(0, id.indexOf('.')), adapter, findings));
  }

  private static void check(String kind, Table.Entry adapter, Findings findings) {
    adapter
        .table()
        .text("type")
        .filter(type -> !type.value().equals(kind))
        .ifPresent(
            type ->
                findings
                    .inManifest()
                    .report(
                        DiagnosticCode.INCOMPATIBLE_SETTINGS,
                        type.span(),
                        "an adapter of kind "
                            + Wording.quote(kind)
                            + " has the type "
                            + Wording.quote(type.value()),
                        "call it adapters." + type.value() + "." + adapter.name().value()));
  }
}
