package dev.caliber.lang.pack;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Wording;
import dev.caliber.lang.syntax.Text;
import java.util.Comparator;
import java.util.List;

/** A profile is one of the states that the matrix allows; values count, names do not. */
final class AllowedProfiles implements PackCheck {
  @Override
  public void run(Document document, Findings findings) {
    var rows = document.matrix().tables("allowed").stream().filter(Knob::allIn).toList();
    if (rows.size() < document.matrix().tables("allowed").size() || rows.isEmpty()) {
      return;
    }
    document.section(Manifest.PROFILES).values().stream()
        .filter(profile -> Knob.allIn(profile.table()))
        .forEach(profile -> check(profile, rows, findings));
  }

  private static void check(Table.Entry profile, List<Table> rows, Findings findings) {
    var nearest =
        rows.stream()
            .min(Comparator.comparingInt(row -> Knob.differing(profile.table(), row).size()))
            .orElseThrow();
    var differing = Knob.differing(profile.table(), nearest);
    if (!differing.isEmpty()) {
      findings
          .inManifest()
          .report(
              DiagnosticCode.PROFILE_NOT_ALLOWED,
              profile.name().span(),
              "profile " + Wording.quote(profile.name().value()) + " is no row of the matrix",
              "the nearest row is "
                  + Wording.quote(nearest.text("name").map(Text::value).orElse(""))
                  + ", with "
                  + Knob.describe(differing, nearest));
    }
  }
}
