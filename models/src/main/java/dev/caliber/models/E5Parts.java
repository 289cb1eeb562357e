package dev.caliber.models;

import dev.caliber.models.WordPieces.Piece;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Lays a text out as the model reads it: start, prefix, text, end. A text that is longer than the
 * model's window becomes several parts, each with the prefix, none beginning within a word unless
 * the word alone fills a part.
 */
final class E5Parts {

  private final WordPieces tokenizer;

  E5Parts(WordPieces tokenizer) {
    this.tokenizer = tokenizer;
  }

  List<long[]> of(String prefix, String text) {
    List<Piece> before = tokenizer.pieces(prefix);
    List<Piece> pieces = tokenizer.pieces(text);
    int room = E5.WINDOW - before.size() - 2;
    var parts = new ArrayList<long[]>();
    int from = 0;
    do {
      int to = end(pieces, from, room);
      parts.add(part(before, pieces.subList(from, to)));
      from = to;
    } while (from < pieces.size());
    return parts;
  }

  private static int end(List<Piece> pieces, int from, int room) {
    int most = Math.min(pieces.size(), from + room);
    int to = most;
    while (to > from && to < pieces.size() && pieces.get(to).continued()) {
      to--;
    }
    return to == from ? most : to;
  }

  private long[] part(List<Piece> before, List<Piece> pieces) {
    return LongStream.concat(
            LongStream.concat(LongStream.of(tokenizer.start()), ids(before)),
            LongStream.concat(ids(pieces), LongStream.of(tokenizer.end())))
        .toArray();
  }

  private static LongStream ids(List<Piece> pieces) {
    return pieces.stream().mapToLong(Piece::id);
  }
}
