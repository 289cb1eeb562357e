package dev.caliber.models;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class E5PartsTest {

  private static final WordPieces PIECES = E5.FULL.pieces();
  private static final E5Parts PARTS = new E5Parts(PIECES);

  @Test
  @DisplayName("LLM-04: texts are cut into the pieces that Hugging Face's tokenizer finds")
  void equalsHuggingFace() {
    Golden.rows("e5-pieces.tsv")
        .forEach(
            row ->
                assertThat(numbers(PARTS.of("", Golden.text(row.getFirst()))))
                    .as(Golden.text(row.getFirst()))
                    .isEqualTo(row.getLast()));
  }

  @Test
  @DisplayName("LLM-04: the name of a control piece in a text is text")
  void keepsControlPiecesOut() {
    long[] part = PARTS.of("", "[CLS] secret [SEP]").getFirst();
    assertThat(LongStream.of(part).filter(id -> id == PIECES.end())).hasSize(1);
    assertThat(LongStream.of(part).filter(id -> id == PIECES.start())).hasSize(1);
  }

  @Test
  @DisplayName("LLM-04: a long text becomes parts with the prefix each, and no piece is lost")
  void splitsAtTheWindow() {
    String text = "unbelievably ".repeat(400);
    int pieces = PIECES.pieces(text).size();
    int before = PIECES.pieces("passage: ").size();
    List<long[]> parts = PARTS.of("passage: ", text);
    assertThat(parts).hasSizeGreaterThan(1).allMatch(part -> part.length <= E5.WINDOW);
    assertThat(parts.stream().mapToInt(part -> part.length - before - 2).sum()).isEqualTo(pieces);
    long first = PIECES.pieces(text).getFirst().id();
    assertThat(parts).allMatch(part -> part[1 + before] == first);
  }

  @Test
  @DisplayName("LLM-04: even words without an end are split somewhere")
  void splitsEndlessWords() {
    List<long[]> parts = PARTS.of("", ("z".repeat(100) + " ").repeat(40));
    assertThat(parts).hasSizeGreaterThan(1).allMatch(part -> part.length <= E5.WINDOW);
    assertThat(PARTS.of("", "")).hasSize(1);
  }

  private static String numbers(List<long[]> parts) {
    assertThat(parts).hasSize(1);
    return Arrays.stream(parts.getFirst())
        .mapToObj(Long::toString)
        .collect(Collectors.joining(" "));
  }
}
