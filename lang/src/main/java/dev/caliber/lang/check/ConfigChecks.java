package dev.caliber.lang.check;

import dev.caliber.kernel.config.Catalogue;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.syntax.Ast;
import dev.caliber.lang.syntax.ParseDamage;
import java.util.List;

/** All rules, run one after the other. */
public final class ConfigChecks {
  static final List<ConfigCheck> ALL =
      List.of(
          new SupportedVersion(),
          new UniqueDefinitions(),
          new UniqueFields(),
          new UniqueValues(),
          new RequiredFields(),
          new NonEmptyTexts(),
          new NonEmptyPolicies(),
          new KnownMemories(),
          new KnownTargets(),
          new UsedInjections(),
          new UsedModes(),
          new AcyclicParents(),
          new CatalogueTypes(),
          new KnownFilterFields(),
          new FilterComparators(),
          new FilterValueTypes(),
          new KnownEnumValues(),
          new KnownIndexFields(),
          new IndexTypes(),
          new NumberRanges(),
          new OptionNumbers(),
          new AdapterSecrets(),
          new CronExpressions(),
          new SupportedProviders(),
          new ConsistentRetention(),
          new SupportedLifecycles(),
          new ConfidencePruneTargets());

  private ConfigChecks() {}

  /** Reports all errors of the tree, except what damaged definitions lack. */
  public static void run(
      Ast ast, ParseDamage parseDamage, Catalogue catalogue, Diagnostics diagnostics) {
    var program = Program.of(ast, parseDamage, catalogue);
    ALL.forEach(configCheck -> configCheck.run(program, diagnostics));
  }
}
