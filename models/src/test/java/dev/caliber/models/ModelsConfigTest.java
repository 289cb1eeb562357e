package dev.caliber.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.KernelErrorCode;
import dev.caliber.kernel.settings.Settings;
import dev.caliber.kernel.settings.StarterSettings;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ModelsConfigTest {

  @Test
  @DisplayName("LLM-06: a provider that does not exist is PROVIDER_NOT_SUPPORTED, with its place")
  void refusesUnknownProviders() {
    assertRefused(
        "models.provider = 'oracle'", KernelErrorCode.PROVIDER_NOT_SUPPORTED, "found 'oracle'");
    assertRefused(
        "models.chat.provider = 'parrot'",
        KernelErrorCode.PROVIDER_NOT_SUPPORTED,
        "one of none, openai, ollama, found 'parrot'");
  }

  @ParameterizedTest
  @DisplayName("CFG-06: numbers of retrying outside their ranges are refused")
  @ValueSource(
      strings = {
        "models.retry.max-retries = -1",
        "models.retry.backoff-multiplier = 1.0",
        "models.retry.initial-backoff = '0s'"
      })
  void refusesBadRetries(String line) {
    assertRefused(line, KernelErrorCode.INVALID_SETTING, key(line));
  }

  @Test
  @DisplayName("CFG-06: a longest pause under the first one is INCOMPATIBLE_OPTIONS")
  void refusesCrossedPauses() {
    assertRefused(
        "models.retry.max-backoff = '14ms'",
        KernelErrorCode.INCOMPATIBLE_OPTIONS,
        "models.retry.max-backoff");
  }

  @ParameterizedTest
  @DisplayName("CFG-07: a provider needs a name, and vectors have 1 to 16384 elements")
  @CsvSource({
    "models.provider = \"\", PROVIDER_NOT_SUPPORTED",
    "models.http.model = \" \", INVALID_SETTING",
    "models.http.dimensions = 0, INVALID_SETTING",
    "models.http.dimensions = 16385, INVALID_SETTING"
  })
  void refusesNamelessAndOversized(String line, KernelErrorCode code) {
    assertRefused(line, code, key(line));
  }

  @ParameterizedTest
  @DisplayName("CFG-11: limits of models are checked as strictly as any: counts above 0")
  @ValueSource(
      strings = {
        "models.in-process.threads = 0",
        "models.in-process.queue-limit = 0",
        "models.in-process.parts-limit = 0",
        "models.http.limits.batch-texts = 0",
        "models.http.limits.concurrency = 0",
        "models.hash.dimensions = 0"
      })
  void refusesCountsOfNothing(String line) {
    assertRefused(line, KernelErrorCode.INVALID_SETTING, key(line));
  }

  @ParameterizedTest
  @DisplayName("LLM-05: an address with a user or a query is refused, and not repeated")
  @ValueSource(
      strings = {
        "https://me:secret-key@models.test/v1",
        "https://models.test/v1?key=secret-key",
        "ftp://models.test/secret-key",
        "secret-key",
        "http:// secret-key"
      })
  void refusesAddressesThatMayHoldKeys(String address) {
    for (String table : List.of("models.http", "models.chat")) {
      Settings settings = settings("%s.endpoint = '%s'".formatted(table, address));
      assertThatThrownBy(settings::verify)
          .hasMessageContaining(table + ".endpoint")
          .hasMessageNotContaining("secret-key");
    }
  }

  @Test
  void hostsAreComparedInLowerCase() {
    ModelsConfig config = ModelsConfig.starter().with("models.egress.hosts = ['Models.test']");
    assertThat(config.egress().hosts()).containsExactly("models.test");
    assertThat(config.egress().section()).isEqualTo("models.egress");
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

  private static String key(String line) {
    return line.substring(0, line.indexOf(' '));
  }

  private static void assertRefused(String line, ErrorCode code, String said) {
    assertThatThrownBy(settings(line)::verify)
        .isInstanceOfSatisfying(CaliberException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContaining(said)
        .hasMessageContaining("caliber.toml:1:1: ");
  }

  private static Settings settings(String text) {
    Settings settings =
        Settings.ofStarter(StarterSettings.text(ModelsConfig.class)).withFile("caliber.toml", text);
    settings.read("models", ModelsConfig.class);
    return settings;
  }
}
