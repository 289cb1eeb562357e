package dev.caliber.app;

import dev.caliber.memory.pcp.Issue;
import dev.caliber.memory.pcp.Severity;
import dev.caliber.memory.record.EntityRef;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What a guardian has found, for people. */
final class Issues {
  private Issues() {}

  static void print(List<Issue> issues, Terminal terminal) {
    if (issues.isEmpty()) {
      terminal.note("Nothing is wrong.");
      return;
    }
    TextTable table = TextTable.of("SEVERITY", "TYPE", "MESSAGE", "RECORDS");
    issues.forEach(
        issue ->
            table.row(
                word(issue.severity()),
                word(issue.type()),
                TextTable.cut(issue.message()),
                issue.records().stream().map(EntityRef::id).collect(Collectors.joining(" "))));
    table.print(terminal);
  }

  /** Beside an output that is something else. */
  static void note(List<Issue> issues, Terminal terminal) {
    issues.forEach(
        issue ->
            terminal.note(
                "%s: %s: %s"
                    .formatted(
                        word(issue.severity()),
                        word(issue.type()),
                        TextTable.cut(issue.message()))));
  }

  static boolean areHarmless(List<Issue> issues) {
    return issues.stream().noneMatch(issue -> issue.severity() == Severity.ERROR);
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
