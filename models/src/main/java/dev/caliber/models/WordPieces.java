package dev.caliber.models;

import dev.caliber.kernel.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a text into the pieces that a BERT model has numbers for: in each word the longest piece
 * that the vocabulary holds, then the longest of the rest.
 *
 * <p>Names of control pieces such as {@code [SEP]} inside a text are text, so that no one can end a
 * passage from within.
 */
final class WordPieces {

  private static final String CONTINUED = "##";
  private static final int LONGEST_WORD = 100;

  /** The part of a tokenizer's file that is read. */
  record File(Model model) {}

  record Model(Map<String, Integer> vocab) {}

  /** One piece: its number, and whether it continues the word of the piece before it. */
  record Piece(int id, boolean continued) {}

  private final Map<String, Integer> vocabulary;
  private final int unknown;
  private final int start;
  private final int end;

  private WordPieces(Map<String, Integer> vocabulary) {
    this.vocabulary = vocabulary;
    this.unknown = id("[UNK]");
    this.start = id("[CLS]");
    this.end = id("[SEP]");
  }

  /** Reads Hugging Face's {@code tokenizer.json}. */
  static WordPieces parse(byte[] json) {
    return new WordPieces(Json.read(json, File.class).model().vocab());
  }

  /** The piece that stands before every text. */
  int start() {
    return start;
  }

  /** The piece that stands after every text. */
  int end() {
    return end;
  }

  List<Piece> pieces(String text) {
    var pieces = new ArrayList<Piece>();
    for (String word : BertWords.of(text)) {
      addWord(word, pieces);
    }
    return pieces;
  }

  private void addWord(String word, List<Piece> pieces) {
    int before = pieces.size();
    int from = 0;
    while (from < word.length()) {
      int to = tooLong(word) ? from : longest(word, from);
      if (to == from) {
        pieces.subList(before, pieces.size()).clear();
        pieces.add(new Piece(unknown, false));
        return;
      }
      pieces.add(new Piece(id(piece(word, from, to)), from > 0));
      from = to;
    }
  }

  private static boolean tooLong(String word) {
    return word.codePointCount(0, word.length()) > LONGEST_WORD;
  }

  /** Where the longest known piece from there ends; where it begins if there is none. */
  private int longest(String word, int from) {
    int to = word.length();
    while (to > from && find(piece(word, from, to)) == null) {
      to = word.offsetByCodePoints(to, -1);
    }
    return to;
  }

  private static String piece(String word, int from, int to) {
    String part = word.substring(from, to);
    return from == 0 ? part : CONTINUED + part;
  }

  private @Nullable Integer find(String piece) {
    return vocabulary.get(piece);
  }

  private int id(String piece) {
    Integer id = find(piece);
    if (id == null) {
      throw new IllegalArgumentException("wanted a vocabulary with " + piece + ", found none");
    }
    return id;
  }
}
