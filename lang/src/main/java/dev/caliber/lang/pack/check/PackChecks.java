package dev.caliber.lang.pack.check;

import dev.caliber.lang.pack.manifest.PackDiagnostics;
import dev.caliber.lang.pack.manifest.ParsedPack;
import java.util.List;

/** All rules about packs, run one after the other. */
public final class PackChecks {
  public static final List<PackCheck> ALL =
      List.of(
          new BuiltInFormatCheck(),
          new FormatReferenceCheck(),
          new ToolReferenceCheck(),
          new ProviderReferenceCheck(),
          new ReferencesOfAgentsCheck(),
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

  public static void run(ParsedPack parsedPack, PackDiagnostics packDiagnostics) {
    ALL.forEach(check -> check.run(parsedPack, packDiagnostics));
  }
}
