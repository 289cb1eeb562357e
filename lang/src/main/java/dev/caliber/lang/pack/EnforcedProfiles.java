package dev.caliber.lang.pack;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.DiagnosticText;
import dev.caliber.lang.syntax.JsonValueNode;
import java.util.List;

/**
 * Checks that agents do not override enforced profiles; repeating the profile's format is allowed.
 */
final class EnforcedProfiles implements PackCheck {
  @Override
  public void run(PackDocument packDocument, PackDiagnostics packDiagnostics) {
    if (!packDocument.matrix().isTrue("enforce_profiles_only")) {
      return;
    }
    for (var agent : packDocument.section(Manifest.AGENTS).values()) {
      var profile =
          agent.table().text("profile").flatMap(name -> packDocument.find(Manifest.PROFILES, name));
      for (var profileSetting : ProfileSetting.ALL) {
        agent
            .table()
            .member(profileSetting.key())
            .filter(_ -> profile.isPresent() && !isRepetition(profileSetting, agent, profile.get()))
            .filter(_ -> isKnown(profileSetting, agent, packDocument))
            .ifPresent(
                member -> report(profileSetting, member, agent, profile.get(), packDiagnostics));
      }
    }
  }

  /** Returns whether the format is known; an unknown one is reported elsewhere. */
  private static boolean isKnown(
      ProfileSetting profileSetting, ManifestTable.NamedTable agent, PackDocument packDocument) {
    var name = profileSetting.valueIn(agent.table()).orElse("");
    return profileSetting != ProfileSetting.FORMAT
        || BuiltInFormats.NAMES.contains(name)
        || packDocument.section(Manifest.FORMATS).containsKey(name);
  }

  private static boolean isRepetition(
      ProfileSetting profileSetting,
      ManifestTable.NamedTable agent,
      ManifestTable.NamedTable profile) {
    return profileSetting == ProfileSetting.FORMAT
        && profileSetting.valueIn(agent.table()).equals(profileSetting.valueIn(profile.table()));
  }

  private static void report(
      ProfileSetting profileSetting,
      JsonValueNode.Member member,
      ManifestTable.NamedTable agent,
      ManifestTable.NamedTable profile,
      PackDiagnostics packDiagnostics) {
    packDiagnostics
        .inManifest()
        .report(
            DiagnosticCode.PROFILE_OVERRIDDEN,
            member.span(),
            "agent "
                + DiagnosticText.quote(agent.name().value())
                + " sets '"
                + profileSetting.key()
                + "' itself",
            "remove this setting: profile "
                + DiagnosticText.quote(profile.name().value())
                + " has "
                + ProfileSetting.describe(List.of(profileSetting), profile.table()));
  }
}
