package dev.caliber.memory.text;

import dev.caliber.memory.text.Contradiction.Kind;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Holds statements against each other by rules. Two clauses are compared when they speak of the
 * same thing: a denial with whatever has enough of the words it denies; any others when enough of
 * their words are common.
 */
record Contradictions(double overlap) {
  /** One common word is chance, unless nothing else is said. */
  private static final int COMMON_WORDS_BOUND = 2;

  /** The first is what was said earlier. A change counts only where nothing stronger is. */
  Optional<Contradiction> between(List<Statement> ones, List<Statement> others) {
    List<Contradiction> found =
        ones.stream().flatMap(left -> others.stream().flatMap(right -> kind(left, right))).toList();
    return found.stream()
        .filter(each -> each.kind() != Kind.CHANGE)
        .findFirst()
        .or(() -> found.stream().findFirst());
  }

  private Stream<Contradiction> kind(Statement one, Statement other) {
    return find(one, other).stream().map(kind -> new Contradiction(kind, one.text(), other.text()));
  }

  private Optional<Kind> find(Statement one, Statement other) {
    if (one.isDenial() != other.isDenial()) {
      return denial(one, other);
    }
    if (States.opposite(one, other, overlap)) {
      return Optional.of(Kind.STATE);
    }
    if (one.values().differFrom(other.values())) {
      return Optional.of(Kind.VALUE);
    }
    boolean counted = haveFiguresOfOne(one, other) && isAboutTheSame(one, other);
    return counted || one.isLike(other) ? otherFigure(one, other) : Optional.empty();
  }

  /** Never is about the time before it is said. */
  private Optional<Kind> denial(Statement earlier, Statement later) {
    if (denies(later, earlier)) {
      return Optional.of(Kind.NEGATION);
    }
    boolean never = earlier.denial().filter(Statement.Denial::never).isPresent();
    boolean apart = !earlier.sentence().equals(later.sentence());
    return Optional.of(never && apart ? Kind.CHANGE : Kind.NEGATION)
        .filter(_ -> denies(earlier, later));
  }

  private boolean denies(Statement one, Statement said) {
    return one.denial().filter(denial -> one.isLike(said) || denies(one, denial, said)).isPresent();
  }

  /**
   * Never is denied by a deed whose sentence has its words, however much else is said with them;
   * not is about the clause alone, and about what is denied of its subject.
   */
  private boolean denies(Statement one, Statement.Denial denial, Statement said) {
    if (denial.never()) {
      Set<String> words = said.beside(one);
      return isDeedOf(one, said)
          && (said.isPointing() || Likeness.common(denial.words(), said.words()) > 0)
          && Likeness.common(denial.words(), words) >= COMMON_WORDS_BOUND
          && Likeness.covered(denial.words(), words) >= overlap;
    }
    return Likeness.common(denial.words(), said.words()) >= COMMON_WORDS_BOUND
        && Likeness.covered(denial.predicate(), said.words()) >= overlap
        && Likeness.of(denial.words(), said.words()) >= overlap;
  }

  /** Whoever says that they never did something is contradicted by a deed of their own. */
  private static boolean isDeedOf(Statement denial, Statement said) {
    return denial.deed() == Deed.OTHERS ? said.deed() == Deed.OTHERS : said.deed() == Deed.OWN;
  }

  private boolean isAboutTheSame(Statement one, Statement other) {
    return !one.words().isEmpty() && Likeness.of(one.words(), other.words()) >= overlap;
  }

  private static boolean haveFiguresOfOne(Statement one, Statement other) {
    return one.hasFigures() && other.hasFigures() && one.ordinals().equals(other.ordinals());
  }

  private static Optional<Kind> otherFigure(Statement one, Statement other) {
    if (!one.dates().isEmpty()
        && !other.dates().isEmpty()
        && one.dates().stream().noneMatch(other.dates()::contains)) {
      return Optional.of(Kind.DATE);
    }
    return Optional.of(Kind.NUMBER).filter(_ -> otherAmount(one, other));
  }

  /** The same thing counted twice with another result, and no count in common. */
  private static boolean otherAmount(Statement one, Statement other) {
    return (one.words().size() >= COMMON_WORDS_BOUND || one.isLike(other))
        && one.amounts().stream().noneMatch(other.amounts()::contains)
        && one.amounts().stream()
            .anyMatch(
                left -> other.amounts().stream().anyMatch(right -> left.of().equals(right.of())));
  }
}
