package dev.caliber.store.search.embed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.store.search.SearchConfig;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ChunkerTest {

  private final Chunker chunker = new Chunker(new SearchConfig.ChunkSettings(42, 20, 10));

  @Test
  void aShortTextIsOnePieceAndAnEmptyOneNone() {
    assertThat(chunker.chunks("Short.")).containsExactly("Short.");
    assertThat(chunker.chunks("")).isEmpty();
  }

  @Test
  void piecesEndWithSentencesAndOverlap() {
    List<String> pieces =
        chunker.chunks("One is here. Two is there. Three is far. Four is near. Five ends.");
    assertThat(pieces)
        .containsExactly(
            "One is here. Two is there. Three is far.", "Three is far. Four is near. Five ends.");
  }

  @Test
  void aSentenceThatIsTooLongIsCutAndNothingIsLost() {
    String text = "x".repeat(100);
    List<String> pieces = new Chunker(new SearchConfig.ChunkSettings(40, 0, 10)).chunks(text);
    assertThat(pieces).allMatch(piece -> piece.length() <= 40);
    assertThat(String.join("", pieces)).isEqualTo(text);
  }

  @Test
  void noCharacterIsCutInTwo() {
    String text = "😀".repeat(50);
    List<String> pieces = new Chunker(new SearchConfig.ChunkSettings(17, 0, 10)).chunks(text);
    assertThat(String.join("", pieces)).isEqualTo(text);
    assertThat(pieces).allMatch(piece -> !Character.isLowSurrogate(piece.charAt(0)));
  }

  @Test
  void whatComesMuchLaterChangesNoPiece() {
    String beginning = "One is here. Two is there. Three is far. Four is near. Five ends. ";
    List<String> pieces = chunker.chunks(beginning + "Y".repeat(100_000));
    assertThat(pieces)
        .startsWith(
            "One is here. Two is there. Three is far.", "Three is far. Four is near. Five ends.")
        .hasSize(10);
  }

  @Test
  void thereAreNoMorePiecesThanTheLimit() {
    assertThat(chunker.chunks("A word. ".repeat(500))).hasSize(10);
  }
}
