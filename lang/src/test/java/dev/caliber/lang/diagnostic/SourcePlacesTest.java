package dev.caliber.lang.diagnostic;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SourcePlacesTest {
  private static final String SOURCE = "ab\ncd\r\n\r🐎x🐎\n";

  @ParameterizedTest
  @DisplayName("DSL-15: an offset has a line and a column in code points, with any line end")
  @CsvSource({
    "0, 0, 1:1-1:1",
    "0, 2, 1:1-1:3",
    "3, 5, 2:1-2:3",
    "5, 6, 2:3-2:4",
    "7, 8, 3:1-4:1",
    "8, 10, 4:1-4:2",
    "10, 11, 4:2-4:3",
    "11, 13, 4:3-4:4",
    "13, 14, 4:4-5:1",
    "14, 14, 5:1-5:1"
  })
  void places(int from, int to, String span) {
    assertThat(new SourceSpanLocator(SOURCE).span(from, to)).hasToString(span);
  }

  @ParameterizedTest
  @DisplayName(
      "DSL-15: lines have their start offset; the line after the last starts at the end of the"
          + " text")
  @CsvSource({"0, 0", "1, 3", "2, 7", "3, 8", "4, 14", "5, 14", "99, 14"})
  void starts(int line, int start) {
    assertThat(new SourceSpanLocator(SOURCE).lineStart(line)).isEqualTo(start);
  }
}
