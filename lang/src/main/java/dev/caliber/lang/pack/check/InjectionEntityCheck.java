package dev.caliber.lang.pack.check;

import dev.caliber.kernel.pack.PackInjection;
import dev.caliber.lang.ast.Keywords;
import dev.caliber.lang.ast.TextNode;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.DiagnosticText;
import dev.caliber.lang.pack.manifest.Manifest;
import dev.caliber.lang.pack.manifest.PackDiagnostics;
import dev.caliber.lang.pack.manifest.ParsedPack;
import java.util.stream.Stream;

/** Checks that a memory named like one type of entity does not inject another type. */
final class InjectionEntityCheck implements PackCheck {
  @Override
  public void run(ParsedPack parsedPack, PackDiagnostics packDiagnostics) {
    for (var injection : parsedPack.section(Manifest.INJECTIONS).values()) {
      var memory = injection.table().text("memory").map(TextNode::value).orElse("");
      injection
          .table()
          .text("entity_type")
          .filter(type -> isEntity(memory) && !type.value().equals(memory))
          .ifPresent(type -> report(memory, type, packDiagnostics));
    }
  }

  private static boolean isEntity(String memory) {
    return Stream.of(PackInjection.InjectionEntityType.values())
        .anyMatch(type -> Keywords.word(type).equals(memory));
  }

  private static void report(String memory, TextNode type, PackDiagnostics packDiagnostics) {
    packDiagnostics
        .inManifest()
        .report(
            DiagnosticCode.INCOMPATIBLE_SETTINGS,
            type.span(),
            "the memory " + DiagnosticText.quote(memory) + " contains no " + type.value() + "s",
            "write \"" + memory + "\", or name another memory");
  }
}
