package dev.caliber.bench.eval;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Figures of one protocol, with published ones beside them.
 *
 * @param protocol a sentence that says what was counted
 */
record EvalTable(
    String name, String protocol, EvalUnit unit, List<String> columns, List<EvalRow> rows) {

  private static final int LABEL_WIDTH = 74;
  private static final int WIDTH = 9;
  private static final double PERCENT = 100;

  EvalTable {
    rows = new ArrayList<>(rows);
  }

  /** Units of a table's figures. */
  enum EvalUnit {
    /** Shares from 0 to 1, shown as percentages. */
    SHARE,
    /** Counts, such as tokens. */
    COUNT
  }

  /** A row of figures; an unknown figure is empty. */
  record EvalRow(String label, List<Optional<Double>> values) {

    static EvalRow of(String label, List<Double> values) {
      return new EvalRow(label, values.stream().map(Optional::of).toList());
    }
  }

  static EvalTable of(String name, String protocol, String... columns) {
    return new EvalTable(name, protocol, EvalUnit.SHARE, List.of(columns), List.of());
  }

  static EvalTable ofCounts(String name, String protocol, String... columns) {
    return new EvalTable(name, protocol, EvalUnit.COUNT, List.of(columns), List.of());
  }

  EvalTable add(EvalRow evalRow) {
    rows.add(evalRow);
    return this;
  }

  EvalTable add(String label, List<Double> values) {
    return add(EvalRow.of(label, values));
  }

  /** Adds published figures: percentages, with a dash for unknown ones. */
  EvalTable addPublished(String label, String... percentages) {
    List<Optional<Double>> values = new ArrayList<>();
    for (String text : percentages) {
      values.add(
          text.equals("-") ? Optional.empty() : Optional.of(Double.parseDouble(text) / PERCENT));
    }
    return add(new EvalRow(label, values));
  }

  String terminalText() {
    StringBuilder text = new StringBuilder("\n" + name + "\n  " + protocol + "\n");
    text.append(rowLine("", columns));
    rows.forEach(
        evalRow ->
            text.append(
                rowLine(evalRow.label, evalRow.values.stream().map(this::cellText).toList())));
    return text.toString();
  }

  private static String rowLine(String label, List<String> cells) {
    return String.format(Locale.ROOT, "  %-" + LABEL_WIDTH + "s", label)
        + cells.stream()
            .map(cell -> String.format(Locale.ROOT, "%" + WIDTH + "s", cell))
            .collect(Collectors.joining())
        + "\n";
  }

  private String cellText(Optional<Double> value) {
    return value.map(this::cellText).orElse("");
  }

  private String cellText(double value) {
    return switch (unit) {
      case SHARE -> String.format(Locale.ROOT, "%.2f", value * PERCENT);
      case COUNT -> String.format(Locale.ROOT, "%.1f", value);
    };
  }
}
