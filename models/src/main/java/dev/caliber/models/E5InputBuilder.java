package dev.caliber.models;

import dev.caliber.models.WordPieceTokenizer.WordPiece;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Builder of the model's input: start, prefix, text, end. A text that is longer than the model's
 * window becomes several parts, each with the prefix, none beginning within a word unless the word
 * alone fills a part.
 */
final class E5InputBuilder {

  private final WordPieceTokenizer tokenizer;

  E5InputBuilder(WordPieceTokenizer tokenizer) {
    this.tokenizer = tokenizer;
  }

  List<long[]> buildInputs(String prefix, String text) {
    List<WordPiece> before = tokenizer.tokenize(prefix);
    List<WordPiece> pieces = tokenizer.tokenize(text);
    int room = E5Model.WINDOW - before.size() - 2;
    var parts = new ArrayList<long[]>();
    int from = 0;
    do {
      int to = partEnd(pieces, from, room);
      parts.add(buildPart(before, pieces.subList(from, to)));
      from = to;
    } while (from < pieces.size());
    return parts;
  }

  private static int partEnd(List<WordPiece> pieces, int from, int room) {
    int most = Math.min(pieces.size(), from + room);
    int to = most;
    while (to > from && to < pieces.size() && pieces.get(to).continued()) {
      to--;
    }
    return to == from ? most : to;
  }

  private long[] buildPart(List<WordPiece> before, List<WordPiece> pieces) {
    return LongStream.concat(
            LongStream.concat(LongStream.of(tokenizer.startPiece()), ids(before)),
            LongStream.concat(ids(pieces), LongStream.of(tokenizer.endPiece())))
        .toArray();
  }

  private static LongStream ids(List<WordPiece> pieces) {
    return pieces.stream().mapToLong(WordPiece::id);
  }
}
