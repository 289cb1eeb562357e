package dev.caliber.lang.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.lang.Catalogues;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.syntax.Parser;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests each rule alone: its findings, and that a valid source has none. */
class DslRulesTest {
  private static final String RIGHT =
      """
      caliber: "0.1.0" {
        memory root { type: meta schema: { a: text, confidence: float } retention: persistent }
        memory m {
          type: working
          schema: { a: text, k: enum("x", "y"), n: int, v: embedding }
          retention: max(3)
          lifecycle: auto_close(task_end)
          parent: root
          artifacts: ["p", "q"]
          inject_on: [turn, schedule("0 0 * * *")]
          index: { a: gin, v: hnsw, created_at: btree }
        }
        policy p { on turn: [prune(root, below_confidence(0.5)), inject(m, relevant(1)), notify("c")] }
        inject m into context { mode: top_k(1) priority: 0 max_tokens: 1 filter: k = x and n > 1 and a ~ "b" }
        adapter d { type: sqlite connection: "c" options: { "a": 1, "b": { "a": 2 } } }
      }
      """;

  static List<ConfigCheck> checks() {
    return ConfigChecks.ALL;
  }

  @ParameterizedTest
  @MethodSource("checks")
  @DisplayName("DSL-15: no rule reports an error in a valid source")
  void whatIsRightPasses(ConfigCheck configCheck) {
    assertThat(found(configCheck, RIGHT)).isEmpty();
  }

  /** Rows of the rule's name, a replacement in the valid source, and the rule's finding. */
  @ParameterizedTest
  @DisplayName("DSL-15: each rule finds its mistake, at its position, and nothing else")
  @ValueSource(
      strings = {
        "GrammarVersionCheck|\"0.1.0\"|\"1\"|UNSUPPORTED_VERSION 1:10",
        "DuplicateDefinitionCheck|memory m {|memory root {|DUPLICATE_DEFINITION 3:10",
        "DuplicateFieldCheck|n: int|a: int|DUPLICATE_FIELD 5:43",
        "DuplicateFieldCheck|type: sqlite|type: sqlite type: sqlite|DUPLICATE_FIELD 15:28",
        "DuplicateFieldCheck|\"a\": 2|\"a\": 2, \"a\": 3|DUPLICATE_FIELD 15:78",
        "DuplicateValueCheck|\"p\", \"q\"|\"p\", \"p\"|DUPLICATE_VALUE 9:22",
        "DuplicateValueCheck|\"x\", \"y\"|\"x\", \"x\"|DUPLICATE_VALUE 5:37",
        "RequiredFieldCheck|type: working||MISSING_FIELD 3:10",
        "RequiredFieldCheck|connection: \"c\"||MISSING_FIELD 15:11",
        "RequiredFieldCheck|priority: 0||MISSING_FIELD 14:10",
        "BlankTextCheck|notify(\"c\")|notify(\" \")|EMPTY_TEXT 13:91",
        "EmptyPolicyCheck|policy p {|policy q {} policy p {|EMPTY_POLICY 13:10",
        "MemoryReferenceCheck|parent: root|parent: rot|UNKNOWN_MEMORY 8:13",
        "MemoryReferenceCheck|inject(m,|inject(mm,|UNKNOWN_MEMORY 13:67",
        "MemoryReferenceCheck|inject m into|inject mm into|UNKNOWN_MEMORY 14:10",
        "InjectionTargetCheck|into context|into contxt|UNKNOWN_TARGET 14:17",
        "UnusedInjectionCheck|into context|into root|UNUSED_INJECTION 14:17",
        "UnusedInjectionCheck|into context|into m|UNUSED_INJECTION 14:17",
        "InjectionModeCheck|inject(m, relevant(1))|inject(root, summary)|UNUSED_MODE 13:73",
        "ParentCycleCheck|parent: root|parent: m|PARENT_CYCLE 8:13",
        "SchemaTypeCheck|n: int|created_at: int|FIELD_TYPE_CONFLICT 5:55",
        "FilterFieldCheck|n > 1|z > 1|UNKNOWN_FIELD 14:86",
        "FilterFieldCheck|inject m into context { mode: top_k(1) priority: 0 max_tokens: 1 filter: k = x and n > 1 and a ~ \"b\" }"
            + "|memory artifacts { type: episodic schema: { a: text } retention: 1d } inject artifacts into context { filter: sequence > 1 }|UNKNOWN_FIELD 14:113",
        "FilterComparatorCheck|n > 1|n ~ 1|WRONG_COMPARATOR 14:88",
        "FilterValueCheck|n > 1|n > \"1\"|WRONG_VALUE_TYPE 14:90",
        "EnumValueCheck|k = x|k = z|UNKNOWN_ENUM_VALUE 14:80",
        "IndexFieldCheck|created_at: btree|created: btree|UNKNOWN_FIELD 11:31",
        "IndexTypeCheck|v: hnsw|v: hash|INCOMPATIBLE_INDEX 11:22",
        "NumberRangeCheck|max(3)|max(0)|OUT_OF_RANGE 6:20",
        "NumberRangeCheck|top_k(1)|top_k(0)|OUT_OF_RANGE 14:39",
        "NumberRangeCheck|relevant(1)|relevant(2)|OUT_OF_RANGE 13:79",
        "OptionNumberCheck|\"a\": 2|\"a\": 99999999999999999999|OUT_OF_RANGE 15:75",
        "AdapterSecretCheck|connection: \"c\"|connection: \"postgres://a:b3cret@h/d\"|RAW_SECRET 15:54",
        "AdapterSecretCheck|\"a\": 1,|\"a\": [\"postgres://a:b3cret@h/d\"],|RAW_SECRET 15:75",
        "CronExpressionCheck|0 0 * * *|0 0 31 2 *|INVALID_CRON 10:32",
        "AdapterTypeCheck|type: sqlite|type: redis|PROVIDER_NOT_SUPPORTED 15:21",
        "RetentionCheck|type: meta|type: ephemeral|INCOMPATIBLE_RETENTION 2:83",
        "LifecycleCheck|task_end|task_start|INCOMPATIBLE_LIFECYCLE 7:27",
        "LifecycleCheck|task_end|turn|INCOMPATIBLE_LIFECYCLE 7:27",
        "LifecycleCheck|task_end|schedule(\"0 0 * * *\")|INCOMPATIBLE_LIFECYCLE 7:27",
        "ConfidencePruneTargets|prune(root|prune(m|INCOMPATIBLE_PRUNE 13:33"
      })
  void eachRuleFindsItsMistake(String row) {
    String[] cells = row.split("\\|", -1);
    assertThat(RIGHT).contains(cells[1]);
    assertThat(found(named(cells[0]), RIGHT.replace(cells[1], cells[2]))).containsExactly(cells[3]);
  }

  @Test
  @DisplayName("DSL-15: every rule has a test with a finding")
  void everyRuleIsShown() throws NoSuchMethodException {
    var rows =
        DslRulesTest.class
            .getDeclaredMethod("eachRuleFindsItsMistake", String.class)
            .getAnnotation(ValueSource.class)
            .strings();
    assertThat(ConfigChecks.ALL)
        .allSatisfy(
            configCheck ->
                assertThat(rows)
                    .anyMatch(row -> row.startsWith(configCheck.getClass().getSimpleName() + "|")));
  }

  private static ConfigCheck named(String name) {
    return ConfigChecks.ALL.stream()
        .filter(configCheck -> configCheck.getClass().getSimpleName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static List<String> found(ConfigCheck configCheck, String source) {
    var syntax = new Diagnostics("t");
    var parsedSource = Parser.parse(source, syntax);
    assertThat(syntax.sorted()).isEmpty();
    var diagnostics = new Diagnostics("t");
    configCheck.run(
        SemanticModel.of(parsedSource.ast(), parsedSource.damage(), Catalogues.product()),
        diagnostics);
    return diagnostics.sorted().stream()
        .map(found -> found.code() + " " + found.span().line() + ":" + found.span().column())
        .toList();
  }
}
