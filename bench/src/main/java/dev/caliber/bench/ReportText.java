package dev.caliber.bench;

import dev.caliber.kernel.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A report for a terminal, for a document, and for programs. */
final class ReportText {

  private static final int NAME_WIDTH = 58;
  private static final int VALUE_WIDTH = 14;
  private static final int BAR_WIDTH = 12;

  private ReportText() {}

  static String terminal(Report report) {
    StringBuilder text = new StringBuilder();
    text.append(report.command()).append('\n');
    report.facts().forEach((name, fact) -> text.append(name + ": " + fact + '\n'));
    String heading = "";
    for (Figure figure : report.figures()) {
      String here = figure.part() + ": " + figure.section();
      if (!here.equals(heading)) {
        heading = here;
        text.append('\n').append(here).append('\n');
      }
      text.append(row(figure)).append('\n');
    }
    return text.toString();
  }

  private static String row(Figure figure) {
    String row =
        String.format(
            Locale.ROOT,
            "  %-" + NAME_WIDTH + "s %" + VALUE_WIDTH + "s   %-" + BAR_WIDTH + "s %s",
            figure.name(),
            figure.valueText(),
            figure.barText(),
            figure.verdict());
    return row.stripTrailing();
  }

  static String markdown(Report report) {
    StringBuilder text = new StringBuilder();
    text.append("```sh\n").append(report.command()).append("\n```\n\n");
    report.facts().forEach((name, fact) -> text.append("- " + name + ": " + fact + '\n'));
    String heading = "";
    for (Figure figure : report.figures()) {
      String here = figure.part() + ": " + figure.section();
      if (!here.equals(heading)) {
        heading = here;
        text.append("\n### ").append(here).append("\n\n");
        text.append("| Figure | Measured | Bar | |\n|---|---:|---:|---|\n");
      }
      text.append(
          "| %s | %s | %s | %s |\n"
              .formatted(figure.name(), figure.valueText(), figure.barText(), figure.verdict()));
    }
    return text.toString();
  }

  static String json(Report report) {
    List<Map<String, Object>> figures = report.figures().stream().map(ReportText::tree).toList();
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("command", report.command());
    root.put("facts", report.facts());
    root.put("figures", figures);
    return Json.text(root);
  }

  private static Map<String, Object> tree(Figure figure) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("part", figure.part());
    tree.put("section", figure.section());
    tree.put("name", figure.name());
    tree.put("value", figure.value());
    tree.put("unit", figure.unit().symbol());
    figure
        .bar()
        .ifPresent(
            bar -> {
              tree.put(bar.atLeast() ? "at_least" : "below", bar.limit());
              tree.put("met", bar.isMetBy(figure.value()));
            });
    return tree;
  }
}
