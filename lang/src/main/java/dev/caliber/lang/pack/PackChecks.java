package dev.caliber.lang.pack;

import java.util.List;

/** All rules about packs, run one after the other. */
final class PackChecks {
  static final List<PackCheck> ALL =
      List.of(
          new BuiltInFormatCheck(),
          new FormatReferenceCheck(),
          new ToolReferenceCheck(),
          new ProviderReferenceCheck(),
          new AgentReferenceCheck(),
          new MatrixRowCheck(),
          new AllowedProfileCheck(),
          new EnforcedProfileCheck(),
          new ProfileSettingsCheck(),
          new AdapterKindCheck(),
          new InjectionEntityCheck(),
          new TokenBudgetCheck(),
          new ToolFileCheck(),
          new AgentFileCheck(),
          new ToolContractCheck(),
          new ManifestReferenceCheck(),
          new ManifestSecretCheck(),
          new FileSecretCheck(),
          new PromptReferenceCheck(),
          new GrantedToolCheck(),
          new ToolCycleCheck(),
          new UnusedFileCheck());

  private PackChecks() {}

  static void run(ParsedPack parsedPack, PackDiagnostics packDiagnostics) {
    ALL.forEach(check -> check.run(parsedPack, packDiagnostics));
  }
}
