package dev.caliber.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Figures of one protocol, with published ones beside them.
 *
 * @param protocol what was counted, in a sentence
 */
record EvalTable(String name, String protocol, Unit unit, List<String> columns, List<Row> rows) {

  private static final int LABEL_WIDTH = 74;
  private static final int WIDTH = 9;
  private static final double PERCENT = 100;

  EvalTable {
    rows = new ArrayList<>(rows);
  }

  /** What the figures of a table are. */
  enum Unit {
    /** Shares from 0 to 1, shown as percentages. */
    SHARE,
    /** Counts, such as tokens. */
    COUNT
  }

  /** A figure that is not known is empty. */
  record Row(String label, List<Optional<Double>> values) {

    static Row of(String label, List<Double> values) {
      return new Row(label, values.stream().map(Optional::of).toList());
    }
  }

  static EvalTable of(String name, String protocol, String... columns) {
    return new EvalTable(name, protocol, Unit.SHARE, List.of(columns), List.of());
  }

  static EvalTable ofCounts(String name, String protocol, String... columns) {
    return new EvalTable(name, protocol, Unit.COUNT, List.of(columns), List.of());
  }

  EvalTable add(Row row) {
    rows.add(row);
    return this;
  }

  EvalTable add(String label, List<Double> values) {
    return add(Row.of(label, values));
  }

  /** A figure from elsewhere: percentages, with a dash for what is not known. */
  EvalTable published(String label, String... percentages) {
    List<Optional<Double>> values = new ArrayList<>();
    for (String text : percentages) {
      values.add(
          text.equals("-") ? Optional.empty() : Optional.of(Double.parseDouble(text) / PERCENT));
    }
    return add(new Row(label, values));
  }

  String terminal() {
    StringBuilder text = new StringBuilder("\n" + name + "\n  " + protocol + "\n");
    text.append(line("", columns));
    rows.forEach(
        row -> text.append(line(row.label, row.values.stream().map(this::shown).toList())));
    return text.toString();
  }

  private static String line(String label, List<String> cells) {
    return String.format(Locale.ROOT, "  %-" + LABEL_WIDTH + "s", label)
        + cells.stream()
            .map(cell -> String.format(Locale.ROOT, "%" + WIDTH + "s", cell))
            .collect(Collectors.joining())
        + "\n";
  }

  private String shown(Optional<Double> value) {
    return value.map(this::shown).orElse("");
  }

  private String shown(double value) {
    return switch (unit) {
      case SHARE -> String.format(Locale.ROOT, "%.2f", value * PERCENT);
      case COUNT -> String.format(Locale.ROOT, "%.1f", value);
    };
  }
}
