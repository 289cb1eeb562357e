package dev.caliber.bench;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Draws evidence over budget as SVG, with its figures as text. */
final class EvidenceCurve {
  private static final int WIDTH = 640;
  private static final int HEIGHT = 400;
  private static final int LEFT = 60;
  private static final int RIGHT = 150;
  private static final int TOP = 50;
  private static final int BOTTOM = 50;
  private static final int STEP = 20;
  private static final int FULL = 100;
  private static final int RADIUS = 4;
  private static final int GAP = 8;
  private static final List<String> COLOURS = List.of("#0b6e4f", "#c1540c", "#5b5b8c");

  private final EvidenceScores scores;
  private final StringBuilder text = new StringBuilder();

  private EvidenceCurve(EvidenceScores scores) {
    this.scores = scores;
  }

  static String svg(EvidenceScores scores, String command) {
    return new EvidenceCurve(scores).draw(command);
  }

  private String draw(String command) {
    add(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\""
            + " font-size=\"12\">",
        WIDTH,
        HEIGHT);
    add("<rect width=\"%d\" height=\"%d\" fill=\"white\"/>", WIDTH, HEIGHT);
    label(LEFT, STEP, "start", "Evidence turns inside the window, in percent, by token budget");
    label(LEFT, STEP + STEP, "start", command);
    axes();
    for (EvidenceMethod method : EvidenceMethod.values()) {
      curve(method, COLOURS.get(method.ordinal()));
    }
    add("</svg>");
    return text.toString();
  }

  private void axes() {
    for (int share = 0; share <= FULL; share += STEP) {
      add(
          "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#ddd\"/>",
          LEFT,
          y(share),
          WIDTH - RIGHT,
          y(share));
      label(LEFT - GAP, y(share) + RADIUS, "end", Integer.toString(share));
    }
    for (int budget : scores.budgets()) {
      label(x(budget), HEIGHT - BOTTOM + STEP, "middle", Integer.toString(budget));
    }
  }

  private void curve(EvidenceMethod method, String colour) {
    String points =
        scores.budgets().stream()
            .map(budget -> point(budget, scores.share(method, budget)))
            .collect(Collectors.joining(" "));
    add("<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>", points, colour);
    for (int budget : scores.budgets()) {
      double share = scores.share(method, budget);
      add(
          "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%d\" fill=\"%s\"/>",
          x(budget), y(share), RADIUS, colour);
      label(x(budget), y(share) - GAP, "middle", String.format(Locale.ROOT, "%.1f", share));
    }
    int last = scores.budgets().getLast();
    add(
        "<text x=\"%.1f\" y=\"%.1f\" fill=\"%s\">%s</text>",
        x(last) + GAP + GAP, y(scores.share(method, last)) + RADIUS, colour, method.title());
  }

  private static String point(int budget, double share, List<Integer> budgets) {
    return String.format(Locale.ROOT, "%.1f,%.1f", x(budget, budgets), y(share));
  }

  private String point(int budget, double share) {
    return point(budget, share, scores.budgets());
  }

  private double x(int budget) {
    return x(budget, scores.budgets());
  }

  /** Budgets double, so the axis is logarithmic. */
  private static double x(int budget, List<Integer> budgets) {
    double whole = Math.log((double) budgets.getLast() / budgets.getFirst());
    double part = Math.log((double) budget / budgets.getFirst());
    return LEFT + (WIDTH - LEFT - RIGHT) * part / whole;
  }

  private static double y(double share) {
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share / FULL;
  }

  private void label(double x, double y, String anchor, String words) {
    add("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>", x, y, anchor, words);
  }

  private void add(String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
