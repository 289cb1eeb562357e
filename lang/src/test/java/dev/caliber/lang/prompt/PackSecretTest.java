package dev.caliber.lang.prompt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.SecretScanner;
import dev.caliber.lang.diagnostic.SourceSpanLocator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PackSecretTest {
  private static final String RANDOM = "q8Zr4Lw1Vt6Xn3Bd9Kf2Hy7";

  /* Put together here, so that no tool takes this file for a leak. */
  static Stream<String> secrets() {
    return Stream.of(
        "sk-" + RANDOM,
        "sk-ant-api03-" + RANDOM,
        "ghp_" + RANDOM + RANDOM,
        "github_" + "pat_" + RANDOM,
        "glpat-" + RANDOM,
        "AKIA" + "QWERTYUIOPASDFGH",
        "AIza" + RANDOM + "abcdefghijkl",
        "xoxb-" + "123456789012-" + RANDOM,
        "sk_" + "live_" + RANDOM,
        "hf_" + RANDOM + RANDOM,
        "npm_" + RANDOM + RANDOM,
        "SG." + RANDOM + "." + RANDOM,
        "eyJhbGciOiJI" + ".eyJzdWIiOiIx." + RANDOM,
        "-----BEGIN " + "PRIVATE KEY-----",
        "-----BEGIN " + "OPENSSH PRIVATE KEY-----",
        "-----BEGIN " + "PGP PRIVATE KEY BLOCK-----",
        "postgres://me:" + "hunter2@localhost/db",
        "https://:" + "pw@example.org",
        "Authorization: Bearer " + RANDOM,
        "password=" + RANDOM,
        "\"api_key\": \"" + RANDOM + "\"",
        "client_secret => '" + RANDOM + "'",
        "AWS_SECRET_ACCESS_KEY=" + "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzz3kEy");
  }

  @ParameterizedTest(name = "{index}")
  @MethodSource("secrets")
  @DisplayName("PACK-21: secrets are found alone and inside text, and are never repeated")
  void secretsAreFound(String secret) {
    assertThat(SecretScanner.find(secret)).hasSize(1);
    String text = "Use this: (" + secret + "), and no other.";
    var diagnostics = new Diagnostics("f");
    assertThat(SecretScanner.report(text, new SourceSpanLocator(text), diagnostics)).isTrue();
    var found = SecretScanner.find(text).getFirst();
    assertThat(diagnostics.sorted()).hasSize(1);
    assertThat(diagnostics.sorted().getFirst().toLine())
        .doesNotContain(text.substring(found.from(), found.to()));
    assertThat(SecretScanner.quote(secret)).isEqualTo("'…'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "The password must have twelve characters.",
        "password: required-for-everyone",
        "token: approximately-12-words-or-so",
        "api_key = ${ENV:OPENAI_API_KEY_FOR_PRODUCTION_1}",
        "password=your-password-goes-here-1a2b3c",
        "password = xxxxxxxxxxxxxxxxxxxxxxxx",
        "secret: ************************",
        "postgres://me:${ENV:DB_PASSWORD}@localhost/db",
        "postgres://localhost:5432/db",
        "https://example.org:8080/a@b",
        "mailto:someone@example.org",
        "a task-oriented risk-averse-and-very-long-hyphenated-word",
        "sk-learn and sk-short",
        "-----BEGIN PUBLIC KEY-----",
        "-----BEGIN CERTIFICATE-----",
        "Bearer tokens are sent in a header",
        "commit 4f2a9c1e8b7d6a5f4e3d2c1b0a9f8e7d6c5b4a39",
        "id 123e4567-e89b-12d3-a456-426614174000",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ",
        "tokens = 8000, token_budget = 4096",
        "see https://example.org/secret?key=value"
      })
  @DisplayName("PACK-21: text that only resembles a secret is none")
  void proseIsNoSecret(String text) {
    assertThat(SecretScanner.find(text)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"password", "DB_PASSWORD", "api_key", "apikey", "client-secret", "auth.token"})
  @DisplayName("PACK-08: names of settings that hold secrets are known")
  void secretNames(String name) {
    assertThat(SecretScanner.isSecretName(name)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"token_budget", "secrets_mode", "passwords_allowed", "keyboard", "tokens"})
  @DisplayName("PACK-08: names that only contain such a word are none")
  void otherNames(String name) {
    assertThat(SecretScanner.isSecretName(name)).isFalse();
  }

  @Test
  @DisplayName("PACK-21: of two findings at one position, one is reported")
  void oneFindingPerPlace() {
    assertThat(SecretScanner.find("password=sk-" + RANDOM)).hasSize(1);
    assertThat(SecretScanner.find("sk-" + RANDOM + " ghp_" + RANDOM + RANDOM)).hasSize(2);
  }
}
