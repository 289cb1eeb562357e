package dev.caliber.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The figures of one run, in the order in which they were measured. */
final class Report {

  private final String command;
  private final Map<String, String> facts;
  private final List<Figure> figures = new ArrayList<>();

  Report(String command, Map<String, String> facts) {
    this.command = command;
    this.facts = facts;
  }

  /** One group of figures, to be filled by what measures it. */
  Section section(String part, String section) {
    return new Section(part, section);
  }

  /** Adds figures to its report under one heading. */
  final class Section {
    private final String part;
    private final String name;

    private Section(String part, String name) {
      this.part = part;
      this.name = name;
    }

    void add(String figure, double value, Figure.Unit unit) {
      add(figure, value, unit, Optional.empty());
    }

    void add(String figure, double value, Figure.Unit unit, Optional<Figure.Bar> bar) {
      figures.add(new Figure(part, name, figure, value, unit, bar));
    }
  }

  /** As it would be typed to measure again. */
  String command() {
    return command;
  }

  /** What the machine is, by name. */
  Map<String, String> facts() {
    return facts;
  }

  List<Figure> figures() {
    return List.copyOf(figures);
  }
}
