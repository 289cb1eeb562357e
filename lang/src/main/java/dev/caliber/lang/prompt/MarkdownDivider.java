package dev.caliber.lang.prompt;

import dev.caliber.lang.diagnostic.Span;
import java.util.List;

/** A heading or a fence, which divides the text of a prompt. */
sealed interface MarkdownDivider {
  /** Returns whether it is in a list or a quote. */
  boolean nested();

  /** Returns the offset of its first line. */
  int from();

  /** Returns the offset of the line after it. */
  int to();

  /** Returns its span; for a fence, the span of its first line. */
  Span span();

  record HeadingDivider(int level, String text, boolean nested, int from, int to, Span span)
      implements MarkdownDivider {}

  /**
   * A fence.
   *
   * @param words the words behind the opening marks
   * @param closed whether it has an end of its own
   */
  record FenceDivider(
      List<String> words, boolean nested, FenceOffsets lines, boolean closed, Span span)
      implements MarkdownDivider {
    public FenceDivider {
      words = List.copyOf(words);
    }

    /** Returns the word for its kind. */
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

  /** Offsets of a fence: its first line, the next one, the closing one, and the line after it. */
  record FenceOffsets(int from, int inner, int innerEnd, int to) {}
}
