package dev.caliber.app.shell;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A table for people: columns as wide as their widest cell, numbers aligned to the right. */
public final class TextTable {
  private static final String GAP = "  ";
  private static final Pattern NUMBER = Pattern.compile("-?[0-9][0-9,]*");

  private static final Pattern SPACES = Pattern.compile("[\\s\\p{Cntrl}]+");
  private static final int CELL_BOUND = 80;

  private final List<List<String>> rows = new ArrayList<>();

  private TextTable() {}

  public static TextTable of(String... headings) {
    return new TextTable().addRow(headings);
  }

  public TextTable addRow(String... cells) {
    List<String> row = Stream.of(cells).map(Terminal::sanitizeToOneLine).toList();
    if (!rows.isEmpty() && rows.getFirst().size() != row.size()) {
      throw new IllegalArgumentException(
          "A row of %d cells in a table of %d columns"
              .formatted(row.size(), rows.getFirst().size()));
    }
    rows.add(row);
    return this;
  }

  public boolean isEmpty() {
    return rows.size() == 1;
  }

  public void print(Terminal terminal) {
    int[] widths = new int[rows.getFirst().size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], displayLength(row.get(i)));
      }
    }
    for (int i = 0; i < rows.size(); i++) {
      String line = rowLine(rows.get(i), widths);
      terminal.printLine(i == 0 ? terminal.bold(line) : line);
    }
  }

  private static String rowLine(List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String cell = row.get(i);
      String padding = " ".repeat(widths[i] - displayLength(cell));
      line.append(i == 0 ? "" : GAP)
          .append(NUMBER.matcher(cell).matches() ? padding + cell : cell + padding);
    }
    return line.toString().stripTrailing();
  }

  /** Returns a text of any length as one cell: on one line, and cut to a readable length. */
  public static String toCell(String text) {
    String line = SPACES.matcher(text).replaceAll(" ").strip();
    return line.codePointCount(0, line.length()) <= CELL_BOUND
        ? line
        : line.substring(0, line.offsetByCodePoints(0, CELL_BOUND - 1)) + "…";
  }

  private static int displayLength(String cell) {
    return DisplayWidth.columns(cell);
  }
}
