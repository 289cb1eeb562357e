package dev.caliber.models;

import dev.caliber.kernel.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tokenizer that splits a text into the word pieces of a BERT model: in each word the longest piece
 * of the vocabulary, then the longest of the rest.
 *
 * <p>Names of control pieces such as {@code [SEP]} inside a text are text, so that no one can end a
 * passage from within.
 */
final class WordPieceTokenizer {

  private static final String CONTINUED = "##";
  private static final int LONGEST_WORD = 100;

  /** The part of a tokenizer's file that is read. */
  record TokenizerFile(TokenizerModel model) {}

  record TokenizerModel(Map<String, Integer> vocab) {}

  /** Word piece: its number, and whether it continues the word of the piece before it. */
  record WordPiece(int id, boolean continued) {}

  private final Map<String, Integer> vocabulary;
  private final int unknown;
  private final int start;
  private final int end;

  private WordPieceTokenizer(Map<String, Integer> vocabulary) {
    this.vocabulary = vocabulary;
    this.unknown = id("[UNK]");
    this.start = id("[CLS]");
    this.end = id("[SEP]");
  }

  /** Parses Hugging Face's {@code tokenizer.json}. */
  static WordPieceTokenizer parse(byte[] json) {
    return new WordPieceTokenizer(Json.read(json, TokenizerFile.class).model().vocab());
  }

  /** Returns the piece before every text. */
  int startPiece() {
    return start;
  }

  /** Returns the piece after every text. */
  int endPiece() {
    return end;
  }

  List<WordPiece> tokenize(String text) {
    var pieces = new ArrayList<WordPiece>();
    for (String word : BertWordSplitter.split(text)) {
      addWord(word, pieces);
    }
    return pieces;
  }

  private void addWord(String word, List<WordPiece> pieces) {
    int before = pieces.size();
    int from = 0;
    while (from < word.length()) {
      int to = isTooLong(word) ? from : longestPieceEnd(word, from);
      if (to == from) {
        pieces.subList(before, pieces.size()).clear();
        pieces.add(new WordPiece(unknown, false));
        return;
      }
      pieces.add(new WordPiece(id(piece(word, from, to)), from > 0));
      from = to;
    }
  }

  private static boolean isTooLong(String word) {
    return word.codePointCount(0, word.length()) > LONGEST_WORD;
  }

  /** Returns the end of the longest known piece from there; the start if there is none. */
  private int longestPieceEnd(String word, int from) {
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
      throw new IllegalArgumentException("the vocabulary has no piece " + piece);
    }
    return id;
  }
}
