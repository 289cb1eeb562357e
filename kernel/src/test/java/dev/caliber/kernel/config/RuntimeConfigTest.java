package dev.caliber.kernel.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.KernelErrorCode;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.settings.SettingDeclaration;
import dev.caliber.kernel.settings.Settings;
import dev.caliber.kernel.settings.StarterSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RuntimeConfigTest {
  private static final String STARTER = StarterSettings.text(RuntimeConfig.class);

  private static Settings settings(String text) {
    return Settings.ofStarter(STARTER).withFile("caliber.toml", text);
  }

  private static RuntimeConfig read(Settings settings) {
    return settings.read("", RuntimeConfig.class);
  }

  private static List<KernelException> problems(String text) {
    Settings settings = settings(text);
    read(settings);
    return settings.problems();
  }

  @Test
  @DisplayName("CFG-01, CFG-02, CFG-12: the starter file sets every key of the runtime")
  void theStarterFileSetsEveryKey() {
    Settings starter = settings("");
    read(starter);
    starter.verify();
    assertThat(starter.declarations())
        .extracting(SettingDeclaration::key)
        .contains(
            "context.token-budget",
            "context.system-instructions",
            "context.fill-ratio",
            "context.relevance.minimum",
            "context.relevance.default-score",
            "context.relevance.record-limit",
            "context.relevance.recency-limit",
            "context.relevance.note-limit",
            "context.relevance.note-minimum",
            "context.bytes-per-token",
            "context.priorities.persona",
            "context.priorities.custom",
            "pcp.contradiction-similarity",
            "pcp.window-limits.critical-priority",
            "pcp.window-limits.compression-ratio",
            "pcp.lint.duplicate-limit",
            "pcp.lint.duplicate-similarity",
            "memory.notes.initial-confidence",
            "memory.views.trace-limit",
            "memory.views.view-limit",
            "memory.recovery.orphan-after");
  }

  @Test
  @DisplayName("CFG-12: the starter file says what the source of the specification hard-codes")
  void theStarterFileHasTheValuesOfTheSource() {
    RuntimeConfig starter = RuntimeConfig.starter();
    assertThat(starter.context().fillRatio()).isEqualTo(0.95);
    assertThat(starter.context().bytesPerToken()).isEqualTo(3.5);
    assertThat(starter.context().relevance())
        .isEqualTo(new ContextConfig.RelevanceSettings(0, 0.5, 20, 10, 20, 0.1, 200, 20));
    assertThat(starter.context().assembly().trust().levels())
        .isEqualTo(new TrustSettings.TrustLevels(100, 80, 70, 60, 60, 40, 40, 30, 30, 20));
    assertThat(starter.context().assembly().trust().contentLimit()).isEqualTo(1000);
    assertThat(starter.pcp().windowLimits().criticalPriority()).isEqualTo(90);
    assertThat(starter.pcp().windowLimits().compressionRatio()).isEqualTo(0.5);
    assertThat(starter.pcp().lint().duplicateLimit()).isEqualTo(5);
    assertThat(starter.pcp().lint().duplicateSimilarity()).isEqualTo(0.95);
    assertThat(starter.memory().initialNoteConfidence()).isEqualTo(1.0);
  }

  @ParameterizedTest
  @CsvSource({"ephemeral,EphemeralPersistence", "permanent,PermanentPersistence"})
  @DisplayName("CFG-01: windows are kept as long as the file says")
  void persistence(String name, String type) {
    String text = STARTER.replace("persistence = \"ttl\"", "persistence = \"" + name + '"');
    assertThat(read(settings(text)).context().persistence().getClass().getSimpleName())
        .isEqualTo(type);
  }

  @ParameterizedTest
  @DisplayName(
      "CFG-03, CFG-04, CFG-05, CFG-08, CFG-09, CFG-11: a value out of its range is refused")
  @CsvSource({
    "token-budget = 8000,token-budget = 0,context.token-budget",
    "token-budget = 8000,token-budget = 2000001,context.token-budget",
    "max-checkpoints = 5,max-checkpoints = 0,pcp.checkpoints.max-checkpoints",
    "stale-after = \"30d\",stale-after = \"0s\",pcp.stale-after",
    "contradiction-similarity = 0.8,contradiction-similarity = 1.1,pcp.contradiction-similarity",
    "history = 40,history = -1,context.priorities.history",
    "lease-duration = \"30s\",lease-duration = \"0ms\",coordination.lease-duration",
    "delegation-timeout = \"1h\",delegation-timeout = \"0s\",coordination.delegation-timeout",
    "persistence-ttl = \"7d\",persistence-ttl = \"0s\",context.persistence-ttl",
    "max-scopes = 5,max-scopes = 0,pcp.window-limits.max-scopes",
    "compression-ratio = 0.5,compression-ratio = -0.1,pcp.window-limits.compression-ratio"
  })
  void aValueOutOfRangeIsRefused(String right, String wrong, String key) {
    String text = STARTER.replace("\n" + right + "\n", "\n" + wrong + "\n");
    assertThat(problems(text))
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.code()).isEqualTo(KernelErrorCode.INVALID_SETTING);
              assertThat(problem.message()).contains(key + ": expected ");
            });
  }

  @Test
  @DisplayName("CFG-05: a priority of one's own is named when it is negative")
  void customPrioritiesAreChecked() {
    String text =
        STARTER.replace("[context.priorities.custom]", "[context.priorities.custom]\nmine = -1");
    assertThat(problems(text))
        .singleElement()
        .satisfies(
            problem -> assertThat(problem.message()).contains("context.priorities.custom.mine"));
  }

  @Test
  @DisplayName("PCP-02: the values of the sample can be set, each of them")
  void sampleOfContexts() {
    Map<String, String> sample =
        Map.ofEntries(
            Map.entry("enabled", "true"),
            Map.entry("max-depth", "10"),
            Map.entry("prune-strategy", "\"hybrid\""),
            Map.entry("frequency", "\"per-scope\""),
            Map.entry("max-checkpoints", "5"),
            Map.entry("compression", "true"),
            Map.entry("max-tokens", "8000"),
            Map.entry("max-scopes", "5"),
            Map.entry("max-artifacts", "20"),
            Map.entry("max-notes", "10"),
            Map.entry("vocabulary-enforcement", "false"),
            Map.entry("duplicate-detection", "true"),
            Map.entry("max-artifact-size", "\"10000B\""),
            Map.entry("require-source-for-facts", "true"),
            Map.entry("confidence-threshold", "0.5"),
            Map.entry("stale-after", "\"30d\""),
            Map.entry("conflict-resolution", "\"highest-confidence\""));
    String text = STARTER;
    int from = text.indexOf("[pcp]");
    String pcp = text.substring(from, text.indexOf("[memory.notes]", from));
    String set = pcp;
    for (Map.Entry<String, String> one : sample.entrySet()) {
      set =
          set.replaceAll(
              "(?m)^%s = .*$".formatted(one.getKey()), one.getKey() + " = " + one.getValue());
    }
    Settings settings = settings(text.replace(pcp, set));
    ContextIntegrityConfig config = read(settings).pcp();
    settings.verify();
    assertThat(config.contextDag())
        .isEqualTo(
            new ContextIntegrityConfig.AncestorSettings(
                true, 10, ContextIntegrityConfig.AncestorPruneStrategy.HYBRID));
    assertThat(config.checkpoints().frequency())
        .isEqualTo(ContextIntegrityConfig.CheckpointFrequency.PER_SCOPE);
    assertThat(config.checkpoints().maxCheckpoints()).isEqualTo(5);
    assertThat(config.checkpoints().compression()).isTrue();
    assertThat(config.windowLimits().maxTokens()).isEqualTo(8000);
    assertThat(config.windowLimits().maxScopes()).isEqualTo(5);
    assertThat(config.windowLimits().maxArtifacts()).isEqualTo(20);
    assertThat(config.windowLimits().maxNotes()).isEqualTo(10);
    assertThat(config.lint().enabled()).isTrue();
    assertThat(config.lint().vocabularyEnforcement()).isFalse();
    assertThat(config.lint().duplicateDetection()).isTrue();
    assertThat(config.lint().maxArtifactSize().bytes()).isEqualTo(10_000);
    assertThat(config.staleAfter()).isEqualTo(Duration.ofDays(30));
    assertThat(config.grounding())
        .isEqualTo(
            new ContextIntegrityConfig.GroundingSettings(
                true, 0.5, ContextIntegrityConfig.ContradictionPolicy.HIGHEST_CONFIDENCE));
  }

  @Test
  @DisplayName("CFG-11, J-60, J-29: options that do not fit together are reported with both names")
  void incompatibleOptions() {
    String text =
        STARTER
            .replace("token-budget = 8000", "token-budget = 20")
            .replace(
                "system-instructions = \"\"", "system-instructions = \"" + "x".repeat(80) + '"')
            .replace("vocabulary-enforcement = false", "vocabulary-enforcement = true");
    assertThat(problems(text))
        .allMatch(problem -> problem.code() == KernelErrorCode.INCOMPATIBLE_OPTIONS)
        .extracting(KernelException::message)
        .satisfiesExactly(
            one -> assertThat(one).contains("context.system-instructions and context.token-budget"),
            one ->
                assertThat(one).contains("pcp.window-limits.max-tokens and context.token-budget"),
            one -> assertThat(one).contains("pcp.lint.vocabulary-enforcement and"));
  }

  @Test
  @DisplayName(
      "CFG-10, ERR-05, J-60: everything wrong is reported at once, and a missing key as missing")
  void allErrorsAtOnce() {
    String text =
        STARTER
            .replace("fill-ratio = 0.95", "fill-ratio = 2")
            .replace("lease-duration = \"30s\"\n", "")
            .replace("[context.priorities.custom]", "")
            .replace("max-tokens = 8000", "max-tokens = 8001");
    Settings settings = settings(text);
    read(settings);
    assertThatThrownBy(settings::verify)
        .isInstanceOfSatisfying(
            KernelException.class,
            e -> {
              assertThat(e.code()).isEqualTo(KernelErrorCode.MULTIPLE_ERRORS);
              assertThat(e.getSuppressed())
                  .extracting(one -> ((KernelException) one).code())
                  .containsExactlyInAnyOrder(
                      KernelErrorCode.INVALID_SETTING, KernelErrorCode.INCOMPATIBLE_OPTIONS);
            });
    assertThat(settings.missingInFile())
        .extracting(KernelException::message)
        .satisfiesExactly(
            one -> assertThat(one).contains("context.priorities.custom is missing"),
            one -> assertThat(one).contains("coordination.lease-duration is missing"));
  }

  @Test
  @DisplayName("CFG-10: text that is no TOML is reported as that, with its place")
  void malformedText() {
    assertThat(problems(STARTER.replace("token-budget = 8000", "token-budget 8")))
        .isNotEmpty()
        .allSatisfy(
            problem -> assertThat(problem.code()).isEqualTo(KernelErrorCode.INVALID_SETTING))
        .first()
        .satisfies(problem -> assertThat(problem.message()).contains("caliber.toml:4:", "TOML"));
  }

  @Test
  @DisplayName("CFG-11: reserves of more than the whole budget are refused")
  void reservesFitTheBudget() {
    Settings settings = settings(STARTER.replace("notes = 0.2", "notes = 0.8"));
    read(settings);
    assertThat(settings.problems())
        .singleElement()
        .satisfies(problem -> assertThat(problem.message()).contains("context.reserves.recalled"));
  }

  @Test
  @DisplayName("CFG-11: recent history is younger than old history")
  void recentIsYoungerThanOld() {
    Settings settings =
        settings(STARTER.replace("recent-until-age = \"7d\"", "recent-until-age = \"31d\""));
    read(settings);
    assertThat(settings.problems())
        .singleElement()
        .satisfies(
            problem ->
                assertThat(problem.message())
                    .contains("context.trust.recent-until-age and context.trust.old-from-age"));
  }

  @Test
  @DisplayName("CFG-08, J-60: durations are exact to the millisecond")
  void durationsAreMilliseconds() {
    String text = STARTER.replace("\"30s\"", "\"1ms\"");
    assertThat(read(settings(text)).coordination().leaseDuration()).isEqualTo(Duration.ofMillis(1));
  }

  @Test
  @DisplayName("CFG-11: a persistence that a caller sends has the bounds of the file")
  void persistenceIsChecked() {
    refused(() -> new ContextConfig.WindowPersistence.DurationPersistence(Duration.ZERO));
    refused(() -> new ContextConfig.WindowPersistence.DurationPersistence(Duration.ofDays(36_501)));
  }

  private static void refused(ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(KernelException.class);
  }
}
