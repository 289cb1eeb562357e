package dev.caliber.lang.syntax;

import dev.caliber.lang.diagnostic.Span;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Comments and blank lines of a source. The writer takes them one by one, in the order of the
 * source.
 */
final class Trivia {
  private final Deque<Comment> comments;
  private final Set<Integer> blankLines;

  private Trivia(List<Comment> comments, Set<Integer> blankLines) {
    this.comments = new ArrayDeque<>(comments);
    this.blankLines = blankLines;
  }

  static Trivia none() {
    return new Trivia(List.of(), Set.of());
  }

  static Trivia of(String source, List<Comment> comments) {
    var blank = new HashSet<Integer>();
    int number = 1;
    for (String line : source.split("\r\n|\r|\n", -1)) {
      if (line.isBlank()) {
        blank.add(number);
      }
      number++;
    }
    return new Trivia(comments, blank);
  }

  /** Returns whether a comment comes before the position. */
  boolean hasCommentBefore(Span place) {
    return !comments.isEmpty() && comments.getFirst().span().startsBefore(place);
  }

  boolean hasComment() {
    return !comments.isEmpty();
  }

  Comment takeComment() {
    return comments.removeFirst();
  }

  /** Returns whether the line before the position is blank. */
  boolean hasBlankLineBefore(Span place) {
    return blankLines.contains(place.line() - 1);
  }
}
