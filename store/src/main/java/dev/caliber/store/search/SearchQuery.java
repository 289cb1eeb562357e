package dev.caliber.store.search;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.spi.Embedder.Purpose;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;

/**
 * One question to the index.
 *
 * @param text the words; empty if only the vector asks
 * @param vector instead of embedding the text
 * @param purpose what the text is embedded for: a question, or a text like those that are searched
 * @param tables only these; all if empty
 * @param from only documents of this time or later
 * @param until only documents before this time
 * @param asOf the moment from which recency is counted; the present one if empty
 * @param minimumSimilarity only documents whose calibrated similarity is at least this
 * @param sequence the query waits until the index has applied this commit
 * @param weights in place of the configured ones, for the channels named
 * @param explain whether hits say how their score came about
 */
public record SearchQuery(
    SpaceId space,
    String text,
    Optional<QueryVector> vector,
    Purpose purpose,
    Set<String> tables,
    Optional<SearchFilter> filter,
    Optional<Instant> from,
    Optional<Instant> until,
    Optional<Instant> asOf,
    int limit,
    OptionalDouble minimumSimilarity,
    OptionalLong sequence,
    Map<Channel, Double> weights,
    boolean explain) {

  public SearchQuery {
    tables = Set.copyOf(tables);
    weights = Map.copyOf(weights);
  }

  /** A vector and the model that it comes from. */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  public record QueryVector(String model, float[] values) {}

  public static SearchQuery of(SpaceId space, String text, int limit) {
    return new SearchQuery(
        space,
        text,
        Optional.empty(),
        Purpose.QUERY,
        Set.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        limit,
        OptionalDouble.empty(),
        OptionalLong.empty(),
        Map.of(),
        false);
  }

  public SearchQuery withVector(String model, float[] values) {
    return with(new Draft(this).vector(new QueryVector(model, values)));
  }

  /** Looks for what says the same as the text, not for what answers it. */
  public SearchQuery alike() {
    return with(new Draft(this).purpose(Purpose.PASSAGE));
  }

  public SearchQuery in(String... names) {
    return with(new Draft(this).tables(Set.of(names)));
  }

  public SearchQuery where(SearchFilter condition) {
    return with(new Draft(this).filter(condition));
  }

  /** Only documents of this period; the end is outside. */
  public SearchQuery between(Instant start, Instant end) {
    return with(new Draft(this).period(start, end));
  }

  public SearchQuery asOf(Instant moment) {
    return with(new Draft(this).asOf(moment));
  }

  public SearchQuery atLeast(double similarity) {
    return with(new Draft(this).minimum(similarity));
  }

  /** Waits until the index has applied this commit. */
  public SearchQuery after(long commit) {
    return with(new Draft(this).sequence(commit));
  }

  public SearchQuery weighing(Map<Channel, Double> other) {
    return with(new Draft(this).weights(other));
  }

  public SearchQuery explained() {
    return with(new Draft(this).explain());
  }

  private static SearchQuery with(Draft draft) {
    return draft.done();
  }

  /** A copy with one part changed. */
  private static final class Draft {
    private final SearchQuery base;
    private Optional<QueryVector> vector;
    private Purpose purpose;
    private Set<String> tables;
    private Optional<SearchFilter> filter;
    private Optional<Instant> from;
    private Optional<Instant> until;
    private Optional<Instant> asOf;
    private OptionalDouble minimum;
    private OptionalLong sequence;
    private Map<Channel, Double> weights;
    private boolean explain;

    Draft(SearchQuery base) {
      this.base = base;
      vector = base.vector;
      purpose = base.purpose;
      tables = base.tables;
      filter = base.filter;
      from = base.from;
      until = base.until;
      asOf = base.asOf;
      minimum = base.minimumSimilarity;
      sequence = base.sequence;
      weights = base.weights;
      explain = base.explain;
    }

    Draft vector(QueryVector other) {
      vector = Optional.of(other);
      return this;
    }

    Draft purpose(Purpose other) {
      purpose = other;
      return this;
    }

    Draft tables(Set<String> other) {
      tables = other;
      return this;
    }

    Draft filter(SearchFilter other) {
      filter = Optional.of(other);
      return this;
    }

    Draft period(Instant start, Instant end) {
      from = Optional.of(start);
      until = Optional.of(end);
      return this;
    }

    Draft asOf(Instant moment) {
      asOf = Optional.of(moment);
      return this;
    }

    Draft minimum(double similarity) {
      minimum = OptionalDouble.of(similarity);
      return this;
    }

    Draft sequence(long commit) {
      sequence = OptionalLong.of(commit);
      return this;
    }

    Draft weights(Map<Channel, Double> other) {
      weights = other;
      return this;
    }

    Draft explain() {
      explain = true;
      return this;
    }

    SearchQuery done() {
      return new SearchQuery(
          base.space,
          base.text,
          vector,
          purpose,
          tables,
          filter,
          from,
          until,
          asOf,
          base.limit,
          minimum,
          sequence,
          weights,
          explain);
    }
  }
}
