package dev.caliber.lang.pack;

import dev.caliber.kernel.pack.ProfileSettings;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Span;
import java.util.Set;

/** Checks that an index of embeddings is only used where texts are embedded. */
final class ConsistentProfileSettings implements PackCheck {
  private static final Set<ProfileSettings.MemoryIndexKind> NEED_EMBEDDINGS =
      Set.of(ProfileSettings.MemoryIndexKind.EMBEDDING, ProfileSettings.MemoryIndexKind.HYBRID);

  @Override
  public void run(PackDocument packDocument, PackDiagnostics packDiagnostics) {
    packDocument.matrix().tables("allowed").stream()
        .filter(ProfileSetting::areAllIn)
        .forEach(row -> check(ProfileSetting.settingsIn(row), row.span(), packDiagnostics));
    packDocument.section(Manifest.AGENTS).values().stream()
        .filter(agent -> hasOverrides(agent.table()) && isResolved(agent.table(), packDocument))
        .forEach(
            agent ->
                check(
                    packDocument.profileSettings(agent.table()),
                    agent.table().span(),
                    packDiagnostics));
  }

  private static boolean hasOverrides(ManifestTable agent) {
    return agent.has(ProfileSetting.INDEX.key()) || agent.has(ProfileSetting.EMBEDDINGS.key());
  }

  private static boolean isResolved(ManifestTable agent, PackDocument packDocument) {
    return agent
        .text("profile")
        .flatMap(name -> packDocument.find(Manifest.PROFILES, name))
        .filter(profile -> ProfileSetting.areAllIn(profile.table()))
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
