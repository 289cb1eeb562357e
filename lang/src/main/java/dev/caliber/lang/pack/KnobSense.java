package dev.caliber.lang.pack;

import dev.caliber.kernel.pack.Knobs;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Span;
import java.util.Set;

/** Nothing is found by embeddings where texts are not embedded. */
final class KnobSense implements PackCheck {
  private static final Set<Knobs.Finder> NEED_EMBEDDINGS =
      Set.of(Knobs.Finder.EMBEDDING, Knobs.Finder.HYBRID);

  @Override
  public void run(Document document, Findings findings) {
    document.matrix().tables("allowed").stream()
        .filter(Knob::allIn)
        .forEach(row -> check(PackLowering.knobs(row), row.span(), findings));
    document.section(Manifest.AGENTS).values().stream()
        .filter(agent -> overrides(agent.table()) && isResolved(agent.table(), document))
        .forEach(agent -> check(document.knobs(agent.table()), agent.table().span(), findings));
  }

  private static boolean overrides(Table agent) {
    return agent.has(Knob.INDEX.key()) || agent.has(Knob.EMBEDDINGS.key());
  }

  private static boolean isResolved(Table agent, Document document) {
    return agent
        .text("profile")
        .flatMap(name -> document.find(Manifest.PROFILES, name))
        .filter(profile -> Knob.allIn(profile.table()))
        .isPresent();
  }

  private static void check(Knobs knobs, Span place, Findings findings) {
    if (NEED_EMBEDDINGS.contains(knobs.index()) && knobs.embeddings() == Knobs.Embeddings.OFF) {
      findings
          .inManifest()
          .report(
              DiagnosticCode.INCOMPATIBLE_SETTINGS,
              place,
              "an index of embeddings where embeddings are off",
              "write embeddings = \"on\", or an index of none or lexical");
    }
  }
}
