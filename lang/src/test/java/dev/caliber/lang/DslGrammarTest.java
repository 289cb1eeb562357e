package dev.caliber.lang;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.config.AdapterType;
import dev.caliber.kernel.config.Comparator;
import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.kernel.config.Cron;
import dev.caliber.kernel.config.FieldType;
import dev.caliber.kernel.config.FieldType.Primitive;
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

/** One test or more for each rule of the grammar. */
class DslGrammarTest {
  private static final String MEMORY =
      "memory m { type: working schema: { a: text, n: int, f: float, b: bool, t: timestamp, u: uuid,"
          + " v: embedding, confidence: float, k: enum(\"x\", \"y\") } retention: persistent }\n";

  private static CompileResult compile(String body) {
    return Compiler.create(Catalogues.product())
        .compile("t.caliber", "caliber: \"0.1.0\" {\n" + body + "\n}");
  }

  private static CompiledConfig compiled(String body) {
    assertThat(compile(body)).isInstanceOf(CompileResult.Compiled.class);
    return ((CompileResult.Compiled) compile(body)).config();
  }

  private static List<DiagnosticCode> codes(String body) {
    return ((CompileResult.Rejected) compile(body))
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

  private static Filter compare(String field, Comparator comparator, FilterValue value) {
    return new Filter.Comparison(field, comparator, value);
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
    assertThat(((CompileResult.Rejected) result).diagnostics())
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
    assertThat(memory.retention()).isEqualTo(new Retention.Scope());
    assertThat(memory.indexes()).hasSize(1);
    assertThat(memory.lifecycle()).contains(new Lifecycle.Explicit());
    assertThat(memory.artifacts()).containsExactly("x");
    assertThat(memory.parent()).contains("r");
    assertThat(memory.injectOn()).containsExactly(new Trigger.On(Trigger.Event.TURN));
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
  @EnumSource(Primitive.class)
  @DisplayName("DSL-04: every type of field has its word")
  void typesOfField(Primitive primitive) {
    String word = primitive.name().toLowerCase(Locale.ROOT);
    var memory =
        compiled("memory m { type: meta schema: { a: " + word + " } retention: session }")
            .memories()
            .getFirst();
    assertThat(memory.schema().getFirst().type()).isEqualTo(new FieldType.Plain(primitive));
  }

  @Test
  @DisplayName("DSL-04: an enum lists its values")
  void enumsListTheirValues() {
    assertThat(compiled(MEMORY).memories().getFirst().field("k").orElseThrow().type())
        .isEqualTo(new FieldType.Enumeration(List.of("x", "y")));
  }

  @Test
  @DisplayName("DSL-05: all forms of retention")
  void retentions() {
    assertThat(memory("retention: persistent").retention()).isEqualTo(new Retention.Persistent());
    assertThat(memory("retention: session").retention()).isEqualTo(new Retention.Session());
    assertThat(memory("retention: scope").retention()).isEqualTo(new Retention.Scope());
    assertThat(memory("retention: 2w").retention())
        .isEqualTo(new Retention.For(Duration.ofDays(14)));
    assertThat(memory("retention: max(50)").retention()).isEqualTo(new Retention.Max(50));
    assertThat(memory("retention: compress_on: scope_close").retention())
        .isEqualTo(new Retention.CompressOn(new Trigger.On(Trigger.Event.SCOPE_CLOSE)));
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
        .contains(new Lifecycle.Explicit());
    assertThat(memory("retention: scope lifecycle: auto_close(task_end)").lifecycle())
        .contains(new Lifecycle.AutoClose(new Trigger.On(Trigger.Event.TASK_END)));
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
            new Trigger.On(Trigger.Event.TASK_START),
            new Trigger.On(Trigger.Event.TASK_END),
            new Trigger.On(Trigger.Event.SCOPE_CLOSE),
            new Trigger.On(Trigger.Event.TURN),
            new Trigger.Schedule(Cron.parse("0 0 * * *")));
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
            new PolicyAction.Checkpoint("m"),
            new PolicyAction.Summarize("m"),
            new PolicyAction.ExtractArtifacts("m"),
            new PolicyAction.Inject("m", new InjectionMode.Full()),
            new PolicyAction.Prune("m", new PruneCriteria.OlderThan(Duration.ofHours(1))),
            new PolicyAction.Notify("c"));
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
            new PolicyAction.Inject("m", new InjectionMode.Full()),
            new PolicyAction.Inject("m", new InjectionMode.Summary()),
            new PolicyAction.Inject("m", new InjectionMode.TopK(5)),
            new PolicyAction.Inject("m", new InjectionMode.Relevant(0.25)),
            new PolicyAction.Inject("m", new InjectionMode.Relevant(1)),
            new PolicyAction.Prune("m", new PruneCriteria.OlderThan(Duration.ofDays(3))),
            new PolicyAction.Prune("m", new PruneCriteria.BelowConfidence(0.5)));
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
            new OptionValue.Items(
                List.of(new OptionValue.Whole(1), new OptionValue.Members(Map.of()))));
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
    assertThat(rule.mode()).isEqualTo(new InjectionMode.TopK(2));
    assertThat(rule.priority()).isEqualTo(9);
    assertThat(rule.maxTokens()).isEqualTo(7);
    assertThat(rule.filter()).isPresent();
  }

  @Test
  @DisplayName("DSL-12: and binds tighter than or; parentheses group")
  void precedence() {
    var one = compare("n", Comparator.EQUAL, new FilterValue.Numeric(BigDecimal.ONE));
    var yes = compare("b", Comparator.EQUAL, new FilterValue.Flag(true));
    var x = compare("a", Comparator.EQUAL, new FilterValue.Text("x"));
    assertThat(filter("n = 1 or b = true and a = \"x\""))
        .isEqualTo(new Filter.Or(List.of(one, new Filter.And(List.of(yes, x)))));
    assertThat(filter("(n = 1 or b = true) and a = \"x\""))
        .isEqualTo(new Filter.And(List.of(new Filter.Or(List.of(one, yes)), x)));
  }

  @Test
  @DisplayName("DSL-12: every comparator and every kind of value")
  void comparatorsAndValues() {
    var two = new FilterValue.Numeric(BigDecimal.TWO);
    assertThat(filter("n != 2")).isEqualTo(compare("n", Comparator.NOT_EQUAL, two));
    assertThat(filter("n > 2")).isEqualTo(compare("n", Comparator.GREATER, two));
    assertThat(filter("n < 2")).isEqualTo(compare("n", Comparator.LESS, two));
    assertThat(filter("n >= 2.0")).isEqualTo(compare("n", Comparator.AT_LEAST, two));
    assertThat(filter("n <= 2")).isEqualTo(compare("n", Comparator.AT_MOST, two));
    assertThat(filter("a ~ \"x+\""))
        .isEqualTo(compare("a", Comparator.MATCHES, new FilterValue.Text("x+")));
    assertThat(filter("a contains \"x\""))
        .isEqualTo(compare("a", Comparator.CONTAINS, new FilterValue.Text("x")));
    assertThat(filter("k = y"))
        .isEqualTo(compare("k", Comparator.EQUAL, new FilterValue.Choice("y")));
    assertThat(filter("k = \"y\"")).isEqualTo(filter("k = y"));
    assertThat(filter("t < now()")).isEqualTo(compare("t", Comparator.LESS, new FilterValue.Now()));
    assertThat(filter("t < \"2026-01-01T01:00:00+01:00\""))
        .isEqualTo(
            compare(
                "t",
                Comparator.LESS,
                new FilterValue.Moment(Instant.parse("2026-01-01T00:00:00Z"))));
    assertThat(filter("u = current_trajectory"))
        .isEqualTo(compare("u", Comparator.EQUAL, new FilterValue.CurrentTrajectory()));
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
        .isEqualTo(new Retention.For(Duration.ofMinutes(15)));
    assertThat(config.policies().getFirst().rules().getFirst().actions())
        .containsExactly(new PolicyAction.Notify("\"\\/\né"));
    assertThat(config.injections().getFirst().filter())
        .contains(
            compare("x", Comparator.GREATER, new FilterValue.Numeric(new BigDecimal("-1.5"))));
    assertThat(codes("memory A1 { type: meta schema: { x: float } retention: 15m }"))
        .containsExactly(DiagnosticCode.INVALID_IDENTIFIER);
  }
}
