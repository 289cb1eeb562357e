package dev.caliber.memory.context.candidate;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.TrustSettings;
import dev.caliber.memory.context.window.KnownNoteConflicts;
import dev.caliber.memory.context.window.NoteConflict;
import dev.caliber.memory.context.window.SourceClass;
import dev.caliber.memory.context.window.Trust;
import dev.caliber.memory.record.Note;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Finds the notes of a window that are known to contradict each other, and which of two to prefer:
 * code, else the more trusted one, else the newer one. At most {@link #PAIRS_BOUND} pairs are
 * listed; the others are counted.
 */
final class NoteConflictFinder {
  /** Maximum number of pairs listed. */
  static final int PAIRS_BOUND = 20;

  private static final Comparator<NotePair> MOST_DECISIVE =
      Comparator.comparing(NotePair::involvesCode)
          .thenComparingInt(NotePair::trustGap)
          .reversed()
          .thenComparing(notePair -> notePair.one().id())
          .thenComparing(notePair -> notePair.other().id());

  private final TrustSettings rule;
  private final Map<Id, ContradictedNote> sides = new LinkedHashMap<>();

  NoteConflictFinder(TrustSettings rule) {
    this.rule = rule;
  }

  private record ContradictedNote(Note note, Trust trust, Set<Id> against) {
    Id id() {
      return note.id();
    }

    boolean isCode() {
      return trust.level().source() == SourceClass.CODE;
    }
  }

  /**
   * Two notes that cannot both be true.
   *
   * @param one the one with the smaller id
   */
  private record NotePair(ContradictedNote one, ContradictedNote other) {
    static NotePair of(ContradictedNote one, ContradictedNote other) {
      return one.id().compareTo(other.id()) < 0
          ? new NotePair(one, other)
          : new NotePair(other, one);
    }

    boolean involvesCode() {
      return one.isCode() != other.isCode();
    }

    int trustGap() {
      return Math.abs(one.trust().value() - other.trust().value());
    }
  }

  void addNote(Note note, Trust trust) {
    sides.put(note.id(), new ContradictedNote(note, trust, Set.copyOf(note.conflictsWith())));
  }

  KnownNoteConflicts findConflicts() {
    TreeSet<NotePair> first = new TreeSet<>(MOST_DECISIVE);
    int count = 0;
    for (NotePair notePair : (Iterable<NotePair>) conflictingPairs()::iterator) {
      count++;
      first.add(notePair);
      if (first.size() > PAIRS_BOUND) {
        first.pollLast();
      }
    }
    return new KnownNoteConflicts(
        first.stream().map(this::toConflict).toList(), count - first.size());
  }

  /** Returns each pair once; in the past, only one of the two notes may name the other. */
  private Stream<NotePair> conflictingPairs() {
    return sides.values().stream()
        .flatMap(
            contradictedNote ->
                contradictedNote.against().stream()
                    .flatMap(other -> Optional.ofNullable(sides.get(other)).stream())
                    .filter(other -> isFirst(contradictedNote, other))
                    .map(other -> NotePair.of(contradictedNote, other)));
  }

  private static boolean isFirst(ContradictedNote contradictedNote, ContradictedNote other) {
    int order = contradictedNote.id().compareTo(other.id());
    return order < 0 || (order > 0 && !other.against().contains(contradictedNote.id()));
  }

  private NoteConflict toConflict(NotePair notePair) {
    ContradictedNote one = notePair.one();
    ContradictedNote other = notePair.other();
    boolean first = isPreferred(one, other);
    return new NoteConflict(
        conflictType(one, other),
        one.id(),
        other.id(),
        first ? one.id() : other.id(),
        first ? reason(one, other) : reason(other, one));
  }

  private NoteConflict.NoteConflictType conflictType(ContradictedNote one, ContradictedNote other) {
    if (one.isCode() != other.isCode()) {
      return NoteConflict.NoteConflictType.SOURCE_MISMATCH;
    }
    if (areOfDifferentTimes(one.note(), other.note())) {
      return NoteConflict.NoteConflictType.TEMPORAL;
    }
    return one.trust().level().source() == other.trust().level().source()
        ? NoteConflict.NoteConflictType.SEMANTIC
        : NoteConflict.NoteConflictType.SOURCE_MISMATCH;
  }

  private boolean areOfDifferentTimes(Note one, Note other) {
    Duration apart =
        Duration.between(SourceTrustScorer.validSince(one), SourceTrustScorer.validSince(other))
            .abs();
    return !one.valid().equals(other.valid()) || apart.compareTo(rule.oldFromAge()) > 0;
  }

  /** Returns whether the first is preferred; among equals it is, having the smaller id. */
  private static boolean isPreferred(ContradictedNote one, ContradictedNote other) {
    if (one.isCode() != other.isCode()) {
      return one.isCode();
    }
    int trust = Integer.compare(one.trust().value(), other.trust().value());
    return trust == 0
        ? !SourceTrustScorer.validSince(one.note())
            .isBefore(SourceTrustScorer.validSince(other.note()))
        : trust > 0;
  }

  private static String reason(ContradictedNote winner, ContradictedNote loser) {
    if (winner.isCode() != loser.isCode()) {
      return "Current source code is trusted more than any other source";
    }
    if (winner.trust().value() > loser.trust().value()) {
      return winner.trust().level().title() + " > " + loser.trust().level().title();
    }
    return SourceTrustScorer.validSince(winner.note())
            .equals(SourceTrustScorer.validSince(loser.note()))
        ? "Both notes have the same trust level and time; the note that was written first is preferred"
        : "Both notes have the same trust level; the newer note is preferred";
  }
}
