package dev.caliber.lang.pack;

import dev.caliber.lang.syntax.Text;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The settings that a matrix, a profile and an agent have in common, as their tables say them. */
enum Knob {
  RETENTION("retention"),
  INDEX("index"),
  EMBEDDINGS("embeddings"),
  FORMAT("format");

  static final List<Knob> ALL = List.of(values());

  private final String key;

  Knob(String key) {
    this.key = key;
  }

  String key() {
    return key;
  }

  /** What a table says; of a format its bare name. */
  Optional<String> in(Table table) {
    return table.text(key).map(this::bare);
  }

  private String bare(Text text) {
    return this == FORMAT ? Document.name(Manifest.FORMATS, text) : text.value();
  }

  /** Whether a table says all of them. */
  static boolean allIn(Table table) {
    return ALL.stream().allMatch(knob -> knob.in(table).isPresent());
  }

  /** Those that differ between two tables. */
  static List<Knob> differing(Table one, Table other) {
    return ALL.stream().filter(knob -> !knob.in(one).equals(knob.in(other))).toList();
  }

  static String describe(List<Knob> knobs, Table table) {
    return knobs.stream()
        .map(knob -> knob.key + " = \"" + knob.in(table).orElse("") + "\"")
        .collect(Collectors.joining(", "));
  }
}
