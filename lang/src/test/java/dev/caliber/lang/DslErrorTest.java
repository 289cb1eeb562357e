package dev.caliber.lang;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.KernelErrorCode;
import dev.caliber.lang.diagnostic.ConfigErrorCategory;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import java.util.Arrays;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DslErrorTest {
  private static CaliberException error(String body) {
    var result =
        Compiler.create(Catalogues.product())
            .compile("c.caliber", "caliber: \"0.1.0\" {\n" + body + "\n}");
    return ((CompileResult.CompileFailure) result).error();
  }

  @ParameterizedTest
  @DisplayName(
      "ERR-05: each category of a configuration error has its position, the problem and the"
          + " correction")
  @CsvSource(
      delimiter = '|',
      value = {
        "adapter x { type: sqlite } | MISSING_REQUIRED | c.caliber:2:9: adapter 'x' has no 'connection'; add",
        "policy p { on never: [notify(\"x\")] } | INVALID_SETTING | c.caliber:2:15: UNKNOWN_WORD: unknown trigger 'never'; known: task_start",
        "memory m { type: ephemeral schema: { a: text } retention: persistent } | INCOMPATIBLE_OPTIONS | c.caliber:2:59: memory 'm' is ephemeral and cannot be persistent; write",
        "adapter x { type: redis connection: \"c\" } | PROVIDER_NOT_SUPPORTED | c.caliber:2:19: provider 'redis' is not supported; supported: postgres, sqlite"
      })
  void eachForm(String body, KernelErrorCode code, String message) {
    var error = error(body);
    assertThat(error.code()).isEqualTo(code);
    assertThat(error.code().text()).startsWith("CALIBER_CONFIG_");
    assertThat(error.message()).startsWith(message);
  }

  @Test
  @DisplayName(
      "ERR-05: several errors are one error with all of them, in the order of the source; warnings are not")
  void severalErrors() {
    var error =
        error("adapter x { type: redis }\npolicy idle { }\npolicy p { on never: [notify(\"x\")] }");
    assertThat(error.code()).isEqualTo(KernelErrorCode.MULTIPLE_ERRORS);
    assertThat(error.getSuppressed())
        .extracting(suppressed -> ((CaliberException) suppressed).code())
        .containsExactly(
            KernelErrorCode.MISSING_REQUIRED,
            KernelErrorCode.PROVIDER_NOT_SUPPORTED,
            KernelErrorCode.INVALID_SETTING);
    assertThat(error.message()).startsWith("3 errors\n").doesNotContain("EMPTY_POLICY");
  }

  @Test
  @DisplayName("ERR-05: every form has a diagnostic")
  void everyFormIsUsed() {
    assertThat(Arrays.stream(DiagnosticCode.values()).map(DiagnosticCode::error))
        .contains(ConfigErrorCategory.values());
  }
}
