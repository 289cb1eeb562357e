package dev.caliber.memory.context;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.TrustRule;
import dev.caliber.memory.record.Note;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Which notes of a window are known to contradict each other, and which of two to prefer: code,
 * else what is trusted more, else what is newer.
 */
final class NoteConflicts {
  private final TrustRule rule;
  private final SortedMap<Id, Side> sides = new TreeMap<>();

  NoteConflicts(TrustRule rule) {
    this.rule = rule;
  }

  private record Side(Note note, Trust trust) {
    boolean isCode() {
      return trust.level().source() == SourceClass.CODE;
    }
  }

  private record Pair(Id one, Id other) {}

  void add(Note note, Trust trust) {
    sides.put(note.id(), new Side(note, trust));
  }

  /** Each pair once, by their ids. */
  List<NoteConflict> all() {
    return sides.values().stream()
        .flatMap(side -> pairs(side.note()))
        .distinct()
        .map(this::conflict)
        .toList();
  }

  private Stream<Pair> pairs(Note note) {
    return note.conflictsWith().stream()
        .filter(other -> sides.containsKey(other) && !other.equals(note.id()))
        .sorted()
        .map(
            other ->
                note.id().compareTo(other) < 0
                    ? new Pair(note.id(), other)
                    : new Pair(other, note.id()));
  }

  private NoteConflict conflict(Pair pair) {
    Side one = Objects.requireNonNull(sides.get(pair.one()));
    Side other = Objects.requireNonNull(sides.get(pair.other()));
    boolean first = isPreferred(one, other);
    return new NoteConflict(
        type(one, other),
        pair.one(),
        pair.other(),
        first ? pair.one() : pair.other(),
        first ? reason(one, other) : reason(other, one));
  }

  private NoteConflict.Type type(Side one, Side other) {
    if (one.isCode() != other.isCode()) {
      return NoteConflict.Type.SOURCE_MISMATCH;
    }
    if (areOfDifferentTimes(one.note(), other.note())) {
      return NoteConflict.Type.TEMPORAL;
    }
    return one.trust().level().source() == other.trust().level().source()
        ? NoteConflict.Type.SEMANTIC
        : NoteConflict.Type.SOURCE_MISMATCH;
  }

  private boolean areOfDifferentTimes(Note one, Note other) {
    Duration apart = Duration.between(Trusting.since(one), Trusting.since(other)).abs();
    return !one.valid().equals(other.valid()) || apart.compareTo(rule.monthFor()) > 0;
  }

  /** Of two that are equal in all, the one with the smaller id, which is the first. */
  private static boolean isPreferred(Side one, Side other) {
    if (one.isCode() != other.isCode()) {
      return one.isCode();
    }
    int trust = Integer.compare(one.trust().value(), other.trust().value());
    return trust == 0
        ? !Trusting.since(one.note()).isBefore(Trusting.since(other.note()))
        : trust > 0;
  }

  private static String reason(Side winner, Side loser) {
    if (winner.isCode() != loser.isCode()) {
      return "Code is source of truth";
    }
    if (winner.trust().value() > loser.trust().value()) {
      return winner.trust().level().title() + " > " + loser.trust().level().title();
    }
    return Trusting.since(winner.note()).equals(Trusting.since(loser.note()))
        ? "Same trust level and time, preferring the one that was written first"
        : "Same trust level, preferring newer";
  }
}
