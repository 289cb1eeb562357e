package dev.caliber.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.DataSize;
import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.KernelErrorCode;
import dev.caliber.kernel.settings.Settings;
import dev.caliber.models.ModelsConfig.ModelWeights;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ModelsConfigTest {

  private static final String OTHER_VALUES =
      """
      [models]
      provider = "openai"
      [models.in-process]
      model = "quantised"
      threads = 3
      queue-limit = 4
      queue-timeout = "5s"
      parts-limit = 6
      [models.http]
      endpoint = "https://models.test/v1"
      model = "small"
      model-aliases = ["small-2026"]
      dimensions = 7
      query-prefix = "q: "
      passage-prefix = "p: "
      key-variable = "MODELS_KEY"
      [models.http.limits]
      batch-texts = 8
      text-limit = "9KiB"
      concurrency = 10
      connect-timeout = "11s"
      response-timeout = "12s"
      query-timeout = "7s"
      response-limit = "13KiB"
      [models.egress]
      hosts = ["Models.test"]
      private-hosts = ["a.test"]
      plaintext-hosts = ["b.test"]
      [models.retry]
      max-retries = 14
      initial-backoff = "15ms"
      max-backoff = "16ms"
      backoff-multiplier = 1.5
      [models.hash]
      dimensions = 17
      [models.tokens]
      o200k-base = ["a"]
      cl100k-base = ["b"]
      p50k-base = ["c"]
      r50k-base = ["d"]
      [models.chat]
      provider = "ollama"
      endpoint = "https://chat.test"
      model = "large"
      key-variable = "CHAT_KEY"
      summary-sentences = 18
      [models.chat.extraction]
      enabled = true
      max-findings = 19
      daily-budget = "20KiB"
      [models.chat.contradiction-check]
      enabled = true
      max-notes = 21
      """;

  @Test
  void theStarterFileSetsEveryKey() {
    Settings starter = settings(ModelsConfig.starterText());
    Settings complete = settings(OTHER_VALUES);
    ModelsConfig.from(starter);
    ModelsConfig.from(complete);
    starter.verify();
    complete.verify();
    assertThat(starter.keysRead()).isEqualTo(complete.keysRead()).isNotEmpty();
  }

  @Test
  void everyKeyReachesItsPlace() {
    assertThat(ModelsConfig.from(settings(OTHER_VALUES)))
        .isEqualTo(
            new ModelsConfig(
                ModelsConfig.EmbeddingProvider.OPENAI,
                new ModelsConfig.InProcessSettings(
                    ModelWeights.QUANTISED, 3, 4, Duration.ofSeconds(5), 6),
                new ModelsConfig.HttpModelSettings(
                    URI.create("https://models.test/v1"),
                    "small",
                    List.of("small-2026"),
                    7,
                    "q: ",
                    "p: ",
                    Optional.of("MODELS_KEY"),
                    new ModelsConfig.HttpModelLimits(
                        8,
                        DataSize.parse("9KiB"),
                        10,
                        Duration.ofSeconds(11),
                        Duration.ofSeconds(12),
                        Duration.ofSeconds(7),
                        DataSize.parse("13KiB"))),
                new ModelsConfig.EgressRules(
                    "models.egress", List.of("models.test"), List.of("a.test"), List.of("b.test")),
                new ModelsConfig.RetrySettings(
                    14, Duration.ofMillis(15), Duration.ofMillis(16), 1.5),
                new ModelsConfig.HashingSettings(17),
                new ModelsConfig.TokenizerSettings(
                    List.of("a"), List.of("b"), List.of("c"), List.of("d")),
                new ModelsConfig.ChatSettings(
                    Optional.of("ollama"),
                    URI.create("https://chat.test"),
                    "large",
                    Optional.of("CHAT_KEY"),
                    18,
                    new ModelsConfig.ExtractionSettings(true, 19, DataSize.parse("20KiB")),
                    new ModelsConfig.ContradictionCheckSettings(true, 21))));
  }

  @Test
  @DisplayName("LLM-06: a provider that does not exist is PROVIDER_NOT_SUPPORTED, with its place")
  void refusesUnknownProviders() {
    assertRefused("\"openai\"", "\"oracle\"", KernelErrorCode.PROVIDER_NOT_SUPPORTED, "oracle");
    assertRefused("\"ollama\"", "\"parrot\"", KernelErrorCode.PROVIDER_NOT_SUPPORTED, "parrot");
  }

  @ParameterizedTest
  @DisplayName("CFG-06: numbers of retrying outside their ranges are refused")
  @CsvSource({
    "max-retries = 14, max-retries = -1",
    "backoff-multiplier = 1.5, backoff-multiplier = 1.0",
    "initial-backoff = \"15ms\", initial-backoff = \"0s\""
  })
  void refusesBadRetries(String good, String bad) {
    assertRefused(good, bad, KernelErrorCode.INVALID_SETTING, good.substring(0, good.indexOf(' ')));
  }

  @Test
  @DisplayName("CFG-06: a longest pause under the first one is INCOMPATIBLE_OPTIONS")
  void refusesCrossedPauses() {
    assertRefused(
        "\"16ms\"", "\"14ms\"", KernelErrorCode.INCOMPATIBLE_OPTIONS, "models.retry.max-backoff");
  }

  @ParameterizedTest
  @DisplayName("CFG-07: a provider needs a name, and vectors have 1 to 16384 elements")
  @CsvSource({
    "provider = \"openai\", provider = \"\", PROVIDER_NOT_SUPPORTED",
    "model = \"small\", model = \" \", INVALID_SETTING",
    "dimensions = 7, dimensions = 0, INVALID_SETTING",
    "dimensions = 7, dimensions = 16385, INVALID_SETTING"
  })
  void refusesNamelessAndOversized(String good, String bad, KernelErrorCode code) {
    assertRefused(good, bad, code, good.substring(0, good.indexOf(' ')));
  }

  @ParameterizedTest
  @DisplayName("CFG-11: limits of models are checked as strictly as any: counts above 0")
  @CsvSource({
    "threads = 3, threads = 0",
    "queue-limit = 4, queue-limit = 0",
    "parts-limit = 6, parts-limit = 0",
    "batch-texts = 8, batch-texts = 0",
    "concurrency = 10, concurrency = 0",
    "dimensions = 17, dimensions = 0"
  })
  void refusesCountsOfNothing(String good, String bad) {
    assertRefused(good, bad, KernelErrorCode.INVALID_SETTING, good.substring(0, good.indexOf(' ')));
  }

  @ParameterizedTest
  @DisplayName("LLM-05: an address with a user or a query is refused, and not repeated")
  @CsvSource({
    "https://me:secret-key@models.test/v1",
    "https://models.test/v1?key=secret-key",
    "ftp://models.test/secret-key",
    "secret-key"
  })
  void refusesAddressesThatMayHoldKeys(String address) {
    Settings settings = settings(OTHER_VALUES.replace("https://models.test/v1", address));
    ModelsConfig.from(settings);
    assertThatThrownBy(settings::verify)
        .hasMessageContaining("models.http.endpoint")
        .hasMessageNotContaining("secret-key");
  }

  @Test
  @DisplayName("LLM-07: the pause after failure n is initial times multiplier to the n, capped")
  void computesPauses() {
    var retrySettings =
        new ModelsConfig.RetrySettings(9, Duration.ofMillis(100), Duration.ofSeconds(1), 3);
    assertThat(
            List.of(
                retrySettings.delay(0),
                retrySettings.delay(1),
                retrySettings.delay(2),
                retrySettings.delay(3)))
        .containsExactly(
            Duration.ofMillis(100),
            Duration.ofMillis(300),
            Duration.ofMillis(900),
            Duration.ofSeconds(1));
    assertThat(retrySettings.delay(100_000)).isEqualTo(Duration.ofSeconds(1));
  }

  private static void assertRefused(String good, String bad, ErrorCode code, String said) {
    Settings settings = settings(OTHER_VALUES.replace(good, bad));
    ModelsConfig.from(settings);
    assertThatThrownBy(settings::verify)
        .isInstanceOfSatisfying(CaliberException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContaining(said)
        .hasMessageContaining("caliber.toml:");
  }

  private static Settings settings(String text) {
    return Settings.parse("caliber.toml", text);
  }
}
