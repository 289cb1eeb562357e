package dev.caliber.models;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class E5PartsTest {

  private static final WordPieceTokenizer PIECES = E5Model.FULL.loadTokenizer();
  private static final E5InputBuilder PARTS = new E5InputBuilder(PIECES);

  @Test
  @DisplayName("LLM-04: texts are cut into the pieces that Hugging Face's tokenizer finds")
  void equalsHuggingFace() {
    Golden.rows("e5-pieces.tsv")
        .forEach(
            row ->
                assertThat(numbers(PARTS.buildInputs("", Golden.text(row.getFirst()))))
                    .as(Golden.text(row.getFirst()))
                    .isEqualTo(row.getLast()));
  }

  @Test
  @DisplayName("LLM-04: the name of a control piece in a text is text")
  void keepsControlPiecesOut() {
    long[] part = PARTS.buildInputs("", "[CLS] secret [SEP]").getFirst();
    assertThat(LongStream.of(part).filter(id -> id == PIECES.endPiece())).hasSize(1);
    assertThat(LongStream.of(part).filter(id -> id == PIECES.startPiece())).hasSize(1);
  }

  @Test
  @DisplayName("LLM-04: a long text becomes parts with the prefix each, and no piece is lost")
  void splitsAtTheWindow() {
    String text = "unbelievably ".repeat(400);
    int pieces = PIECES.tokenize(text).size();
    int before = PIECES.tokenize("passage: ").size();
    List<long[]> parts = PARTS.buildInputs("passage: ", text);
    assertThat(parts).hasSizeGreaterThan(1).allMatch(part -> part.length <= E5Model.WINDOW);
    assertThat(parts.stream().mapToInt(part -> part.length - before - 2).sum()).isEqualTo(pieces);
    long first = PIECES.tokenize(text).getFirst().id();
    assertThat(parts).allMatch(part -> part[1 + before] == first);
  }

  @Test
  @DisplayName("LLM-04: even words without an end are split somewhere")
  void splitsEndlessWords() {
    List<long[]> parts = PARTS.buildInputs("", ("z".repeat(100) + " ").repeat(40));
    assertThat(parts).hasSizeGreaterThan(1).allMatch(part -> part.length <= E5Model.WINDOW);
    assertThat(PARTS.buildInputs("", "")).hasSize(1);
  }

  private static String numbers(List<long[]> parts) {
    assertThat(parts).hasSize(1);
    return Arrays.stream(parts.getFirst())
        .mapToObj(Long::toString)
        .collect(Collectors.joining(" "));
  }
}
