package dev.caliber.store.search;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.spi.Embedder.EmbeddingPurpose;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Query to the index.
 *
 * @param text the words; empty if the query has only a vector
 * @param vector instead of embedding the text
 * @param purpose what the text is embedded as: a question, or a text like the searched ones
 * @param tables only these; all if empty
 * @param from only documents of this time or later
 * @param until only documents before this time
 * @param asOf the moment from which recency is counted; the present one if empty
 * @param minimumSimilarity only documents whose calibrated similarity is at least this
 * @param sequence the query waits until the index has applied this commit
 * @param weights in place of the configured ones, for the channels named
 * @param explain whether hits contain the scores of their channels
 */
public record SearchQuery(
    SpaceId space,
    String text,
    Optional<QueryVector> vector,
    EmbeddingPurpose purpose,
    Set<String> tables,
    Optional<SearchFilter> filter,
    Optional<Instant> from,
    Optional<Instant> until,
    Optional<Instant> asOf,
    int limit,
    OptionalDouble minimumSimilarity,
    OptionalLong sequence,
    Map<SearchChannel, Double> weights,
    boolean explain) {

  public SearchQuery {
    tables = Set.copyOf(tables);
    weights = Map.copyOf(weights);
  }

  /** Vector and the model that it comes from. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record QueryVector(String model, float[] values) {}

  public static SearchQuery of(SpaceId space, String text, int limit) {
    return new SearchQuery(
        space,
        text,
        Optional.empty(),
        EmbeddingPurpose.QUERY,
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
    return with(new SearchQueryDraft(this).vector(new QueryVector(model, values)));
  }

  /** Returns a query for texts with the same content as this text, instead of answers to it. */
  public SearchQuery forSimilarTexts() {
    return with(new SearchQueryDraft(this).purpose(EmbeddingPurpose.PASSAGE));
  }

  public SearchQuery withTables(String... names) {
    return with(new SearchQueryDraft(this).tables(Set.of(names)));
  }

  public SearchQuery withFilter(SearchFilter condition) {
    return with(new SearchQueryDraft(this).filter(condition));
  }

  /** Restricts the query to documents of this period; the end is exclusive. */
  public SearchQuery withPeriod(Instant start, Instant end) {
    return with(new SearchQueryDraft(this).period(start, end));
  }

  public SearchQuery withAsOf(Instant moment) {
    return with(new SearchQueryDraft(this).asOf(moment));
  }

  public SearchQuery withMinimumSimilarity(double similarity) {
    return with(new SearchQueryDraft(this).minimum(similarity));
  }

  /** Lets the query wait until the index has applied this commit. */
  public SearchQuery withSequence(long commit) {
    return with(new SearchQueryDraft(this).sequence(commit));
  }

  public SearchQuery withWeights(Map<SearchChannel, Double> other) {
    return with(new SearchQueryDraft(this).weights(other));
  }

  public SearchQuery withExplanation() {
    return with(new SearchQueryDraft(this).explain());
  }

  private static SearchQuery with(SearchQueryDraft searchQueryDraft) {
    return searchQueryDraft.build();
  }

  /** Copy of a query with one part changed. */
  private static final class SearchQueryDraft {
    private final SearchQuery base;
    private Optional<QueryVector> vector;
    private EmbeddingPurpose embeddingPurpose;
    private Set<String> tables;
    private Optional<SearchFilter> filter;
    private Optional<Instant> from;
    private Optional<Instant> until;
    private Optional<Instant> asOf;
    private OptionalDouble minimum;
    private OptionalLong sequence;
    private Map<SearchChannel, Double> weights;
    private boolean explain;

    SearchQueryDraft(SearchQuery base) {
      this.base = base;
      vector = base.vector;
      embeddingPurpose = base.purpose;
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

    SearchQueryDraft vector(QueryVector other) {
      vector = Optional.of(other);
      return this;
    }

    SearchQueryDraft purpose(EmbeddingPurpose other) {
      embeddingPurpose = other;
      return this;
    }

    SearchQueryDraft tables(Set<String> other) {
      tables = other;
      return this;
    }

    SearchQueryDraft filter(SearchFilter other) {
      filter = Optional.of(other);
      return this;
    }

    SearchQueryDraft period(Instant start, Instant end) {
      from = Optional.of(start);
      until = Optional.of(end);
      return this;
    }

    SearchQueryDraft asOf(Instant moment) {
      asOf = Optional.of(moment);
      return this;
    }

    SearchQueryDraft minimum(double similarity) {
      minimum = OptionalDouble.of(similarity);
      return this;
    }

    SearchQueryDraft sequence(long commit) {
      sequence = OptionalLong.of(commit);
      return this;
    }

    SearchQueryDraft weights(Map<SearchChannel, Double> other) {
      weights = other;
      return this;
    }

    SearchQueryDraft explain() {
      explain = true;
      return this;
    }

    SearchQuery build() {
      return new SearchQuery(
          base.space,
          base.text,
          vector,
          embeddingPurpose,
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
