package dev.caliber.lang;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests every case in resources/prompts. With {@code -Dgolden.write=true} the expected files are
 * written instead of compared; review the difference.
 */
class PackPromptGoldenTest {
  static List<PromptCase> cases() {
    return PromptCase.all();
  }

  @ParameterizedTest
  @MethodSource("cases")
  @DisplayName(
      "PACK-33: a prompt gives exactly its sections or its diagnostics, in order and position")
  void saysExactlyThat(PromptCase golden) throws IOException {
    String found = golden.described();
    if (Boolean.getBoolean("golden.write")) {
      Files.writeString(golden.expectedFile(), found);
    }
    assertThat(found).isEqualTo(golden.expected());
    assertThat(golden.diagnostics().size() == 0).isEqualTo(golden.isValid());
  }

  @Test
  @DisplayName("PACK-33: there are at least 60 cases")
  void thereAreEnough() {
    assertThat(cases()).hasSizeGreaterThanOrEqualTo(60);
  }
}
