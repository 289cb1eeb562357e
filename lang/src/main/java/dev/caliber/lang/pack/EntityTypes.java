package dev.caliber.lang.pack;

import dev.caliber.kernel.pack.PackInjection;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Wording;
import dev.caliber.lang.syntax.Keywords;
import dev.caliber.lang.syntax.Text;
import java.util.stream.Stream;

/** A memory that is called like one type of entity does not inject the other. */
final class EntityTypes implements PackCheck {
  @Override
  public void run(Document document, Findings findings) {
    for (var injection : document.section(Manifest.INJECTIONS).values()) {
      var memory = injection.table().text("memory").map(Text::value).orElse("");
      injection
          .table()
          .text("entity_type")
          .filter(type -> isEntity(memory) && !type.value().equals(memory))
          .ifPresent(type -> report(memory, type, findings));
    }
  }

  private static boolean isEntity(String memory) {
    return Stream.of(PackInjection.EntityType.values())
        .anyMatch(type -> Keywords.word(type).equals(memory));
  }

  private static void report(String memory, Text type, Findings findings) {
    findings
        .inManifest()
        .report(
            DiagnosticCode.INCOMPATIBLE_SETTINGS,
            type.span(),
            "the memory " + Wording.quote(memory) + " holds no " + type.value() + "s",
            "write \"" + memory + "\", or name another memory");
  }
}
