package dev.caliber.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.Chance;
import dev.caliber.kernel.Id;
import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.Engines;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the key for secrets of webhooks comes from, and what it protects. */
class SecretKeysTest {
  private static final String VARIABLE = "CALIBER_WEBHOOK_KEY";
  private static final Id ONE = Id.deterministic("webhook", "one");
  private static final Id OTHER = Id.deterministic("webhook", "other");

  @TempDir Path directory;

  private static SecretKeys keys(StoreConfig.EngineConfig engine, Map<String, String> environment) {
    return SecretKeys.of(VARIABLE, environment, engine, Chance.seeded(1));
  }

  private static SecretBox box(SecretKeys keys) {
    return new SecretBox(keys, Chance.seeded(2));
  }

  private static String key(int fill) {
    byte[] bytes = new byte[32];
    Arrays.fill(bytes, (byte) fill);
    return Base64.getEncoder().encodeToString(bytes);
  }

  @Test
  @DisplayName("processes on PostgreSQL have no place for a key: they are given one, or refuse")
  void postgresNeedsTheVariable() {
    StoreConfig.EngineConfig elsewhere =
        new StoreConfig.Postgres(
            "jdbc:postgresql://db.example/caliber",
            Optional.empty(),
            Optional.empty(),
            "caliber",
            1,
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            Duration.ofSeconds(1));
    SecretBox without = box(keys(elsewhere, Map.of()));
    assertThat(without.canSeal()).isFalse();
    assertThatThrownBy(() -> without.seal(ONE, "whsec_x"))
        .isInstanceOf(WebhookException.class)
        .hasMessageContaining(VARIABLE);
    SecretBox with = box(keys(elsewhere, Map.of(VARIABLE, key(7))));
    assertThat(with.open(ONE, with.seal(ONE, "whsec_x"))).isEqualTo("whsec_x");
  }

  @Test
  @DisplayName("a variable that holds no key is refused at the start, without what it holds")
  void refusesWhatIsNoKey() {
    assertThatThrownBy(() -> keys(Engines.sqlite(directory), Map.of(VARIABLE, "c2hvcnQtc2VjcmV0")))
        .isInstanceOf(WebhookException.class)
        .hasMessageContaining("not base64 of 32 bytes")
        .hasMessageNotContaining("c2hvcnQ");
  }

  @Test
  @DisplayName("a secret opens with its key and for its webhook only, and never looks the same")
  void opensForItsWebhookOnly() {
    SecretBox box = box(keys(Engines.sqlite(directory), Map.of(VARIABLE, key(1))));
    String sealed = box.seal(ONE, "whsec_x");
    assertThat(SecretBox.isSealed(sealed)).isTrue();
    assertThat(box.seal(ONE, "whsec_x")).isNotEqualTo(sealed);
    assertThatThrownBy(() -> box.open(OTHER, sealed)).isInstanceOf(WebhookException.class);
    SecretBox another = box(keys(Engines.sqlite(directory), Map.of(VARIABLE, key(2))));
    assertThatThrownBy(() -> another.open(ONE, sealed))
        .isInstanceOf(WebhookException.class)
        .hasMessageContaining("this server does not have");
  }
}
