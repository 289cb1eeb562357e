package dev.caliber.lang.pack;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.DiagnosticText;
import dev.caliber.lang.syntax.Text;
import java.util.Comparator;
import java.util.List;

/** Checks that a profile equals a row of the allowed matrix; values count, names do not. */
final class AllowedProfiles implements PackCheck {
  @Override
  public void run(PackDocument packDocument, PackDiagnostics packDiagnostics) {
    var rows =
        packDocument.matrix().tables("allowed").stream().filter(ProfileSetting::areAllIn).toList();
    if (rows.size() < packDocument.matrix().tables("allowed").size() || rows.isEmpty()) {
      return;
    }
    packDocument.section(Manifest.PROFILES).values().stream()
        .filter(profile -> ProfileSetting.areAllIn(profile.table()))
        .forEach(profile -> check(profile, rows, packDiagnostics));
  }

  private static void check(
      ManifestTable.NamedTable profile, List<ManifestTable> rows, PackDiagnostics packDiagnostics) {
    var nearest =
        rows.stream()
            .min(
                Comparator.comparingInt(
                    row -> ProfileSetting.differences(profile.table(), row).size()))
            .orElseThrow();
    var differing = ProfileSetting.differences(profile.table(), nearest);
    if (!differing.isEmpty()) {
      packDiagnostics
          .inManifest()
          .report(
              DiagnosticCode.PROFILE_NOT_ALLOWED,
              profile.name().span(),
              "profile "
                  + DiagnosticText.quote(profile.name().value())
                  + " matches no row of the matrix",
              "the nearest row is "
                  + DiagnosticText.quote(nearest.text("name").map(Text::value).orElse(""))
                  + ", with "
                  + ProfileSetting.describe(differing, nearest));
    }
  }
}
