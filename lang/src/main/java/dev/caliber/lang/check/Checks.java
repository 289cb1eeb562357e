package dev.caliber.lang.check;

import dev.caliber.kernel.config.Catalogue;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.syntax.Ast;
import dev.caliber.lang.syntax.Damage;
import java.util.List;

/** All rules, run one after the other. */
public final class Checks {
  static final List<Check> ALL =
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
          new RetentionSense(),
          new LifecycleSense(),
          new PruneSense());

  private Checks() {}

  /** Reports all that is wrong with the tree; what is damaged is not blamed for what it lacks. */
  public static void run(Ast ast, Damage damage, Catalogue catalogue, Diagnostics diagnostics) {
    var program = Program.of(ast, damage, catalogue);
    ALL.forEach(check -> check.run(program, diagnostics));
  }
}
