package dev.caliber.lang.pack;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Wording;
import dev.caliber.lang.syntax.JsonValueNode;
import java.util.List;

/**
 * Where profiles are enforced, an agent sets nothing that its profile decides; a format may be
 * repeated.
 */
final class ProfilesOnly implements PackCheck {
  @Override
  public void run(Document document, Findings findings) {
    if (!document.matrix().is("enforce_profiles_only")) {
      return;
    }
    for (var agent : document.section(Manifest.AGENTS).values()) {
      var profile =
          agent.table().text("profile").flatMap(name -> document.find(Manifest.PROFILES, name));
      for (var knob : Knob.ALL) {
        agent
            .table()
            .member(knob.key())
            .filter(_ -> profile.isPresent() && !repeats(knob, agent, profile.get()))
            .filter(_ -> isKnown(knob, agent, document))
            .ifPresent(member -> report(knob, member, agent, profile.get(), findings));
      }
    }
  }

  /** A format that there is not was complained of. */
  private static boolean isKnown(Knob knob, Table.Entry agent, Document document) {
    var name = knob.in(agent.table()).orElse("");
    return knob != Knob.FORMAT
        || BuiltInFormats.NAMES.contains(name)
        || document.section(Manifest.FORMATS).containsKey(name);
  }

  private static boolean repeats(Knob knob, Table.Entry agent, Table.Entry profile) {
    return knob == Knob.FORMAT && knob.in(agent.table()).equals(knob.in(profile.table()));
  }

  private static void report(
      Knob knob,
      JsonValueNode.Member member,
      Table.Entry agent,
      Table.Entry profile,
      Findings findings) {
    findings
        .inManifest()
        .report(
            DiagnosticCode.PROFILE_OVERRIDDEN,
            member.span(),
            "agent " + Wording.quote(agent.name().value()) + " sets '" + knob.key() + "' itself",
            "leave it out: profile "
                + Wording.quote(profile.name().value())
                + " has "
                + Knob.describe(List.of(knob), profile.table()));
  }
}
