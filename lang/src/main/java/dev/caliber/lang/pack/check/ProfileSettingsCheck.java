package dev.caliber.lang.pack.check;

import dev.caliber.kernel.pack.ProfileSettings;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Span;
import dev.caliber.lang.pack.manifest.Manifest;
import dev.caliber.lang.pack.manifest.ManifestTable;
import dev.caliber.lang.pack.manifest.PackDiagnostics;
import dev.caliber.lang.pack.manifest.ParsedPack;
import dev.caliber.lang.pack.manifest.ProfileSettingKey;
import java.util.Set;

/** Checks that an index of embeddings is only used where texts are embedded. */
final class ProfileSettingsCheck implements PackCheck {
  private static final Set<ProfileSettings.MemoryIndexKind> NEED_EMBEDDINGS =
      Set.of(ProfileSettings.MemoryIndexKind.EMBEDDING, ProfileSettings.MemoryIndexKind.HYBRID);

  @Override
  public void run(ParsedPack parsedPack, PackDiagnostics packDiagnostics) {
    parsedPack.matrix().tables("allowed").stream()
        .filter(ProfileSettingKey::areAllIn)
        .forEach(row -> check(ProfileSettingKey.settingsIn(row), row.span(), packDiagnostics));
    parsedPack.section(Manifest.AGENTS).values().stream()
        .filter(agent -> hasOverrides(agent.table()) && isResolved(agent.table(), parsedPack))
        .forEach(
            agent ->
                check(
                    parsedPack.profileSettings(agent.table()),
                    agent.table().span(),
                    packDiagnostics));
  }

  private static boolean hasOverrides(ManifestTable agent) {
    return agent.has(ProfileSettingKey.INDEX.key())
        || agent.has(ProfileSettingKey.EMBEDDINGS.key());
  }

  private static boolean isResolved(ManifestTable agent, ParsedPack parsedPack) {
    return agent
        .text("profile")
        .flatMap(name -> parsedPack.find(Manifest.PROFILES, name))
        .filter(profile -> ProfileSettingKey.areAllIn(profile.table()))
        .isPresent();
  }

  private static void check(
      ProfileSettings profileSettings, Span place, PackDiagnostics packDiagnostics) {
    if (NEED_EMBEDDINGS.contains(profileSettings.index())
        && profileSettings.embeddings() == ProfileSettings.EmbeddingSwitch.OFF) {
      packDiagnostics
          .inManifest()
          .report(
              DiagnosticCode.INCOMPATIBLE_SETTINGS,
              place,
              "an index of embeddings requires embeddings, which are off",
              "write embeddings = \"on\", or an index of none or lexical");
    }
  }
}
