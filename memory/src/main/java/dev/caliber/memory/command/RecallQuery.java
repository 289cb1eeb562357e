package dev.caliber.memory.command;

import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.ReadableSubjects;
import dev.caliber.memory.record.TextChecks;
import java.time.Instant;
import java.util.Optional;

/**
 * Query of a recall.
 *
 * @param limit maximum number of hits
 * @param maxTokens maximum number of tokens of all hits together; a hit that does not fit is left
 *     out
 * @param asOf searches memory as of this time; empty: now
 * @param minSimilarity hits below this similarity are left out, from 0 to 1; empty: as configured
 * @param visible the subjects whose records may be returned; {@link RecallFilter#subject} narrows
 *     the result further
 */
public record RecallQuery(
    String text,
    int limit,
    Optional<Integer> maxTokens,
    RecallFilter filter,
    Optional<Instant> asOf,
    Optional<Double> minSimilarity,
    ReadableSubjects visible) {
  public RecallQuery {
    TextChecks.requireNotBlank("query", text);
    if (limit < 1) {
      throw MemoryException.invalid("limit", "1 or more", Integer.toString(limit));
    }
    if (maxTokens.filter(tokens -> tokens < 1).isPresent()) {
      throw MemoryException.invalid("max_tokens", "1 or more", maxTokens.get().toString());
    }
    if (minSimilarity.filter(least -> !(least >= 0 && least <= 1)).isPresent()) {
      throw MemoryException.invalid("min_similarity", "0 to 1", minSimilarity.get().toString());
    }
  }

  /** Creates a query that sees the records of every subject. */
  public RecallQuery(
      String text,
      int limit,
      Optional<Integer> maxTokens,
      RecallFilter filter,
      Optional<Instant> asOf) {
    this(text, limit, maxTokens, filter, asOf, Optional.empty(), ReadableSubjects.everySubject());
  }

  public static RecallQuery of(String text, int limit) {
    return new RecallQuery(text, limit, Optional.empty(), RecallFilter.any(), Optional.empty());
  }

  public RecallQuery withMaxTokens(int tokens) {
    return new RecallQuery(text, limit, Optional.of(tokens), filter, asOf, minSimilarity, visible);
  }

  public RecallQuery withFilter(RecallFilter other) {
    return new RecallQuery(text, limit, maxTokens, other, asOf, minSimilarity, visible);
  }

  public RecallQuery withAsOf(Instant time) {
    return new RecallQuery(
        text, limit, maxTokens, filter, Optional.of(time), minSimilarity, visible);
  }

  /** Limits the hits to records of the subjects in the scope and those without a subject. */
  public RecallQuery withReadableSubjects(ReadableSubjects scope) {
    return new RecallQuery(text, limit, maxTokens, filter, asOf, minSimilarity, scope);
  }

  /** Sets the minimum similarity of hits. */
  public RecallQuery withMinSimilarity(double similarity) {
    return new RecallQuery(text, limit, maxTokens, filter, asOf, Optional.of(similarity), visible);
  }
}
