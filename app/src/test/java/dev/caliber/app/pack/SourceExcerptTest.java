package dev.caliber.app.pack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.lang.diagnostic.Span;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that markers stand under the characters of their diagnostic. */
class SourceExcerptTest {
  private static SourceExcerpt excerpt(String line, int column, int endColumn) {
    return SourceExcerpt.of(List.of(line), new Span(1, column, 1, endColumn));
  }

  @Test
  void plainColumnsAreColumns() {
    assertThat(excerpt("memory x {", 8, 9)).isEqualTo(new SourceExcerpt("memory x {", 7, 1));
  }

  @Test
  void tabsGoToTheNextStop() {
    assertThat(excerpt("\ta\tbc", 2, 3)).isEqualTo(new SourceExcerpt("    a   bc", 4, 1));
    assertThat(excerpt("\ta\tbc", 4, 6)).isEqualTo(new SourceExcerpt("    a   bc", 8, 2));
  }

  @Test
  void wideCharactersTakeTwoColumnsAndMarksTakeNone() {
    assertThat(excerpt("\"漢字\" x", 6, 7)).isEqualTo(new SourceExcerpt("\"漢字\" x", 7, 1));
    assertThat(excerpt("漢字", 1, 3).markerWidth()).isEqualTo(4);
    assertThat(excerpt("e\u0301 x", 4, 5).markerOffset()).isEqualTo(2);
    assertThat(excerpt("\uD83D\uDE00 x", 3, 4).markerOffset()).isEqualTo(3);
  }

  @Test
  void aPlaceWithoutLengthHasOneMark() {
    assertThat(excerpt("abc", 4, 4)).isEqualTo(new SourceExcerpt("abc", 3, 1));
    assertThat(SourceExcerpt.of(List.of(), new Span(1, 1, 1, 1)))
        .isEqualTo(new SourceExcerpt("", 0, 1));
  }

  @Test
  void aPlaceOfSeveralLinesIsMarkedToTheEndOfTheFirst() {
    assertThat(SourceExcerpt.of(List.of("abc {", "}"), new Span(1, 5, 2, 2)))
        .isEqualTo(new SourceExcerpt("abc {", 4, 1));
    assertThat(SourceExcerpt.of(List.of("abc {", "}"), new Span(1, 1, 2, 2)).markerWidth())
        .isEqualTo(5);
  }

  @Test
  void ofALongLineThePartAroundThePlaceIsShown() {
    var shown = excerpt("x".repeat(500) + "HERE" + "y".repeat(500), 501, 505);
    assertThat(shown.line()).startsWith("…x").endsWith("y…").hasSizeLessThan(130);
    assertThat(
            shown
                .line()
                .substring(shown.markerOffset(), shown.markerOffset() + shown.markerWidth()))
        .isEqualTo("HERE");
  }

  @Test
  void nothingThatATerminalWouldObeyIsPrinted() {
    assertThat(excerpt("a\u001b[2Jb", 6, 7).line()).isEqualTo("a\uFFFD[2Jb");
  }
}
