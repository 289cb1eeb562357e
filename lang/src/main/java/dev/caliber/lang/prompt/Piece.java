package dev.caliber.lang.prompt;

import dev.caliber.lang.diagnostic.Span;
import java.util.List;

/** What cuts the text of a prompt: headings and fences. */
sealed interface Piece {
  /** Whether it stands in a list or a quote. */
  boolean nested();

  /** The offset of its first line. */
  int from();

  /** The offset of the line after it. */
  int to();

  /** Its place; of a fence, the place of its first line. */
  Span span();

  record Title(int level, String text, boolean nested, int from, int to, Span span)
      implements Piece {}

  /**
   * A fence.
   *
   * @param words what stands behind the opening marks
   * @param closed whether it has an end of its own
   */
  record Fence(List<String> words, boolean nested, Lines lines, boolean closed, Span span)
      implements Piece {
    public Fence {
      words = List.copyOf(words);
    }

    /** The word that says what it is. */
    String word() {
      return words.isEmpty() ? "" : words.getFirst();
    }

    @Override
    public int from() {
      return lines.from;
    }

    @Override
    public int to() {
      return lines.to;
    }
  }

  /** Offsets of a fence: its first line, the one after that, the closing one, and what follows. */
  record Lines(int from, int inner, int innerEnd, int to) {}
}
