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
  /** One common word is chance. */
  private static final int COMMON_WORDS_BOUND = 2;

  Optional<Contradiction> between(String one, String other) {
    List<Statement> others = Statement.of(other);
    return Statement.of(one).stream()
        .flatMap(left -> others.stream().flatMap(right -> kind(left, right)))
        .findFirst();
  }

  private Stream<Contradiction> kind(Statement one, Statement other) {
    return find(one, other).stream().map(kind -> new Contradiction(kind, one.text(), other.text()));
  }

  private Optional<Kind> find(Statement one, Statement other) {
    if (one.isDenial() != other.isDenial()) {
      return Optional.of(Kind.NEGATION).filter(_ -> denies(one, other) || denies(other, one));
    }
    if (States.opposite(one.words(), other.words(), overlap)) {
      return Optional.of(Kind.STATE);
    }
    if (Values.differ(one.text(), other.text())) {
      return Optional.of(Kind.VALUE);
    }
    return isAboutTheSame(one, other) ? otherFigure(one, other) : Optional.empty();
  }

  private boolean denies(Statement denial, Statement said) {
    if (!denial.isDenial()) {
      return false;
    }
    Set<String> words = denial.never() ? said.around() : said.words();
    long common = denial.denied().stream().filter(words::contains).count();
    return common >= COMMON_WORDS_BOUND && share(denial, words) >= overlap;
  }

  /**
   * Never is denied by anything that has its words, however much else is said with them; not is
   * about the clause alone.
   */
  private static double share(Statement denial, Set<String> words) {
    return denial.never()
        ? Likeness.covered(denial.denied(), words)
        : Likeness.of(denial.denied(), words);
  }

  private boolean isAboutTheSame(Statement one, Statement other) {
    return !one.words().isEmpty() && Likeness.of(one.words(), other.words()) >= overlap;
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
    return one.words().size() >= COMMON_WORDS_BOUND
        && one.amounts().stream().noneMatch(other.amounts()::contains)
        && one.amounts().stream()
            .anyMatch(
                left -> other.amounts().stream().anyMatch(right -> left.of().equals(right.of())));
  }
}
