package dev.caliber.lang.pack;

import java.util.List;

/** All rules about packs, run one after the other. */
final class PackChecks {
  static final List<PackCheck> ALL =
      List.of(
          new BuiltInFormats(),
          new KnownFormats(),
          new KnownTools(),
          new KnownProviders(),
          new AgentReferences(),
          new UniqueRows(),
          new AllowedProfiles(),
          new EnforcedProfiles(),
          new ConsistentProfileSettings(),
          new AdapterKinds(),
          new EntityTypes(),
          new TokenBudgets(),
          new ToolFiles(),
          new AgentFiles(),
          new ValidContracts(),
          new ManifestReferences(),
          new ManifestSecrets(),
          new FileSecrets(),
          new PromptReferences(),
          new GrantedTools(),
          new AcyclicTools(),
          new UsedFiles());

  private PackChecks() {}

  static void run(PackDocument packDocument, PackDiagnostics packDiagnostics) {
    ALL.forEach(check -> check.run(packDocument, packDiagnostics));
  }
}
