package dev.caliber.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.RandomSource;
import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.TestEngines;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sources of the key for webhook secrets, and its protection. */
class SecretKeysTest {
  private static final String VARIABLE = "CALIBER_WEBHOOK_KEY";
  private static final Id ONE = Id.derivedFrom("webhook", "one");
  private static final Id OTHER = Id.derivedFrom("webhook", "other");

  @TempDir Path directory;

  private static WebhookKeyProvider keys(
      StoreConfig.EngineSettings engine, Map<String, String> environment) {
    return WebhookKeyProvider.of(VARIABLE, environment, engine, RandomSource.seeded(1));
  }

  private static WebhookSecretCipher box(WebhookKeyProvider keys) {
    return new WebhookSecretCipher(keys, RandomSource.seeded(2));
  }

  private static String key(int fill) {
    byte[] bytes = new byte[32];
    Arrays.fill(bytes, (byte) fill);
    return Base64.getEncoder().encodeToString(bytes);
  }

  @Test
  @DisplayName("processes on PostgreSQL need a key in the environment, or refuse")
  void postgresNeedsTheVariable() {
    StoreConfig.EngineSettings elsewhere =
        new StoreConfig.PostgresSettings(
            "jdbc:postgresql://db.example/caliber",
            Optional.empty(),
            Optional.empty(),
            "caliber",
            1,
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            Duration.ofSeconds(1));
    WebhookSecretCipher without = box(keys(elsewhere, Map.of()));
    assertThat(without.canEncrypt()).isFalse();
    assertThatThrownBy(() -> without.encrypt(ONE, "whsec_x"))
        .isInstanceOf(WebhookException.class)
        .hasMessageContaining(VARIABLE);
    WebhookSecretCipher with = box(keys(elsewhere, Map.of(VARIABLE, key(7))));
    assertThat(with.decrypt(ONE, with.encrypt(ONE, "whsec_x"))).isEqualTo("whsec_x");
  }

  @Test
  @DisplayName("a variable without a valid key is refused at the start, and not quoted")
  void refusesWhatIsNoKey() {
    assertThatThrownBy(
            () -> keys(TestEngines.sqlite(directory), Map.of(VARIABLE, "c2hvcnQtc2VjcmV0")))
        .isInstanceOf(WebhookException.class)
        .hasMessageContaining("not base64 of 32 bytes")
        .hasMessageNotContaining("c2hvcnQ");
  }

  @Test
  @DisplayName("a secret opens with its key and for its webhook only, and never looks the same")
  void opensForItsWebhookOnly() {
    WebhookSecretCipher box = box(keys(TestEngines.sqlite(directory), Map.of(VARIABLE, key(1))));
    String sealed = box.encrypt(ONE, "whsec_x");
    assertThat(WebhookSecretCipher.isEncrypted(sealed)).isTrue();
    assertThat(box.encrypt(ONE, "whsec_x")).isNotEqualTo(sealed);
    assertThatThrownBy(() -> box.decrypt(OTHER, sealed)).isInstanceOf(WebhookException.class);
    WebhookSecretCipher another =
        box(keys(TestEngines.sqlite(directory), Map.of(VARIABLE, key(2))));
    assertThatThrownBy(() -> another.decrypt(ONE, sealed))
        .isInstanceOf(WebhookException.class)
        .hasMessageContaining("this server does not have");
  }
}
