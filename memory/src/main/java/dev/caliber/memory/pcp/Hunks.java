package dev.caliber.memory.pcp;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The hunks of a unified diff: each begins with how many lines it has. */
final class Hunks {
  private static final Pattern HEAD =
      Pattern.compile("@@ -\\d{1,9}(?:,(\\d{1,9}))? \\+\\d{1,9}(?:,(\\d{1,9}))? @@.*");

  private Hunks() {}

  /** Whether every hunk has the lines that its head promises; true for a text without hunks. */
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
      char kind = lines.get(at).isEmpty() ? ' ' : lines.get(at).charAt(0);
      old -= kind == ' ' || kind == '-' ? 1 : 0;
      made -= kind == ' ' || kind == '+' ? 1 : 0;
      at++;
    }
    return old == 0 && made == 0;
  }

  private static int count(@Nullable String group) {
    return group == null ? 1 : Integer.parseInt(group);
  }
}
