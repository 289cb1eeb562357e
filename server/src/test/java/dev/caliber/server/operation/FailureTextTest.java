package dev.caliber.server.operation;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class FailureTextTest {
  @Test
  @DisplayName("a failure is one bounded line with its causes, without quotes, passwords or keys")
  void oneLine() {
    String line =
        FailureText.describe(
            new IllegalStateException(
                "first \u001b[31m line\nsecond with the note",
                new SQLException(
                    "value \"my note\" at jdbc:postgresql://h/d?user=u&password=pw1 cal_01ABC_x",
                    "22021")));
    assertThat(line)
        .startsWith("java.lang.IllegalStateException: first")
        .contains("caused by java.sql.SQLException", "(state 22021)", "FailureTextTest.oneLine")
        .doesNotContain("\n", "\u001b", "second", "my note", "pw1", "01ABC")
        .hasSizeLessThan(4000);
    assertThat(FailureText.describe(new RuntimeException("x".repeat(100_000))))
        .hasSizeLessThan(2000);
  }
}
