package dev.caliber.bench.harness;

import dev.caliber.kernel.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Renders a report for a terminal, for a document, and for programs. */
public final class ReportRenderer {

  private static final int NAME_WIDTH = 58;
  private static final int VALUE_WIDTH = 14;
  private static final int BAR_WIDTH = 12;

  private ReportRenderer() {}

  public static String terminalText(BenchReport benchReport) {
    StringBuilder text = new StringBuilder();
    text.append(benchReport.command()).append('\n');
    benchReport.facts().forEach((name, fact) -> text.append(name + ": " + fact + '\n'));
    String heading = "";
    for (Figure figure : benchReport.figures()) {
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

  static String markdown(BenchReport benchReport) {
    StringBuilder text = new StringBuilder();
    text.append("```sh\n").append(benchReport.command()).append("\n```\n\n");
    benchReport.facts().forEach((name, fact) -> text.append("- " + name + ": " + fact + '\n'));
    String heading = "";
    for (Figure figure : benchReport.figures()) {
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

  static String json(BenchReport benchReport) {
    List<Map<String, Object>> figures =
        benchReport.figures().stream().map(ReportRenderer::jsonTree).toList();
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("command", benchReport.command());
    root.put("facts", benchReport.facts());
    root.put("figures", figures);
    return Json.text(root);
  }

  private static Map<String, Object> jsonTree(Figure figure) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("part", figure.part());
    tree.put("section", figure.section());
    tree.put("name", figure.name());
    tree.put("value", figure.value());
    tree.put("unit", figure.unit().symbol());
    figure
        .bar()
        .ifPresent(
            figureTarget -> {
              tree.put(figureTarget.atLeast() ? "at_least" : "below", figureTarget.limit());
              tree.put("met", figureTarget.isMetBy(figure.value()));
            });
    return tree;
  }
}
