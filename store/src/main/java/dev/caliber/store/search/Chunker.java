package dev.caliber.store.search;

import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Cuts a long text into pieces that end with a sentence and overlap a little. */
final class Chunker {

  private final SearchConfig.Chunks rules;

  Chunker(SearchConfig.Chunks rules) {
    this.rules = rules;
  }

  /** The pieces in order; none for an empty text. */
  List<String> chunks(String text) {
    if (text.isEmpty()) {
      return List.of();
    }
    return text.length() <= rules.characters() ? List.of(text) : cut(text);
  }

  private List<String> cut(String text) {
    List<String> chunks = new ArrayList<>();
    BreakIterator sentences = BreakIterator.getSentenceInstance(Locale.ROOT);
    int start = 0;
    while (start < text.length() && chunks.size() < rules.limit()) {
      sentences.setText(ahead(text, start));
      int end = end(text, sentences, start);
      chunks.add(text.substring(start, end).strip());
      start = end == text.length() ? end : next(sentences, start, end);
    }
    return chunks.stream().filter(chunk -> !chunk.isEmpty()).toList();
  }

  /**
   * As much as a piece can have, and as much again to see how its last sentence ends. Of a text
   * without sentences more would be walked through again for every piece.
   */
  private String ahead(String text, int start) {
    long end = Math.min(text.length(), start + 2L * rules.characters());
    return text.substring(start, (int) end);
  }

  /** The last end of a sentence that fits; in the middle of a sentence that is too long itself. */
  private int end(String text, BreakIterator sentences, int start) {
    int furthest = start + rules.characters();
    if (furthest >= text.length()) {
      return text.length();
    }
    int end = start + sentences.preceding(rules.characters() + 1);
    return end > start ? end : whole(text, furthest);
  }

  /** Not between the halves of a character. */
  private static int whole(String text, int place) {
    return Character.isLowSurrogate(text.charAt(place)) ? place - 1 : place;
  }

  /** The first sentence of the overlap, but always further than the start before. */
  private int next(BreakIterator sentences, int start, int end) {
    int earliest = end - rules.overlap();
    if (earliest <= start) {
      return end;
    }
    int next = start + sentences.following(earliest - 1 - start);
    return next > start && next < end ? next : end;
  }
}
