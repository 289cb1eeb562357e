package dev.caliber.memory.pcp;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The hunks of a unified diff: each begins with how many lines it has. */
final class Hunks {
  private static final Pattern HEAD =
      Pattern.compile("@@ -\\d{1,9}(?:,(\\d{1,9}))? \\+\\d{1,9}(?:,(\\d{1,9}))? @@.*");

  /** What lines of a hunk begin with; the last says that a file ends without a line's end. */
  private static final String OF_A_HUNK = " +-\\";

  private static final String CHANGED = " +-";
  private static final String NEXT_FILE = "--- ";

  private Hunks() {}

  /**
   * Whether every hunk has just the lines that its head promises; true for a text without hunks.
   */
  static boolean areComplete(String text) {
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
    int old = count(head.group(1));
    int made = count(head.group(2));
    int at = 0;
    while (at < lines.size() && (old > 0 || made > 0)) {
      char kind = kind(lines.get(at));
      if (OF_A_HUNK.indexOf(kind) < 0) {
        return false;
      }
      old -= kind == ' ' || kind == '-' ? 1 : 0;
      made -= kind == ' ' || kind == '+' ? 1 : 0;
      at++;
    }
    return old == 0 && made == 0 && !goesOn(lines.subList(at, lines.size()));
  }

  /** Another line of the hunk, though it has all; the head of the next file is none. */
  private static boolean goesOn(List<String> rest) {
    return rest.stream()
        .findFirst()
        .filter(line -> !line.isEmpty() && !line.startsWith(NEXT_FILE))
        .filter(line -> CHANGED.indexOf(line.charAt(0)) >= 0)
        .isPresent();
  }

  /** Editors take the blank from a line that has nothing else. */
  private static char kind(String line) {
    return line.isEmpty() ? ' ' : line.charAt(0);
  }

  private static int count(@Nullable String group) {
    return group == null ? 1 : Integer.parseInt(group);
  }
}
