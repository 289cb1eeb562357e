package dev.caliber.models;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.ErrorFamily;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class ModelsExceptionTest {
  @Test
  @DisplayName("ERR-03: each failure of a model has its code, and names its subject")
  void codesAndFields() {
    says(
        ModelsException.notConfigured("recall"), ModelsErrorCode.PROVIDER_NOT_CONFIGURED, Map.of());
    says(
        ModelsException.requestFailed("openai", 503, Optional.empty()),
        ModelsErrorCode.REQUEST_FAILED,
        Map.of("provider", "openai", "status", "503"));
    says(
        ModelsException.requestFailed("openai", "no route"),
        ModelsErrorCode.REQUEST_FAILED,
        Map.of("provider", "openai", "message", "no route"));
    says(
        ModelsException.requestRefused("openai", 400, ": bad model"),
        ModelsErrorCode.REQUEST_REJECTED,
        Map.of("provider", "openai", "status", "400"));
    says(
        ModelsException.rateLimited("openai", Optional.of(Duration.ofSeconds(2))),
        ModelsErrorCode.RATE_LIMITED,
        Map.of("provider", "openai", "retry_after_ms", "2000"));
    says(
        ModelsException.rateLimited("openai", Optional.empty()),
        ModelsErrorCode.RATE_LIMITED,
        Map.of("provider", "openai"));
    says(
        ModelsException.invalidResponse("openai", "no JSON"),
        ModelsErrorCode.INVALID_RESPONSE,
        Map.of("provider", "openai", "reason", "no JSON"));
    says(
        ModelsException.embeddingFailed("e5", new IllegalStateException("out of memory")),
        ModelsErrorCode.EMBEDDING_FAILED,
        Map.of("reason", "out of memory"));
  }

  private static void says(
      ModelsException failure, ModelsErrorCode code, Map<String, String> fields) {
    assertThat(failure.code()).isEqualTo(code);
    assertThat(code.family()).isEqualTo(ErrorFamily.LLM);
    assertThat(failure.fields()).isEqualTo(fields);
    fields.values().stream()
        .filter(value -> !value.equals("2000"))
        .forEach(value -> assertThat(failure.message()).contains(value));
  }
}
