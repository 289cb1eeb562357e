package dev.caliber.app;

import dev.caliber.memory.pcp.Issue;
import dev.caliber.memory.pcp.IssueSeverity;
import dev.caliber.memory.record.EntityRef;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Prints issues that validation or lint found, for people. */
final class IssuePrinter {
  private IssuePrinter() {}

  static void print(List<Issue> issues, Terminal terminal) {
    if (issues.isEmpty()) {
      terminal.printNote("No issues found.");
      return;
    }
    TextTable table = TextTable.of("SEVERITY", "TYPE", "MESSAGE", "RECORDS");
    issues.forEach(
        issue ->
            table.addRow(
                lowerCaseName(issue.severity()),
                lowerCaseName(issue.type()),
                TextTable.toCell(issue.message()),
                issue.records().stream().map(EntityRef::id).collect(Collectors.joining(" "))));
    table.print(terminal);
  }

  /** Prints issues to the standard error, next to another result. */
  static void printNotes(List<Issue> issues, Terminal terminal) {
    issues.forEach(
        issue ->
            terminal.printNote(
                "%s: %s: %s"
                    .formatted(
                        lowerCaseName(issue.severity()),
                        lowerCaseName(issue.type()),
                        TextTable.toCell(issue.message()))));
  }

  static boolean hasNoErrors(List<Issue> issues) {
    return issues.stream().noneMatch(issue -> issue.severity() == IssueSeverity.ERROR);
  }

  private static String lowerCaseName(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
