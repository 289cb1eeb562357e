package dev.caliber.lang.pack.check;

import dev.caliber.lang.ast.JsonValueNode;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.DiagnosticText;
import dev.caliber.lang.pack.manifest.Manifest;
import dev.caliber.lang.pack.manifest.ManifestTable;
import dev.caliber.lang.pack.manifest.PackDiagnostics;
import dev.caliber.lang.pack.manifest.ParsedPack;
import dev.caliber.lang.pack.manifest.ProfileSettingKey;
import java.util.List;

/**
 * Checks that agents do not override enforced profiles; repeating the profile's format is allowed.
 */
final class EnforcedProfileCheck implements PackCheck {
  @Override
  public void run(ParsedPack parsedPack, PackDiagnostics packDiagnostics) {
    if (!parsedPack.matrix().isTrue("enforce_profiles_only")) {
      return;
    }
    for (var agent : parsedPack.section(Manifest.AGENTS).values()) {
      var profile =
          agent.table().text("profile").flatMap(name -> parsedPack.find(Manifest.PROFILES, name));
      for (var profileSettingKey : ProfileSettingKey.ALL) {
        agent
            .table()
            .member(profileSettingKey.key())
            .filter(
                _ -> profile.isPresent() && !isRepetition(profileSettingKey, agent, profile.get()))
            .filter(_ -> isKnown(profileSettingKey, agent, parsedPack))
            .ifPresent(
                member -> report(profileSettingKey, member, agent, profile.get(), packDiagnostics));
      }
    }
  }

  /** Returns whether the format is known; an unknown one is reported elsewhere. */
  private static boolean isKnown(
      ProfileSettingKey profileSettingKey, ManifestTable.NamedTable agent, ParsedPack parsedPack) {
    var name = profileSettingKey.valueIn(agent.table()).orElse("");
    return profileSettingKey != ProfileSettingKey.FORMAT
        || BuiltInFormatCheck.NAMES.contains(name)
        || parsedPack.section(Manifest.FORMATS).containsKey(name);
  }

  private static boolean isRepetition(
      ProfileSettingKey profileSettingKey,
      ManifestTable.NamedTable agent,
      ManifestTable.NamedTable profile) {
    return profileSettingKey == ProfileSettingKey.FORMAT
        && profileSettingKey
            .valueIn(agent.table())
            .equals(profileSettingKey.valueIn(profile.table()));
  }

  private static void report(
      ProfileSettingKey profileSettingKey,
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
                + profileSettingKey.key()
                + "' itself",
            "remove this setting: profile "
                + DiagnosticText.quote(profile.name().value())
                + " has "
                + ProfileSettingKey.describe(List.of(profileSettingKey), profile.table()));
  }
}
