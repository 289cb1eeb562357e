package dev.caliber.bench.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The figures of one run, in the order of their measurement. */
public final class BenchReport {

  private final String command;
  private final Map<String, String> facts;
  private final List<Figure> figures = new ArrayList<>();

  public BenchReport(String command, Map<String, String> facts) {
    this.command = command;
    this.facts = facts;
  }

  /** Adds a group of figures, which the measurement then fills. */
  public ReportSection section(String part, String section) {
    return new ReportSection(part, section);
  }

  /** Adds figures to its report under one heading. */
  public final class ReportSection {
    private final String part;
    private final String name;

    private ReportSection(String part, String name) {
      this.part = part;
      this.name = name;
    }

    public void add(String figure, double value, Figure.FigureUnit figureUnit) {
      add(figure, value, figureUnit, Optional.empty());
    }

    public void add(
        String figure,
        double value,
        Figure.FigureUnit figureUnit,
        Optional<Figure.FigureTarget> bar) {
      figures.add(new Figure(part, name, figure, value, figureUnit, bar));
    }
  }

  /** Returns the command that repeats the measurement. */
  String command() {
    return command;
  }

  /** Returns the facts of the machine, by name. */
  Map<String, String> facts() {
    return facts;
  }

  List<Figure> figures() {
    return List.copyOf(figures);
  }
}
