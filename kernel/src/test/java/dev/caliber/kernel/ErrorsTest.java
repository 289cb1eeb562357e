package dev.caliber.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ErrorsTest {
  private enum Light {
    RED
  }

  @Test
  @DisplayName("ERR-01: the six families have their codes")
  void familiesHaveTheirCodes() {
    assertThat(Stream.of(ErrorFamily.values()).map(ErrorFamily::code))
        .containsExactly(
            "CALIBER_STORAGE",
            "CALIBER_LLM",
            "CALIBER_VALIDATION",
            "CALIBER_CONFIG",
            "CALIBER_VECTOR",
            "CALIBER_AGENT");
  }

  @Test
  @DisplayName("ERR-01: a report is the code, a colon and the message")
  void reportIsCodeAndMessage() {
    var error = KernelException.requiredFieldMissing("title");
    assertThat(error.code().text()).isEqualTo("CALIBER_VALIDATION_REQUIRED_FIELD_MISSING");
    assertThat(error.toLine())
        .isEqualTo(
            "CALIBER_VALIDATION_REQUIRED_FIELD_MISSING: title: expected a value, found none");
    assertThat(error).hasMessage(error.message());
    assertThat(error.advice()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("ERR-01: every code begins with its family's")
  void everyCodeBeginsWithItsFamily(KernelErrorCode code) {
    assertThat(code.text()).isEqualTo(code.family().code() + "_" + code.name());
  }

  @Test
  void onlyWhatIsAwayForNowIsWorthSendingAgain() {
    assertThat(Stream.of(ErrorKind.values()).filter(ErrorKind::isRetryable))
        .containsExactly(ErrorKind.UNAVAILABLE);
  }

  @Test
  @DisplayName("ERR-08: each factory makes a typed error that names its fields")
  void factoriesNameTheirFields() {
    assertThat(
            Stream.of(
                    KernelException.invalidValue("age", "is in the future"),
                    KernelException.invalidValue("age", "a number", "old"),
                    KernelException.requiredFieldMissing("age"),
                    KernelException.invalidStateTransition("run", Light.RED, Light.RED, List.of()),
                    KernelException.limitExceeded("notes", 3, 4),
                    KernelException.invalidVector("empty"),
                    KernelException.dimensionMismatch(3, 4),
                    KernelException.missingRequired("a.toml:1:2", "store.path"),
                    KernelException.invalidSetting("a.toml:1:2", "store.path", "text", "1"))
                .map(CaliberException::toLine))
        .containsExactly(
            "CALIBER_VALIDATION_INVALID_VALUE: age: is in the future",
            "CALIBER_VALIDATION_INVALID_VALUE: age: expected a number, found 'old'",
            "CALIBER_VALIDATION_REQUIRED_FIELD_MISSING: age: expected a value, found none",
            "CALIBER_VALIDATION_INVALID_STATE_TRANSITION: run in state RED: expected no event (the state is"
                + " final), found RED",
            "CALIBER_VALIDATION_LIMIT_EXCEEDED: notes: expected at most 3, found 4",
            "CALIBER_VECTOR_INVALID_VECTOR: empty",
            "CALIBER_VECTOR_DIMENSION_MISMATCH: The vector has the wrong length: expected 3 dimensions, found 4",
            "CALIBER_CONFIG_MISSING_REQUIRED: a.toml:1:2: the setting store.path is missing",
            "CALIBER_CONFIG_INVALID_SETTING: a.toml:1:2: store.path: expected text, found '1'");
  }

  @Test
  void aMissingSettingComesWithAdvice() {
    assertThat(KernelException.missingRequired("a.toml:1:1", "k").advice()).isPresent();
  }

  @Test
  void multipleErrorsListAndKeepEachError() {
    var one = KernelException.missingRequired("a.toml:1:1", "k");
    var two = KernelException.invalidSetting("a.toml:2:1", "l", "unknown setting");
    var all = KernelException.multipleErrors(List.of(one, two));
    assertThat(all.message()).isEqualTo("2 errors\n  " + one.toLine() + "\n  " + two.toLine());
    assertThat(all.getSuppressed()).containsExactly(one, two);
  }

  @Test
  void whatWasFoundIsShortenedAndCleaned() {
    var error = KernelException.invalidValue("name", "text", "a\nb\uD800" + "x".repeat(100));
    assertThat(error.message())
        .isEqualTo("name: expected text, found 'a\uFFFDb\uFFFD" + "x".repeat(96) + "…'");
  }

  @Test
  void aLimitReturnsWhatIsWithinAndRefusesTheRest() {
    var limit = new Limit("notes in a window", 3);
    assertThat(limit.requireWithin(3)).isEqualTo(3);
    assertThat(Refusals.refused(KernelErrorCode.LIMIT_EXCEEDED, () -> limit.requireWithin(4)))
        .hasMessage("notes in a window: expected at most 3, found 4");
    assertThat(limit.requireWithin("text", 3)).isEqualTo(3);
    assertThat(
            Refusals.refused(KernelErrorCode.LIMIT_EXCEEDED, () -> limit.requireWithin("text", 4)))
        .hasMessage("text: expected at most 3 (notes in a window), found 4");
    Refusals.refused(KernelErrorCode.INVALID_VALUE, () -> new Limit("notes", -1));
    Refusals.refused(KernelErrorCode.REQUIRED_FIELD_MISSING, () -> new Limit(" ", 1));
  }
}
