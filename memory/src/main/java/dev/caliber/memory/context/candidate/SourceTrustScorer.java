package dev.caliber.memory.context.candidate;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.TrustSettings;
import dev.caliber.memory.context.window.CandidateScores;
import dev.caliber.memory.context.window.Trust;
import dev.caliber.memory.context.window.TrustClass;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.ExtractionMethod;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.record.TurnRole;
import dev.caliber.memory.spi.Summary;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Assigns a trust class to records whenever they are read: by their source, its verification, and
 * their age. Trust is not stored with records.
 *
 * <p>The writer of a record states its source by the entry {@code source} of its metadata. Turns,
 * artifacts and summaries by a model are inference, whatever that entry says. A note's entry is
 * accepted from any writer, and a summary that only quotes is classified as a recorded statement.
 */
final class SourceTrustScorer {
  private static final String SOURCE = "source";
  private static final String SUMMARY = "summary";
  private static final String TASK = "task";

  private final Optional<TrustSettings> rule;
  private final VisibleRecords visibleRecords;
  private final Map<Id, Boolean> believed = new HashMap<>();

  /**
   * @param rule empty if the window's format does not show trust
   */
  SourceTrustScorer(Optional<TrustSettings> rule, VisibleRecords visibleRecords) {
    this.rule = rule;
    this.visibleRecords = visibleRecords;
  }

  CandidateScores addTrust(Note note, CandidateScores found) {
    return applyRule(
        found,
        note.entity(),
        by ->
            statedClass(note.labels())
                .or(() -> inferredIf(isContradicted(note)))
                .orElseGet(() -> classByAge(by, validSince(note), !note.sources().isEmpty())));
  }

  CandidateScores addTrust(Artifact made, CandidateScores found) {
    boolean model = made.provenance().method() == ExtractionMethod.INFERRED;
    return applyRule(
        found,
        made.labels().externalId().orElseGet(() -> lowerCaseName(made.type())),
        by ->
            inferredIf(model)
                .or(() -> statedClass(made.labels()))
                .orElseGet(() -> classByAge(by, made.createdAt(), made.provenance().isGrounded())));
  }

  CandidateScores addTrust(Turn turn, CandidateScores found) {
    return applyRule(
        found,
        turn.speaker().orElseGet(() -> lowerCaseName(turn.role())),
        by ->
            inferredIf(turn.role() == TurnRole.ASSISTANT)
                .or(() -> statedClass(turn.labels()))
                .orElseGet(() -> classByAge(by, turn.createdAt(), turn.role() == TurnRole.USER)));
  }

  CandidateScores addTrust(Scope scope, CandidateScores found) {
    Instant since = scope.closedAt().orElse(scope.openedAt());
    return applyRule(
        found,
        SUMMARY,
        by ->
            inferredIf(isInferred(scope.summary())).orElseGet(() -> classByAge(by, since, false)));
  }

  CandidateScores addTrust(Trajectory task, CandidateScores found) {
    return applyRule(
        found,
        TASK,
        by ->
            inferredIf(isInferred(task.summary()))
                .or(() -> statedClass(task.labels()))
                .orElseGet(() -> classByAge(by, task.createdAt(), false)));
  }

  private CandidateScores applyRule(
      CandidateScores found, String name, Function<TrustSettings, TrustClass> judging) {
    return rule.map(by -> found.withTrust(newTrust(by, judging.apply(by), name))).orElse(found);
  }

  private static Trust newTrust(TrustSettings by, TrustClass level, String name) {
    return new Trust(level, level.trustValue(by.levels()), name);
  }

  /** Returns the start of a note's validity, if it states one. */
  static Instant validSince(Note note) {
    return note.valid().from().orElse(note.recordedAt());
  }

  /** Returns whether a note that contradicts it is believed as well. */
  private boolean isContradicted(Note note) {
    return note.conflictsWith().stream()
        .anyMatch(other -> believed.computeIfAbsent(other, this::isBelieved));
  }

  private boolean isBelieved(Id note) {
    return visibleRecords.find(Note.TABLE, note).flatMap(visibleRecords::visibleNote).isPresent();
  }

  /** Returns false for a summary of verbatim sentences. */
  private static boolean isInferred(Optional<Summary> summary) {
    return summary.filter(text -> !text.isVerbatim()).isPresent();
  }

  private static Optional<TrustClass> inferredIf(boolean is) {
    return is ? Optional.of(TrustClass.INFERRED) : Optional.empty();
  }

  private static Optional<TrustClass> statedClass(Labels labels) {
    return Optional.ofNullable(labels.metadata().get(SOURCE))
        .flatMap(said -> statedClass(said.toString()));
  }

  private static Optional<TrustClass> statedClass(String source) {
    return switch (source) {
      case "code" -> Optional.of(TrustClass.CODE);
      case "rfc", "documentation" -> Optional.of(TrustClass.AUTHORITATIVE);
      case "paper", "best_practice", "tutorial" -> Optional.of(TrustClass.ACADEMIC);
      case "stack_overflow", "blog_post" -> Optional.of(TrustClass.INFORMAL);
      default -> Optional.empty();
    };
  }

  private TrustClass classByAge(TrustSettings by, Instant since, boolean verified) {
    Duration age = Duration.between(since, visibleRecords.at());
    if (!verified) {
      return age.compareTo(by.oldFromAge()) > 0 ? TrustClass.UNCHECKED_OLD : TrustClass.UNCHECKED;
    }
    if (age.compareTo(by.recentUntilAge()) < 0) {
      return TrustClass.RECENT;
    }
    return age.compareTo(by.oldFromAge()) < 0 ? TrustClass.MONTH : TrustClass.OLD;
  }

  private static String lowerCaseName(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
