package dev.caliber.lang.check;

import dev.caliber.kernel.config.Catalogue;
import dev.caliber.lang.ast.Ast;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.syntax.ParseDamage;
import java.util.List;

/** All rules, run one after the other. */
public final class ConfigChecks {
  static final List<ConfigCheck> ALL =
      List.of(
          new GrammarVersionCheck(),
          new DuplicateDefinitionCheck(),
          new DuplicateFieldCheck(),
          new DuplicateValueCheck(),
          new RequiredFieldCheck(),
          new BlankTextCheck(),
          new EmptyPolicyCheck(),
          new MemoryReferenceCheck(),
          new InjectionTargetCheck(),
          new UnusedInjectionCheck(),
          new InjectionModeCheck(),
          new ParentCycleCheck(),
          new SchemaTypeCheck(),
          new FilterFieldCheck(),
          new FilterComparatorCheck(),
          new FilterValueCheck(),
          new EnumValueCheck(),
          new IndexFieldCheck(),
          new IndexTypeCheck(),
          new NumberRangeCheck(),
          new OptionNumberCheck(),
          new AdapterSecretCheck(),
          new CronExpressionCheck(),
          new AdapterTypeCheck(),
          new RetentionCheck(),
          new LifecycleCheck(),
          new ConfidencePruneTargets());

  private ConfigChecks() {}

  /** Reports all errors of the tree, except what damaged definitions lack. */
  public static void run(
      Ast ast, ParseDamage parseDamage, Catalogue catalogue, Diagnostics diagnostics) {
    var semanticModel = SemanticModel.of(ast, parseDamage, catalogue);
    ALL.forEach(configCheck -> configCheck.run(semanticModel, diagnostics));
  }
}
