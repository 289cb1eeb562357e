package dev.caliber.memory.text;

import dev.caliber.memory.text.Contradiction.ContradictionKind;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Compares statements by rules. Two clauses are compared when they have one topic: a denial with
 * any clause that has enough of the denied words; other clauses when enough of their words are
 * common.
 */
record ContradictionRules(double overlap) {
  /** One common word is chance, unless the clauses say nothing else. */
  private static final int COMMON_WORDS_BOUND = 2;

  /**
   * The first argument is the earlier statement. A change is reported only if no other kind is
   * found.
   */
  Optional<Contradiction> findContradiction(List<TextClause> ones, List<TextClause> others) {
    List<Contradiction> found =
        ones.stream()
            .flatMap(left -> others.stream().flatMap(right -> compareClauses(left, right)))
            .toList();
    return found.stream()
        .filter(each -> each.kind() != ContradictionKind.CHANGE)
        .findFirst()
        .or(() -> found.stream().findFirst());
  }

  private Stream<Contradiction> compareClauses(TextClause one, TextClause other) {
    return findKind(one, other).stream()
        .map(contradictionKind -> new Contradiction(contradictionKind, one.text(), other.text()));
  }

  private Optional<ContradictionKind> findKind(TextClause one, TextClause other) {
    if (one.isDenial() != other.isDenial()) {
      return denialKind(one, other);
    }
    if (Antonyms.areOpposite(one, other, overlap)) {
      return Optional.of(ContradictionKind.STATE);
    }
    if (one.values().hasDifferentValue(other.values())) {
      return Optional.of(ContradictionKind.VALUE);
    }
    boolean counted = haveComparableFigures(one, other) && hasSameTopic(one, other);
    return counted || one.hasSameSignature(other) ? figureKind(one, other) : Optional.empty();
  }

  /** "Never" covers only the time before it is said. */
  private Optional<ContradictionKind> denialKind(TextClause earlier, TextClause later) {
    if (denies(later, earlier)) {
      return Optional.of(ContradictionKind.NEGATION);
    }
    boolean never = earlier.denial().filter(TextClause.ClauseDenial::never).isPresent();
    boolean apart = !earlier.sentence().equals(later.sentence());
    return Optional.of(never && apart ? ContradictionKind.CHANGE : ContradictionKind.NEGATION)
        .filter(_ -> denies(earlier, later));
  }

  private boolean denies(TextClause one, TextClause said) {
    return one.denial()
        .filter(clauseDenial -> one.hasSameSignature(said) || denies(one, clauseDenial, said))
        .isPresent();
  }

  /**
   * A "never" is denied by an action whose sentence has its words, whatever other words that
   * sentence has. A "not" is compared with the clause alone and with what is denied of its subject.
   */
  private boolean denies(TextClause one, TextClause.ClauseDenial clauseDenial, TextClause said) {
    if (clauseDenial.never()) {
      Set<String> words = said.topicWordsBeside(one);
      return isDeniedAction(one, said)
          && (said.hasPointingWord()
              || WordOverlap.commonCount(clauseDenial.words(), said.words()) > 0)
          && WordOverlap.commonCount(clauseDenial.words(), words) >= COMMON_WORDS_BOUND
          && WordOverlap.coverage(clauseDenial.words(), words) >= overlap;
    }
    return WordOverlap.commonCount(clauseDenial.words(), said.words()) >= COMMON_WORDS_BOUND
        && WordOverlap.coverage(clauseDenial.predicate(), said.words()) >= overlap
        && WordOverlap.jaccardSimilarity(clauseDenial.words(), said.words()) >= overlap;
  }

  /** A speaker who denies an action of their own is contradicted only by an action of their own. */
  private static boolean isDeniedAction(TextClause denial, TextClause said) {
    return denial.action() == ReportedAction.OTHERS
        ? said.action() == ReportedAction.OTHERS
        : said.action() == ReportedAction.OWN;
  }

  private boolean hasSameTopic(TextClause one, TextClause other) {
    return !one.words().isEmpty()
        && WordOverlap.jaccardSimilarity(one.words(), other.words()) >= overlap;
  }

  private static boolean haveComparableFigures(TextClause one, TextClause other) {
    return one.hasFigures() && other.hasFigures() && one.ordinals().equals(other.ordinals());
  }

  private static Optional<ContradictionKind> figureKind(TextClause one, TextClause other) {
    if (!one.dates().isEmpty()
        && !other.dates().isEmpty()
        && one.dates().stream().noneMatch(other.dates()::contains)) {
      return Optional.of(ContradictionKind.DATE);
    }
    return Optional.of(ContradictionKind.NUMBER).filter(_ -> hasOtherAmount(one, other));
  }

  /** Returns whether both clauses count one thing with different results and share no count. */
  private static boolean hasOtherAmount(TextClause one, TextClause other) {
    return (one.words().size() >= COMMON_WORDS_BOUND || one.hasSameSignature(other))
        && one.amounts().stream().noneMatch(other.amounts()::contains)
        && one.amounts().stream()
            .anyMatch(
                left ->
                    other.amounts().stream().anyMatch(right -> left.unit().equals(right.unit())));
  }
}
