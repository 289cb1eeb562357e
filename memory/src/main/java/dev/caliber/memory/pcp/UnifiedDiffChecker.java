package dev.caliber.memory.pcp;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks that the hunks of a unified diff have the line counts of their headers. */
final class UnifiedDiffChecker {
  private static final Pattern HEAD =
      Pattern.compile("@@ -\\d{1,9}(?:,(\\d{1,9}))? \\+\\d{1,9}(?:,(\\d{1,9}))? @@.*");

  /** First characters of the lines in a hunk; the last marks a file without a final line break. */
  private static final String OF_A_HUNK = " +-\\";

  private static final String CHANGED = " +-";
  private static final String NEXT_FILE = "--- ";

  private UnifiedDiffChecker() {}

  /**
   * Returns whether every hunk has the number of lines of its header; true for a text without
   * hunks.
   */
  static boolean hasCompleteHunks(String text) {
    List<String> lines = text.lines().toList();
    for (int at = 0; at < lines.size(); at++) {
      Matcher head = HEAD.matcher(lines.get(at));
      if (head.matches() && !isComplete(lines.subList(at + 1, lines.size()), head)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isComplete(List<String> lines, Matcher head) {
    int old = lineCount(head.group(1));
    int made = lineCount(head.group(2));
    int at = 0;
    while (at < lines.size() && (old > 0 || made > 0)) {
      char kind = lineKind(lines.get(at));
      if (OF_A_HUNK.indexOf(kind) < 0) {
        return false;
      }
      old -= kind == ' ' || kind == '-' ? 1 : 0;
      made -= kind == ' ' || kind == '+' ? 1 : 0;
      at++;
    }
    return old == 0 && made == 0 && !continuesHunk(lines.subList(at, lines.size()));
  }

  /**
   * Returns whether another line of the hunk follows a complete one; the header of the next file is
   * none.
   */
  private static boolean continuesHunk(List<String> rest) {
    return rest.stream()
        .findFirst()
        .filter(line -> !line.isEmpty() && !line.startsWith(NEXT_FILE))
        .filter(line -> CHANGED.indexOf(line.charAt(0)) >= 0)
        .isPresent();
  }

  /** An empty line is a context line whose trailing blank an editor removed. */
  private static char lineKind(String line) {
    return line.isEmpty() ? ' ' : line.charAt(0);
  }

  private static int lineCount(@Nullable String group) {
    return group == null ? 1 : Integer.parseInt(group);
  }
}
