package dev.caliber.kernel.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.DataSize;
import dev.caliber.kernel.KernelErrorCode;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.settings.SettingDeclaration;
import dev.caliber.kernel.settings.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RuntimeConfigTest {
  private static final String OTHER_VALUES =
      """
      [context]
      token-budget = 2000
      system-instructions = "be kind"
      bytes-per-token = 4
      fill-ratio = 0.91
      persistence = "ttl"
      persistence-ttl = "1ms"
      candidate-limit = 31
      format = "openai"
      show-dates = false
      estimate-margin = 1.32
      token-count-cache-size = 33
      claim-word-overlap = 0.34
      [context.relevance]
      minimum = 0.11
      default-score = 0.12
      record-limit = 13
      recency-limit = 14
      note-limit = 15
      note-minimum = 0.16
      turn-limit = 35
      session-limit = 61
      [context.priorities]
      system = 1
      persona = 2
      user = 3
      conversation = 4
      recalled = 36
      artifacts = 5
      notes = 6
      sessions = 62
      history = 0
      [context.priorities.custom]
      mine = 8
      my-own = 9
      [context.reserves]
      recalled = 0.37
      artifacts = 0.04
      notes = 0.11
      sessions = 0.02
      history = 0.01
      [context.ranking]
      redundancy = 0.38
      diversity = 0.39
      recency = 0.41
      half-life = "42s"
      [context.quality]
      enabled = true
      minimum = 0.31
      similarity = 0.32
      trust = 0.33
      freshness = 0.34
      verified = 0.35
      freshness-period = "45s"
      min-freshness = 0.36
      [context.trust]
      recent-until-age = "46s"
      old-from-age = "47s"
      content-limit = 48
      rules = ["c", "d"]
      [context.trust.levels]
      code = 51
      recent = 52
      authoritative = 53
      academic = 54
      this-month = 55
      old = 56
      unchecked = 57
      unchecked-old = 58
      informal = 59
      inferred = 61
      [context.shortening]
      min-source-tokens = 43
      min-result-tokens = 44
      [pcp]
      validation = "always"
      stale-after = "17s"
      contradiction-similarity = 0.18
      fact-comparison-limit = 181
      [pcp.context-dag]
      enabled = false
      max-depth = 19
      prune-strategy = "lru"
      [pcp.checkpoints]
      frequency = "per-turn"
      max-checkpoints = 20
      compression = false
      max-delta-share = 0.205
      [pcp.window-limits]
      max-tokens = 1999
      max-scopes = 21
      max-artifacts = 22
      max-notes = 23
      critical-priority = 24
      compression-ratio = 0.25
      [pcp.lint]
      enabled = false
      max-artifact-size = "26B"
      vocabulary-enforcement = true
      vocabulary = ["a", "b"]
      duplicate-detection = false
      duplicate-limit = 27
      duplicate-similarity = 0.28
      [pcp.grounding]
      require-source-for-facts = false
      confidence-threshold = 0.29
      conflict-resolution = "manual"
      [memory.notes]
      initial-confidence = 0.3
      [memory.views]
      trace-limit = 31
      view-limit = 32
      [memory.recovery]
      orphan-after = "33s"
      [coordination]
      lease-duration = "34ms"
      message-retention = "35s"
      delegation-timeout = "36s"
      """;

  private static Settings settings(String text) {
    return Settings.parse("caliber.toml", text);
  }

  private static List<KernelException> problems(String text) {
    Settings settings = settings(text);
    RuntimeConfig.from(settings);
    return settings.problems();
  }

  @Test
  @DisplayName("CFG-01, CFG-02, CFG-12: the starter file sets every key of the runtime")
  void theStarterFileSetsEveryKey() {
    Settings starter = settings(RuntimeConfig.starterText());
    Settings other = settings(OTHER_VALUES);
    RuntimeConfig.from(starter);
    RuntimeConfig.from(other);
    starter.verify();
    assertThat(starter.declarations()).isEqualTo(other.declarations()).isNotEmpty();
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
        .isEqualTo(new TrustRule.TrustLevels(100, 80, 70, 60, 60, 40, 40, 30, 30, 20));
    assertThat(starter.context().assembly().trust().contentLimit()).isEqualTo(1000);
    assertThat(starter.pcp().windowLimits().criticalPriority()).isEqualTo(90);
    assertThat(starter.pcp().windowLimits().compressionRatio()).isEqualTo(0.5);
    assertThat(starter.pcp().lint().duplicateLimit()).isEqualTo(5);
    assertThat(starter.pcp().lint().duplicateSimilarity()).isEqualTo(0.95);
    assertThat(starter.memory().initialNoteConfidence()).isEqualTo(1.0);
  }

  @Test
  @DisplayName("CFG-01, PCP-01: every key reaches its place")
  void everyKeyReachesItsPlace() {
    Settings settings = settings(OTHER_VALUES);
    RuntimeConfig config = RuntimeConfig.from(settings);
    settings.verify();
    assertThat(config)
        .isEqualTo(
            new RuntimeConfig(
                new ContextConfig(
                    2000,
                    "be kind",
                    4,
                    0.91,
                    new ContextConfig.RelevanceSettings(0.11, 0.12, 13, 14, 15, 0.16, 35, 61),
                    new ContextConfig.WindowPersistence.DurationPersistence(Duration.ofMillis(1)),
                    new ContextConfig.SectionPriorities(
                        1, 2, 3, 4, 36, 5, 6, 62, 0, new TreeMap<>(Map.of("mine", 8, "my-own", 9))),
                    assembly()),
                pcp(),
                new MemoryRules(0.3, 31, 32, Duration.ofSeconds(33)),
                new CoordinationConfig(
                    Duration.ofMillis(34), Duration.ofSeconds(35), Duration.ofSeconds(36))));
  }

  private static ContextConfig.AssemblySettings assembly() {
    return new ContextConfig.AssemblySettings(
        31,
        ContextFormat.OPENAI,
        false,
        1.32,
        33,
        0.34,
        new ContextConfig.BudgetReserves(0.37, 0.04, 0.11, 0.02, 0.01),
        new ContextConfig.WindowRankingSettings(0.38, 0.39, 0.41, Duration.ofSeconds(42)),
        new ContextConfig.QualityRule(
            true, 0.31, 0.32, 0.33, 0.34, 0.35, Duration.ofSeconds(45), 0.36),
        new TrustRule(
            new TrustRule.TrustLevels(51, 52, 53, 54, 55, 56, 57, 58, 59, 61),
            Duration.ofSeconds(46),
            Duration.ofSeconds(47),
            48,
            List.of("c", "d")),
        new ContextConfig.ShorteningSettings(43, 44));
  }

  private static PcpConfig pcp() {
    return new PcpConfig(
        PcpConfig.ValidationMode.ALWAYS,
        Duration.ofSeconds(17),
        0.18,
        181,
        new PcpConfig.ContextDag(false, 19, PcpConfig.PruneStrategy.LRU),
        new PcpConfig.CheckpointSettings(PcpConfig.CheckpointFrequency.PER_TURN, 20, false, 0.205),
        new PcpConfig.WindowLimits(1999, 21, 22, 23, 24, 0.25),
        new PcpConfig.LintSettings(
            false, DataSize.parse("26B"), true, List.of("a", "b"), false, 27, 0.28),
        new PcpConfig.GroundingSettings(false, 0.29, PcpConfig.ConflictResolution.MANUAL));
  }

  @ParameterizedTest
  @CsvSource({"ephemeral,EphemeralPersistence", "permanent,PermanentPersistence"})
  @DisplayName("CFG-01: windows are kept as long as the file says")
  void persistence(String name, String type) {
    String text =
        RuntimeConfig.starterText()
            .replace("persistence = \"ttl\"", "persistence = \"" + name + '"');
    assertThat(
            RuntimeConfig.from(settings(text)).context().persistence().getClass().getSimpleName())
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
    String text = RuntimeConfig.starterText().replace("\n" + right + "\n", "\n" + wrong + "\n");
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
        RuntimeConfig.starterText()
            .replace("[context.priorities.custom]", "[context.priorities.custom]\nmine = -1");
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
    String text = RuntimeConfig.starterText();
    int from = text.indexOf("[pcp]");
    String pcp = text.substring(from, text.indexOf("[memory.notes]", from));
    String set = pcp;
    for (Map.Entry<String, String> one : sample.entrySet()) {
      set =
          set.replaceAll(
              "(?m)^%s = .*$".formatted(one.getKey()), one.getKey() + " = " + one.getValue());
    }
    Settings settings = Settings.parse("the sample", text.replace(pcp, set));
    PcpConfig config = RuntimeConfig.from(settings).pcp();
    settings.verify();
    assertThat(config.contextDag())
        .isEqualTo(new PcpConfig.ContextDag(true, 10, PcpConfig.PruneStrategy.HYBRID));
    assertThat(config.checkpoints().frequency()).isEqualTo(PcpConfig.CheckpointFrequency.PER_SCOPE);
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
            new PcpConfig.GroundingSettings(
                true, 0.5, PcpConfig.ConflictResolution.HIGHEST_CONFIDENCE));
  }

  @Test
  @DisplayName("CFG-11, J-60, J-29: options that do not fit together are reported with both names")
  void incompatibleOptions() {
    String text =
        RuntimeConfig.starterText()
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
        RuntimeConfig.starterText()
            .replace("fill-ratio = 0.95", "fill-ratio = 2")
            .replace("lease-duration = \"30s\"\n", "")
            .replace("[context.priorities.custom]", "")
            .replace("max-tokens = 8000", "max-tokens = 8001");
    Settings settings = settings(text);
    RuntimeConfig.from(settings);
    assertThatThrownBy(settings::verify)
        .isInstanceOfSatisfying(
            KernelException.class,
            e -> {
              assertThat(e.code()).isEqualTo(KernelErrorCode.MULTIPLE_ERRORS);
              assertThat(e.getSuppressed())
                  .extracting(one -> ((KernelException) one).code())
                  .containsExactlyInAnyOrder(
                      KernelErrorCode.INVALID_SETTING,
                      KernelErrorCode.MISSING_REQUIRED,
                      KernelErrorCode.MISSING_REQUIRED,
                      KernelErrorCode.INCOMPATIBLE_OPTIONS);
            });
  }

  @Test
  @DisplayName("CFG-10: text that is no TOML is reported as that, with its place")
  void malformedText() {
    assertThat(
            problems(RuntimeConfig.starterText().replace("token-budget = 8000", "token-budget 8")))
        .isNotEmpty()
        .allSatisfy(
            problem -> assertThat(problem.code()).isEqualTo(KernelErrorCode.INVALID_SETTING))
        .first()
        .satisfies(problem -> assertThat(problem.message()).contains("caliber.toml:4:", "TOML"));
  }

  @Test
  @DisplayName("CFG-11: reserves of more than the whole budget are refused")
  void reservesFitTheBudget() {
    Settings settings = settings(RuntimeConfig.starterText().replace("notes = 0.2", "notes = 0.8"));
    RuntimeConfig.from(settings);
    assertThat(settings.problems())
        .singleElement()
        .satisfies(problem -> assertThat(problem.message()).contains("context.reserves.recalled"));
  }

  @Test
  @DisplayName("CFG-11: recent history is younger than old history")
  void recentIsYoungerThanOld() {
    Settings settings =
        settings(
            RuntimeConfig.starterText()
                .replace("recent-until-age = \"7d\"", "recent-until-age = \"31d\""));
    RuntimeConfig.from(settings);
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
    String text = RuntimeConfig.starterText().replace("\"30s\"", "\"1ms\"");
    assertThat(RuntimeConfig.from(settings(text)).coordination().leaseDuration())
        .isEqualTo(Duration.ofMillis(1));
  }

  @Test
  @DisplayName("CFG-11: settings made in code are checked like those of a file")
  void recordsAreChecked() {
    RuntimeConfig starter = RuntimeConfig.starter();
    refused(
        () ->
            new RuntimeConfig(
                starter.context(),
                starter.pcp().withWindowLimits(new PcpConfig.WindowLimits(8001, 1, 1, 1, 1, 1)),
                starter.memory(),
                starter.coordination()));
    refused(() -> new ContextConfig.WindowPersistence.DurationPersistence(Duration.ZERO));
    refused(() -> new ContextConfig.WindowPersistence.DurationPersistence(Duration.ofDays(36_501)));
    refused(() -> new PcpConfig.WindowLimits(1, 0, 1, 1, 1, 1));
    refused(() -> new PcpConfig.GroundingSettings(true, 1.5, PcpConfig.ConflictResolution.NEWEST));
    refused(
        () -> new PcpConfig.LintSettings(true, DataSize.parse("1B"), true, List.of(), true, 1, 1));
    refused(() -> new MemoryRules(2, 1, 1, Duration.ofMillis(1)));
    refused(
        () -> new CoordinationConfig(Duration.ZERO, Duration.ofMillis(1), Duration.ofMillis(1)));
    refused(
        () ->
            new ContextConfig(
                2_000_001,
                "",
                1,
                1,
                starter.context().relevance(),
                starter.context().persistence(),
                starter.context().priorities(),
                starter.context().assembly()));
    refused(() -> new ContextConfig.BudgetReserves(0.5, 0.5, 0.1, 0, 0));
    TrustRule trust = starter.context().assembly().trust();
    refused(
        () ->
            new TrustRule(
                trust.levels(),
                trust.oldFromAge(),
                trust.recentUntilAge(),
                trust.contentLimit(),
                List.of()));
    refused(
        () ->
            new TrustRule(
                trust.levels(), trust.recentUntilAge(), trust.oldFromAge(), 0, trust.rules()));
    refused(() -> new TrustRule.TrustLevels(101, 80, 70, 60, 60, 40, 40, 30, 30, 20));
    refused(() -> new TrustRule.TrustLevels(100, 80, 70, 60, 60, 40, 40, 30, 30, -1));
  }

  private static void refused(ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(KernelException.class);
  }
}
