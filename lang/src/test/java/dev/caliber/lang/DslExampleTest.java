package dev.caliber.lang;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.config.ComparisonOperator;
import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.kernel.config.Filter;
import dev.caliber.kernel.config.FilterValue;
import dev.caliber.kernel.config.InjectionMode;
import dev.caliber.kernel.config.MemoryDefinition;
import dev.caliber.kernel.config.OptionValue;
import dev.caliber.kernel.config.PolicyAction;
import dev.caliber.kernel.config.PruneCriteria;
import dev.caliber.lang.diagnostic.Diagnostic;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.DiagnosticSeverity;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class DslExampleTest {
  private static CompileResult.CompileSuccess compiled() {
    return (CompileResult.CompileSuccess)
        Compiler.create(Catalogues.withRedis()).compile("example.caliber", Example.source());
  }

  @Test
  @DisplayName(
      "DSL-14: the complete example compiles to 2 adapters, 5 memories, 4 policies and 3 injections")
  void theExampleCompiles() {
    CompiledConfig config = compiled().config();
    assertThat(config.version()).isEqualTo("0.1.0");
    assertThat(config.adapters()).hasSize(2);
    assertThat(config.memories().stream().map(MemoryDefinition::name))
        .containsExactly("trajectory", "scope", "artifact", "note", "turn_buffer");
    assertThat(config.policies()).hasSize(4);
    assertThat(config.injections()).hasSize(3);
    assertThat(config.policies().getFirst().rules().getFirst().actions())
        .containsExactly(
            new PolicyAction.SummarizeAction("turn_buffer"),
            new PolicyAction.ExtractArtifactsAction("turn_buffer"),
            new PolicyAction.CheckpointAction("scope"),
            new PolicyAction.PruneAction(
                "turn_buffer", new PruneCriteria.AgeCriteria(Duration.ZERO)));
  }

  @Test
  @DisplayName("DSL-14: the options of its adapters are in the result")
  void itsOptionsArrive() {
    var adapters = compiled().config().adapters();
    assertThat(adapters.getFirst().options().values())
        .containsEntry("pool_size", new OptionValue.IntegerOption(10))
        .containsEntry("vector_dimensions", new OptionValue.IntegerOption(1536))
        .containsEntry("hnsw_m", new OptionValue.IntegerOption(16))
        .containsEntry("hnsw_ef_construction", new OptionValue.IntegerOption(64));
    assertThat(adapters.get(1).options().values())
        .containsEntry("ttl_default", new OptionValue.TextOption("1h"))
        .containsEntry("max_memory", new OptionValue.TextOption("512mb"));
  }

  @Test
  @DisplayName("DSL-14, DSL-12: its filters are typed by the fields that they compare")
  void itsFiltersAreTyped() {
    var rules = compiled().config().injections();
    assertThat(rules.getFirst().mode()).isEqualTo(new InjectionMode.RelevantInjection(0.7));
    assertThat(rules.getFirst().filter())
        .contains(
            new Filter.AndFilter(
                List.of(
                    new Filter.ComparisonFilter(
                        "confidence",
                        ComparisonOperator.GREATER,
                        new FilterValue.NumericFilterValue(new BigDecimal("0.5"))),
                    new Filter.ComparisonFilter(
                        "valid_until",
                        ComparisonOperator.GREATER,
                        new FilterValue.RequestTimeFilterValue()))));
    assertThat(rules.get(2).filter())
        .contains(
            new Filter.ComparisonFilter(
                "trajectory_id",
                ComparisonOperator.EQUAL,
                new FilterValue.CurrentTrajectoryFilterValue()));
  }

  @Test
  @DisplayName(
      "J-51: a value outside its enum is a warning, and built-in columns need no declaration")
  void itsOnlyWarningIsTheEnum() {
    assertThat(compiled().warnings())
        .singleElement()
        .satisfies(
            warning -> {
              assertThat(warning.severity()).isEqualTo(DiagnosticSeverity.WARNING);
              assertThat(warning.code()).isEqualTo(DiagnosticCode.UNKNOWN_ENUM_VALUE);
              assertThat(warning.message()).contains("'constraint'", "artifact_type");
            });
  }

  @Test
  @DisplayName("J-01, DSL-10: a storage that the runtime lacks is parsed, and refused at its name")
  void aMissingStorageIsRefused() {
    var result =
        (CompileResult.CompileFailure)
            Compiler.create(Catalogues.product()).compile("example.caliber", Example.source());
    assertThat(result.diagnostics())
        .filteredOn(diagnostic -> diagnostic.severity() == DiagnosticSeverity.ERROR)
        .singleElement()
        .extracting(Diagnostic::code, Diagnostic::location)
        .containsExactly(DiagnosticCode.PROVIDER_NOT_SUPPORTED, "example.caliber:16:11");
  }

  @Test
  @DisplayName("DSL-17: formatting the example keeps its tree and its comments, and is stable")
  void theExampleFormats() {
    var once = (Formatter.FormatSuccess) Formatter.format("example.caliber", Example.source());
    assertThat(Formatter.format("example.caliber", once.source())).isEqualTo(once);
    assertThat(once.source())
        .contains("// === STORAGE ADAPTER ===\n  adapter primary {")
        .contains("// === INJECTION RULES ===\n\n  inject note into context {");
    var again =
        (CompileResult.CompileSuccess)
            Compiler.create(Catalogues.withRedis()).compile("example.caliber", once.source());
    assertThat(again.ast()).isEqualTo(compiled().ast());
    assertThat(again.config()).isEqualTo(compiled().config());
  }

  @Test
  @DisplayName(
      "J-52, DSL-16: compiling gives data: equal sources, equal configurations, equal hashes")
  void compilingGivesData() {
    assertThat(compiled().config()).isEqualTo(compiled().config());
    assertThat(compiled().config().hash()).isEqualTo(compiled().config().hash()).hasSize(64);
    assertThat(compiled().config().memories().getClass().getName()).contains("Immutable");
  }
}
