package dev.caliber.bench.eval;

import java.util.List;
import java.util.stream.Collectors;

/** Draws evidence over budget as SVG, with its figures as text. */
final class EvidenceCurve {
  private static final int WIDTH = 640;
  private static final int HEIGHT = 400;
  private static final int LEFT = 60;
  private static final int RIGHT = 150;
  private static final int TOP = 60;
  private static final int BOTTOM = 50;
  private static final int STEP = 20;
  private static final int FULL = 100;
  private static final int RADIUS = 4;
  private static final int GAP = 8;
  private static final String LABEL =
      "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\">%s</text>";
  private static final String INK = "black";

  private final EvidenceScores scores;
  private final StringBuilder text = new StringBuilder();

  private EvidenceCurve(EvidenceScores scores) {
    this.scores = scores;
  }

  static String toSvg(EvidenceScores scores, String command) {
    return new EvidenceCurve(scores).draw(command);
  }

  private String draw(String command) {
    text.append(
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d" font-family="sans-serif" font-size="12">
        <rect width="%1$d" height="%2$d" fill="white"/>
        """
            .formatted(WIDTH, HEIGHT));
    label(LEFT, STEP, "start", "Evidence turns inside the window, in percent, by token budget");
    label(LEFT, STEP + STEP, "start", command);
    axes();
    for (EvidenceMethod method : EvidenceMethod.values()) {
      curve(method);
    }
    add("</svg>");
    return text.toString();
  }

  private void axes() {
    for (int share = 0; share <= FULL; share += STEP) {
      add(
          "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#ddd\"/>"
              .formatted(LEFT, y(share), WIDTH - RIGHT, y(share)));
      label(LEFT - GAP, y(share) + RADIUS, "end", Integer.toString(share));
    }
    for (int budget : scores.budgets()) {
      label(x(budget), HEIGHT - BOTTOM + STEP, "middle", Integer.toString(budget));
    }
  }

  private void curve(EvidenceMethod method) {
    String points =
        scores.budgets().stream()
            .map(budget -> "%.1f,%.1f".formatted(x(budget), y(scores.share(method, budget))))
            .collect(Collectors.joining(" "));
    add(
        "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>"
            .formatted(points, method.colour()));
    for (int budget : scores.budgets()) {
      double share = scores.share(method, budget);
      add(
          "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%d\" fill=\"%s\"/>"
              .formatted(x(budget), y(share), RADIUS, method.colour()));
      label(x(budget), y(share) - GAP, "middle", "%.1f".formatted(share));
    }
    int last = scores.budgets().getLast();
    double end = y(scores.share(method, last)) + RADIUS;
    add(LABEL.formatted(x(last) + GAP + GAP, end, "start", method.colour(), method.title()));
  }

  /** Maps a budget to the logarithmic axis, because budgets double. */
  private double x(int budget) {
    List<Integer> budgets = scores.budgets();
    double whole = Math.log((double) budgets.getLast() / budgets.getFirst());
    double part = Math.log((double) budget / budgets.getFirst());
    return LEFT + (WIDTH - LEFT - RIGHT) * part / whole;
  }

  private static double y(double share) {
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share / FULL;
  }

  private void label(double x, double y, String anchor, String words) {
    add(LABEL.formatted(x, y, anchor, INK, words));
  }

  private void add(String line) {
    text.append(line).append('\n');
  }
}
