package dev.caliber.server.operation;

import dev.caliber.memory.record.SubjectScope;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Reads the properties {@code subject} and {@code subjects}, which say whose records are read. */
final class NamedSubjects {
  private static final String SUBJECTS = "subjects";

  /** Stands for all subjects. */
  static final String EVERY = "*";

  private NamedSubjects() {}

  /** The subjects in the property {@code subjects}; none where it is not there. */
  static List<String> listed(JsonNode input) {
    return input.path(SUBJECTS).valueStream().map(JsonNode::asString).sorted().toList();
  }

  /** The scope that an input names; empty where it names none. */
  static Optional<SubjectScope> of(Optional<String> subject, Optional<List<String>> subjects) {
    if (subject.isEmpty() && subjects.isEmpty()) {
      return Optional.empty();
    }
    Set<String> all = new HashSet<>(subjects.orElse(List.of()));
    subject.ifPresent(all::add);
    return Optional.of(all.contains(EVERY) ? SubjectScope.every() : SubjectScope.of(all));
  }
}
