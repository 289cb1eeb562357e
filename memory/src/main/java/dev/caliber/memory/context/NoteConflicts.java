package dev.caliber.memory.context;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.TrustRule;
import dev.caliber.memory.record.Note;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Which notes of a window are known to contradict each other, and which of two to prefer: code,
 * else what is trusted more, else what is newer. Of many that contradict each other, only so many
 * pairs are named, and the others are counted.
 */
final class NoteConflicts {
  /** The most pairs that are named. */
  static final int PAIRS_BOUND = 20;

  private static final Comparator<Pair> MOST_DECISIVE =
      Comparator.comparing(Pair::isOfCode)
          .thenComparingInt(Pair::gap)
          .reversed()
          .thenComparing(pair -> pair.one().id())
          .thenComparing(pair -> pair.other().id());

  private final TrustRule rule;
  private final Map<Id, Side> sides = new LinkedHashMap<>();

  NoteConflicts(TrustRule rule) {
    this.rule = rule;
  }

  private record Side(Note note, Trust trust, Set<Id> against) {
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
  private record Pair(Side one, Side other) {
    static Pair of(Side one, Side other) {
      return one.id().compareTo(other.id()) < 0 ? new Pair(one, other) : new Pair(other, one);
    }

    boolean isOfCode() {
      return one.isCode() != other.isCode();
    }

    int gap() {
      return Math.abs(one.trust().value() - other.trust().value());
    }
  }

  /**
   * What is known.
   *
   * @param pairs each pair once, those that are decided most clearly first
   * @param more how many others there are
   */
  record Known(List<NoteConflict> pairs, int more) {
    static final Known NOTHING = new Known(List.of(), 0);

    Known {
      pairs = List.copyOf(pairs);
    }
  }

  void add(Note note, Trust trust) {
    sides.put(note.id(), new Side(note, trust, Set.copyOf(note.conflictsWith())));
  }

  Known all() {
    TreeSet<Pair> first = new TreeSet<>(MOST_DECISIVE);
    int count = 0;
    for (Pair pair : (Iterable<Pair>) pairs()::iterator) {
      count++;
      first.add(pair);
      if (first.size() > PAIRS_BOUND) {
        first.pollLast();
      }
    }
    return new Known(first.stream().map(this::conflict).toList(), count - first.size());
  }

  /** Each pair once; in the past, only one of two may know of it. */
  private Stream<Pair> pairs() {
    return sides.values().stream()
        .flatMap(
            side ->
                side.against().stream()
                    .flatMap(other -> Optional.ofNullable(sides.get(other)).stream())
                    .filter(other -> isFirst(side, other))
                    .map(other -> Pair.of(side, other)));
  }

  private static boolean isFirst(Side side, Side other) {
    int order = side.id().compareTo(other.id());
    return order < 0 || (order > 0 && !other.against().contains(side.id()));
  }

  private NoteConflict conflict(Pair pair) {
    Side one = pair.one();
    Side other = pair.other();
    boolean first = isPreferred(one, other);
    return new NoteConflict(
        type(one, other),
        one.id(),
        other.id(),
        first ? one.id() : other.id(),
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
