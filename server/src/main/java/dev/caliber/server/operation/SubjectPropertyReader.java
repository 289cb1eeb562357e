package dev.caliber.server.operation;

import dev.caliber.memory.record.ReadableSubjects;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * A reader of the properties {@code subject} and {@code subjects}, which name the subjects to read.
 */
final class SubjectPropertyReader {
  private static final String SUBJECTS = "subjects";

  /** The value for all subjects. */
  static final String EVERY = "*";

  private SubjectPropertyReader() {}

  /** Returns the subjects in the property {@code subjects}; none if it is absent. */
  static List<String> listedSubjects(JsonNode input) {
    return input.path(SUBJECTS).valueStream().map(JsonNode::asString).sorted().toList();
  }

  /** Returns the scope that an input names; empty if it names none. */
  static Optional<ReadableSubjects> subjectScope(
      Optional<String> subject, Optional<List<String>> subjects) {
    if (subject.isEmpty() && subjects.isEmpty()) {
      return Optional.empty();
    }
    Set<String> all = new HashSet<>(subjects.orElse(List.of()));
    subject.ifPresent(all::add);
    return Optional.of(
        all.contains(EVERY) ? ReadableSubjects.everySubject() : ReadableSubjects.of(all));
  }
}
