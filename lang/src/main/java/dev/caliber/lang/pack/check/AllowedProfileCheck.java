package dev.caliber.lang.pack.check;

import dev.caliber.lang.ast.TextNode;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.DiagnosticText;
import dev.caliber.lang.pack.manifest.Manifest;
import dev.caliber.lang.pack.manifest.ManifestTable;
import dev.caliber.lang.pack.manifest.PackDiagnostics;
import dev.caliber.lang.pack.manifest.ParsedPack;
import dev.caliber.lang.pack.manifest.ProfileSettingKey;
import java.util.Comparator;
import java.util.List;

/** Checks that a profile equals a row of the allowed matrix; values count, names do not. */
final class AllowedProfileCheck implements PackCheck {
  @Override
  public void run(ParsedPack parsedPack, PackDiagnostics packDiagnostics) {
    var rows =
        parsedPack.matrix().tables("allowed").stream().filter(ProfileSettingKey::areAllIn).toList();
    if (rows.size() < parsedPack.matrix().tables("allowed").size() || rows.isEmpty()) {
      return;
    }
    parsedPack.section(Manifest.PROFILES).values().stream()
        .filter(profile -> ProfileSettingKey.areAllIn(profile.table()))
        .forEach(profile -> check(profile, rows, packDiagnostics));
  }

  private static void check(
      ManifestTable.NamedTable profile, List<ManifestTable> rows, PackDiagnostics packDiagnostics) {
    var nearest =
        rows.stream()
            .min(
                Comparator.comparingInt(
                    row -> ProfileSettingKey.differences(profile.table(), row).size()))
            .orElseThrow();
    var differing = ProfileSettingKey.differences(profile.table(), nearest);
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
                  + DiagnosticText.quote(nearest.text("name").map(TextNode::value).orElse(""))
                  + ", with "
                  + ProfileSettingKey.describe(differing, nearest));
    }
  }
}
