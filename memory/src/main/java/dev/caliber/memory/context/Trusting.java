package dev.caliber.memory.context;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.TrustRule;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.ExtractionMethod;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Role;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.spi.Summary;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Says how far records are trusted, each time they are read: by what they come from, whether that
 * is verified, and how old they are. Nothing of it is stored with them.
 *
 * <p>Whoever writes a record says what it comes from, by the entry {@code source} of its metadata.
 * Turns, artifacts and summaries by a model are inference, whatever is written on them. A note is
 * taken at its writer's word, whoever that is, and a summary that only quotes is judged as
 * something that was recorded.
 */
final class Trusting {
  private static final String SOURCE = "source";
  private static final String SUMMARY = "summary";
  private static final String TASK = "task";

  private final Optional<TrustRule> rule;
  private final Reading reading;
  private final Map<Id, Boolean> believed = new HashMap<>();

  /**
   * @param rule empty where a window does not say it
   */
  Trusting(Optional<TrustRule> rule, Reading reading) {
    this.rule = rule;
    this.reading = reading;
  }

  Scores of(Note note, Scores found) {
    return told(
        found,
        note.entity(),
        by ->
            stated(note.labels())
                .or(() -> inferred(isContradicted(note)))
                .orElseGet(() -> aged(by, since(note), !note.sources().isEmpty())));
  }

  Scores of(Artifact made, Scores found) {
    boolean model = made.provenance().method() == ExtractionMethod.INFERRED;
    return told(
        found,
        made.labels().externalId().orElseGet(() -> word(made.type())),
        by ->
            inferred(model)
                .or(() -> stated(made.labels()))
                .orElseGet(() -> aged(by, made.createdAt(), made.provenance().isGrounded())));
  }

  Scores of(Turn turn, Scores found) {
    return told(
        found,
        turn.speaker().orElseGet(() -> word(turn.role())),
        by ->
            inferred(turn.role() == Role.ASSISTANT)
                .or(() -> stated(turn.labels()))
                .orElseGet(() -> aged(by, turn.createdAt(), turn.role() == Role.USER)));
  }

  Scores of(Scope scope, Scores found) {
    Instant since = scope.closedAt().orElse(scope.openedAt());
    return told(
        found,
        SUMMARY,
        by -> inferred(isMadeUp(scope.summary())).orElseGet(() -> aged(by, since, false)));
  }

  Scores of(Trajectory task, Scores found) {
    return told(
        found,
        TASK,
        by ->
            inferred(isMadeUp(task.summary()))
                .or(() -> stated(task.labels()))
                .orElseGet(() -> aged(by, task.createdAt(), false)));
  }

  private Scores told(Scores found, String name, Function<TrustRule, TrustClass> judging) {
    return rule.map(by -> found.trusted(trust(by, judging.apply(by), name))).orElse(found);
  }

  private static Trust trust(TrustRule by, TrustClass level, String name) {
    return new Trust(level, level.level(by.levels()), name);
  }

  /** Since when a note holds, as far as it says. */
  static Instant since(Note note) {
    return note.valid().from().orElse(note.recordedAt());
  }

  /** Whether one that cannot be true together with it is believed as well. */
  private boolean isContradicted(Note note) {
    return note.conflictsWith().stream()
        .anyMatch(other -> believed.computeIfAbsent(other, this::isBelieved));
  }

  private boolean isBelieved(Id note) {
    return reading.find(Note.TABLE, note).flatMap(reading::shown).isPresent();
  }

  /** Whole sentences of the sources are nobody's inference. */
  private static boolean isMadeUp(Optional<Summary> summary) {
    return summary.filter(told -> !told.isVerbatim()).isPresent();
  }

  private static Optional<TrustClass> inferred(boolean is) {
    return is ? Optional.of(TrustClass.INFERRED) : Optional.empty();
  }

  private static Optional<TrustClass> stated(Labels labels) {
    return Optional.ofNullable(labels.metadata().get(SOURCE))
        .flatMap(said -> stated(said.toString()));
  }

  private static Optional<TrustClass> stated(String source) {
    return switch (source) {
      case "code" -> Optional.of(TrustClass.CODE);
      case "rfc", "documentation" -> Optional.of(TrustClass.AUTHORITATIVE);
      case "paper", "best_practice", "tutorial" -> Optional.of(TrustClass.ACADEMIC);
      case "stack_overflow", "blog_post" -> Optional.of(TrustClass.INFORMAL);
      default -> Optional.empty();
    };
  }

  private TrustClass aged(TrustRule by, Instant since, boolean verified) {
    Duration age = Duration.between(since, reading.at());
    if (!verified) {
      return age.compareTo(by.monthFor()) > 0 ? TrustClass.UNCHECKED_OLD : TrustClass.UNCHECKED;
    }
    if (age.compareTo(by.recentFor()) < 0) {
      return TrustClass.RECENT;
    }
    return age.compareTo(by.monthFor()) < 0 ? TrustClass.MONTH : TrustClass.OLD;
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
