package dev.caliber.lang;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.config.AdapterType;
import dev.caliber.kernel.config.ComparisonOperator;
import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.kernel.config.Cron;
import dev.caliber.kernel.config.FieldType;
import dev.caliber.kernel.config.FieldType.PrimitiveType;
import dev.caliber.kernel.config.Filter;
import dev.caliber.kernel.config.FilterValue;
import dev.caliber.kernel.config.IndexType;
import dev.caliber.kernel.config.InjectionMode;
import dev.caliber.kernel.config.Lifecycle;
import dev.caliber.kernel.config.MemoryDefinition;
import dev.caliber.kernel.config.MemoryType;
import dev.caliber.kernel.config.OptionValue;
import dev.caliber.kernel.config.PolicyAction;
import dev.caliber.kernel.config.PruneCriteria;
import dev.caliber.kernel.config.Retention;
import dev.caliber.kernel.config.Trigger;
import dev.caliber.lang.diagnostic.Diagnostic;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests for each rule of the grammar. */
class DslGrammarTest {
  private static final String MEMORY =
      "memory m { type: working schema: { a: text, n: int, f: float, b: bool, t: timestamp, u: uuid,"
          + " v: embedding, confidence: float, k: enum(\"x\", \"y\") } retention: persistent }\n";

  private static CompileResult compile(String body) {
    return Compiler.create(Catalogues.product())
        .compile("t.caliber", "caliber: \"0.1.0\" {\n" + body + "\n}");
  }

  private static CompiledConfig compiled(String body) {
    assertThat(compile(body)).isInstanceOf(CompileResult.CompileSuccess.class);
    return ((CompileResult.CompileSuccess) compile(body)).config();
  }

  private static List<DiagnosticCode> codes(String body) {
    return ((CompileResult.CompileFailure) compile(body))
        .diagnostics().stream().map(Diagnostic::code).toList();
  }

  private static MemoryDefinition memory(String fields) {
    return compiled("memory m { type: working schema: { a: text, v: embedding } " + fields + " }")
        .memories()
        .getFirst();
  }

  private static Filter filter(String filter) {
    return compiled(
            MEMORY
                + "inject m into context { mode: full priority: 1 max_tokens: 1 filter: "
                + filter
                + " }")
        .injections()
        .getFirst()
        .filter()
        .orElseThrow();
  }

  private static Filter compare(
      String field, ComparisonOperator comparisonOperator, FilterValue value) {
    return new Filter.ComparisonFilter(field, comparisonOperator, value);
  }

  @Test
  @DisplayName("DSL-01: a configuration is a version and definitions of four kinds, in any order")
  void fourKindsOfDefinitions() {
    var config =
        compiled(
            "inject m into context { mode: full priority: 1 max_tokens: 1 }"
                + "policy p { on turn: [summarize(m)] }"
                + "adapter x { type: sqlite connection: \"c\" }"
                + MEMORY);
    assertThat(config.version()).isEqualTo("0.1.0");
    assertThat(config.memories()).hasSize(1);
    assertThat(config.policies()).hasSize(1);
    assertThat(config.adapters()).hasSize(1);
    assertThat(config.injections()).hasSize(1);
    assertThat(codes("table t { }")).containsExactly(DiagnosticCode.UNKNOWN_WORD);
  }

  @Test
  @DisplayName("J-04: a version of the grammar that is not known is refused")
  void versionsAreTheGrammarsOwn() {
    var result = Compiler.create(Catalogues.product()).compile("t", "caliber: \"0.2.1\" {}");
    assertThat(((CompileResult.CompileFailure) result).diagnostics())
        .extracting(Diagnostic::code)
        .containsExactly(DiagnosticCode.UNSUPPORTED_VERSION);
  }

  @Test
  @DisplayName("DSL-02: a memory's eight fields come in any order, each at most once")
  void fieldsOfAMemory() {
    String body =
        "memory m { inject_on: [turn] parent: r artifacts: [\"x\"] lifecycle: explicit index: { a: hash }"
            + " retention: scope schema: { a: text } type: meta } memory r { type: meta schema: { a: text }"
            + " retention: scope }";
    var memory = compiled(body).memories().getFirst();
    assertThat(memory.type()).isEqualTo(MemoryType.META);
    assertThat(memory.schema()).hasSize(1);
    assertThat(memory.retention()).isEqualTo(new Retention.ScopeRetention());
    assertThat(memory.indexes()).hasSize(1);
    assertThat(memory.lifecycle()).contains(new Lifecycle.ExplicitClose());
    assertThat(memory.artifacts()).containsExactly("x");
    assertThat(memory.parent()).contains("r");
    assertThat(memory.injectOn())
        .containsExactly(new Trigger.EventTrigger(Trigger.TrajectoryTriggerEvent.TURN));
    assertThat(codes(body.replace("type: meta", "type: meta type: meta")))
        .contains(DiagnosticCode.DUPLICATE_FIELD);
  }

  @ParameterizedTest
  @EnumSource(MemoryType.class)
  @DisplayName("DSL-03: every type of memory has its word")
  void typesOfMemory(MemoryType type) {
    String word = type.name().toLowerCase(Locale.ROOT);
    var memory =
        compiled("memory m { type: " + word + " schema: { a: text } retention: session }")
            .memories()
            .getFirst();
    assertThat(memory.type()).isEqualTo(type);
  }

  @ParameterizedTest
  @EnumSource(PrimitiveType.class)
  @DisplayName("DSL-04: every type of field has its word")
  void typesOfField(PrimitiveType primitiveType) {
    String word = primitiveType.name().toLowerCase(Locale.ROOT);
    var memory =
        compiled("memory m { type: meta schema: { a: " + word + " } retention: session }")
            .memories()
            .getFirst();
    assertThat(memory.schema().getFirst().type())
        .isEqualTo(new FieldType.PlainFieldType(primitiveType));
  }

  @Test
  @DisplayName("DSL-04: an enum lists its values")
  void enumsListTheirValues() {
    assertThat(compiled(MEMORY).memories().getFirst().field("k").orElseThrow().type())
        .isEqualTo(new FieldType.EnumerationFieldType(List.of("x", "y")));
  }

  @Test
  @DisplayName("DSL-05: all forms of retention")
  void retentions() {
    assertThat(memory("retention: persistent").retention())
        .isEqualTo(new Retention.PersistentRetention());
    assertThat(memory("retention: session").retention())
        .isEqualTo(new Retention.SessionRetention());
    assertThat(memory("retention: scope").retention()).isEqualTo(new Retention.ScopeRetention());
    assertThat(memory("retention: 2w").retention())
        .isEqualTo(new Retention.DurationRetention(Duration.ofDays(14)));
    assertThat(memory("retention: max(50)").retention())
        .isEqualTo(new Retention.CountRetention(50));
    assertThat(memory("retention: compress_on: scope_close").retention())
        .isEqualTo(
            new Retention.CompressionRetention(
                new Trigger.EventTrigger(Trigger.TrajectoryTriggerEvent.SCOPE_CLOSE)));
  }

  @Test
  @DisplayName("DSL-06: all kinds of index and of lifecycle")
  void indexesAndLifecycles() {
    var indexed =
        compiled(
                "memory m { type: meta schema: { a: text, b: text, c: text, v: embedding, w: embedding }"
                    + " retention: scope index: { a: btree, b: hash, c: gin, v: hnsw, w: ivfflat } }")
            .memories()
            .getFirst();
    assertThat(indexed.indexes().stream().map(index -> index.type()))
        .containsExactly(IndexType.values());
    assertThat(memory("retention: scope lifecycle: explicit").lifecycle())
        .contains(new Lifecycle.ExplicitClose());
    assertThat(memory("retention: scope lifecycle: auto_close(task_end)").lifecycle())
        .contains(
            new Lifecycle.AutomaticClose(
                new Trigger.EventTrigger(Trigger.TrajectoryTriggerEvent.TASK_END)));
    assertThat(memory("retention: scope").lifecycle()).isEmpty();
  }

  @Test
  @DisplayName("DSL-07: all triggers, and none by hand")
  void triggers() {
    assertThat(
            memory(
                    "retention: scope inject_on: [task_start, task_end, scope_close, turn,"
                        + " schedule(\"0 0 * * *\")]")
                .injectOn())
        .containsExactly(
            new Trigger.EventTrigger(Trigger.TrajectoryTriggerEvent.TASK_START),
            new Trigger.EventTrigger(Trigger.TrajectoryTriggerEvent.TASK_END),
            new Trigger.EventTrigger(Trigger.TrajectoryTriggerEvent.SCOPE_CLOSE),
            new Trigger.EventTrigger(Trigger.TrajectoryTriggerEvent.TURN),
            new Trigger.ScheduleTrigger(Cron.parse("0 0 * * *")));
    assertThat(codes("policy p { on manual: [notify(\"x\")] }"))
        .containsExactly(DiagnosticCode.UNKNOWN_WORD);
  }

  @Test
  @DisplayName("DSL-08: a policy keeps its rules and their actions in order")
  void policies() {
    var policy =
        compiled(
                MEMORY
                    + "policy p { on turn: [checkpoint(m), summarize(m), extract_artifacts(m), inject(m, full),"
                    + " prune(m, older_than(1h)), notify(\"c\")] on task_end: [summarize(m)] }")
            .policies()
            .getFirst();
    assertThat(policy.rules()).hasSize(2);
    assertThat(policy.rules().getFirst().actions())
        .containsExactly(
            new PolicyAction.CheckpointAction("m"),
            new PolicyAction.SummarizeAction("m"),
            new PolicyAction.ExtractArtifactsAction("m"),
            new PolicyAction.InjectAction("m", new InjectionMode.FullInjection()),
            new PolicyAction.PruneAction("m", new PruneCriteria.AgeCriteria(Duration.ofHours(1))),
            new PolicyAction.NotifyAction("c"));
  }

  @Test
  @DisplayName("DSL-09: all modes and criteria; a whole number may stand for a share")
  void modesAndCriteria() {
    var actions =
        compiled(
                MEMORY
                    + "policy p { on turn: [inject(m, full), inject(m, summary), inject(m, top_k(5)),"
                    + " inject(m, relevant(0.25)), inject(m, relevant(1)), prune(m, older_than(3d)),"
                    + " prune(m, below_confidence(0.5))] }")
            .policies()
            .getFirst()
            .rules()
            .getFirst()
            .actions();
    assertThat(actions)
        .containsExactly(
            new PolicyAction.InjectAction("m", new InjectionMode.FullInjection()),
            new PolicyAction.InjectAction("m", new InjectionMode.SummaryInjection()),
            new PolicyAction.InjectAction("m", new InjectionMode.TopKInjection(5)),
            new PolicyAction.InjectAction("m", new InjectionMode.RelevantInjection(0.25)),
            new PolicyAction.InjectAction("m", new InjectionMode.RelevantInjection(1)),
            new PolicyAction.PruneAction("m", new PruneCriteria.AgeCriteria(Duration.ofDays(3))),
            new PolicyAction.PruneAction("m", new PruneCriteria.ConfidenceCriteria(0.5)));
  }

  @Test
  @DisplayName("DSL-10: an adapter has a type, a connection and options; all five types parse")
  void adapters() {
    var adapter =
        compiled("adapter x { options: { \"a\": [1, {}] } connection: \"c\" type: postgres }")
            .adapters()
            .getFirst();
    assertThat(adapter.type()).isEqualTo(AdapterType.POSTGRES);
    assertThat(adapter.options().values())
        .containsEntry(
            "a",
            new OptionValue.ListOption(
                List.of(new OptionValue.IntegerOption(1), new OptionValue.ObjectOption(Map.of()))));
    for (AdapterType type :
        List.of(AdapterType.REDIS, AdapterType.LIBSQL, AdapterType.COCKROACHDB)) {
      String word = type.name().toLowerCase(Locale.ROOT);
      assertThat(codes("adapter x { type: " + word + " connection: \"c\" }"))
          .containsExactly(DiagnosticCode.PROVIDER_NOT_SUPPORTED);
    }
  }

  @Test
  @DisplayName("DSL-11: an injection has a mode, a priority, a number of tokens and a filter")
  void injections() {
    var rule =
        compiled(
                MEMORY
                    + "inject m into context { filter: n = 1 max_tokens: 7 priority: 9 mode: top_k(2) }")
            .injections()
            .getFirst();
    assertThat(rule.memory()).isEqualTo("m");
    assertThat(rule.target()).isEqualTo("context");
    assertThat(rule.mode()).isEqualTo(new InjectionMode.TopKInjection(2));
    assertThat(rule.priority()).isEqualTo(9);
    assertThat(rule.maxTokens()).isEqualTo(7);
    assertThat(rule.filter()).isPresent();
  }

  @Test
  @DisplayName("DSL-12: and binds tighter than or; parentheses group")
  void precedence() {
    var one =
        compare("n", ComparisonOperator.EQUAL, new FilterValue.NumericFilterValue(BigDecimal.ONE));
    var yes = compare("b", ComparisonOperator.EQUAL, new FilterValue.BooleanFilterValue(true));
    var x = compare("a", ComparisonOperator.EQUAL, new FilterValue.TextFilterValue("x"));
    assertThat(filter("n = 1 or b = true and a = \"x\""))
        .isEqualTo(new Filter.OrFilter(List.of(one, new Filter.AndFilter(List.of(yes, x)))));
    assertThat(filter("(n = 1 or b = true) and a = \"x\""))
        .isEqualTo(new Filter.AndFilter(List.of(new Filter.OrFilter(List.of(one, yes)), x)));
  }

  @Test
  @DisplayName("DSL-12: every comparator and every kind of value")
  void comparatorsAndValues() {
    var two = new FilterValue.NumericFilterValue(BigDecimal.TWO);
    assertThat(filter("n != 2")).isEqualTo(compare("n", ComparisonOperator.NOT_EQUAL, two));
    assertThat(filter("n > 2")).isEqualTo(compare("n", ComparisonOperator.GREATER, two));
    assertThat(filter("n < 2")).isEqualTo(compare("n", ComparisonOperator.LESS, two));
    assertThat(filter("n >= 2.0")).isEqualTo(compare("n", ComparisonOperator.AT_LEAST, two));
    assertThat(filter("n <= 2")).isEqualTo(compare("n", ComparisonOperator.AT_MOST, two));
    assertThat(filter("a ~ \"x+\""))
        .isEqualTo(compare("a", ComparisonOperator.MATCHES, new FilterValue.TextFilterValue("x+")));
    assertThat(filter("a contains \"x\""))
        .isEqualTo(compare("a", ComparisonOperator.CONTAINS, new FilterValue.TextFilterValue("x")));
    assertThat(filter("k = y"))
        .isEqualTo(
            compare("k", ComparisonOperator.EQUAL, new FilterValue.EnumerationFilterValue("y")));
    assertThat(filter("k = \"y\"")).isEqualTo(filter("k = y"));
    assertThat(filter("t < now()"))
        .isEqualTo(compare("t", ComparisonOperator.LESS, new FilterValue.RequestTimeFilterValue()));
    assertThat(filter("t < \"2026-01-01T01:00:00+01:00\""))
        .isEqualTo(
            compare(
                "t",
                ComparisonOperator.LESS,
                new FilterValue.TimestampFilterValue(Instant.parse("2026-01-01T00:00:00Z"))));
    assertThat(filter("u = current_trajectory"))
        .isEqualTo(
            compare("u", ComparisonOperator.EQUAL, new FilterValue.CurrentTrajectoryFilterValue()));
  }

  @Test
  @DisplayName("DSL-13, J-51: names, texts with escapes, negative numbers, durations and comments")
  void terminals() {
    var config =
        compiled(
            """
            // a comment
            memory _a1 { type: meta schema: { x: float } retention: 15m } // another
            policy p { on turn: [notify("\\"\\\\\\/\\n\\u00e9")] }
            inject _a1 into context { mode: full priority: 1 max_tokens: 1 filter: x > -1.50 }
            """);
    assertThat(config.memories().getFirst().retention())
        .isEqualTo(new Retention.DurationRetention(Duration.ofMinutes(15)));
    assertThat(config.policies().getFirst().rules().getFirst().actions())
        .containsExactly(new PolicyAction.NotifyAction("\"\\/\né"));
    assertThat(config.injections().getFirst().filter())
        .contains(
            compare(
                "x",
                ComparisonOperator.GREATER,
                new FilterValue.NumericFilterValue(new BigDecimal("-1.5"))));
    assertThat(codes("memory A1 { type: meta schema: { x: float } retention: 15m }"))
        .containsExactly(DiagnosticCode.INVALID_IDENTIFIER);
  }
}
