package dev.caliber.store.search.embed;

import dev.caliber.store.search.SearchConfig;
import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Splitter of a long text into chunks that end with a sentence and overlap a little. */
public final class Chunker {

  private final SearchConfig.ChunkSettings rules;

  public Chunker(SearchConfig.ChunkSettings rules) {
    this.rules = rules;
  }

  /** Returns the chunks in order; none for an empty text. */
  public List<String> chunks(String text) {
    if (text.isEmpty()) {
      return List.of();
    }
    return text.length() <= rules.characters() ? List.of(text) : cutIntoChunks(text);
  }

  private List<String> cutIntoChunks(String text) {
    List<String> chunks = new ArrayList<>();
    BreakIterator sentences = BreakIterator.getSentenceInstance(Locale.ROOT);
    int start = 0;
    while (start < text.length() && chunks.size() < rules.maxChunks()) {
      sentences.setText(lookahead(text, start));
      int end = chunkEnd(text, sentences, start);
      chunks.add(text.substring(start, end).strip());
      start = end == text.length() ? end : nextStart(sentences, start, end);
    }
    return chunks.stream().filter(chunk -> !chunk.isEmpty()).toList();
  }

  /**
   * Returns the text of a chunk's length and as much again, to find the end of its last sentence.
   * With more, a text without sentences would be scanned again for every chunk.
   */
  private String lookahead(String text, int start) {
    long end = Math.min(text.length(), start + 2L * rules.characters());
    return text.substring(start, (int) end);
  }

  /**
   * Returns the end of the last sentence that fits, or a place within a sentence that is longer
   * than a chunk.
   */
  private int chunkEnd(String text, BreakIterator sentences, int start) {
    int furthest = start + rules.characters();
    if (furthest >= text.length()) {
      return text.length();
    }
    int end = start + sentences.preceding(rules.characters() + 1);
    return end > start ? end : characterBoundary(text, furthest);
  }

  /** Returns the place, moved off the middle of a surrogate pair. */
  private static int characterBoundary(String text, int place) {
    return Character.isLowSurrogate(text.charAt(place)) ? place - 1 : place;
  }

  /** Returns the start of the overlap's first sentence, always after the previous start. */
  private int nextStart(BreakIterator sentences, int start, int end) {
    int earliest = end - rules.overlap();
    if (earliest <= start) {
      return end;
    }
    int next = start + sentences.following(earliest - 1 - start);
    return next > start && next < end ? next : end;
  }
}
