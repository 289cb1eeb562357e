package dev.caliber.memory.command;

import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.SubjectScope;
import dev.caliber.memory.record.Texts;
import java.time.Instant;
import java.util.Optional;

/**
 * A question to memory.
 *
 * @param limit the most hits
 * @param maxTokens the most tokens of all hits together; hits that do not fit are left out whole
 * @param asOf as memory was at this time; empty: as it is now
 * @param minSimilarity hits below this similarity are left out, from 0 to 1; empty: as the settings
 *     say
 * @param visible the subjects whose records may be answered; {@link RecallFilter#subject} narrows
 *     the answer further
 */
public record RecallQuery(
    String text,
    int limit,
    Optional<Integer> maxTokens,
    RecallFilter filter,
    Optional<Instant> asOf,
    Optional<Double> minSimilarity,
    SubjectScope visible) {
  public RecallQuery {
    Texts.requireFilled("query", text);
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

  /** A query that sees the records of every subject. */
  public RecallQuery(
      String text,
      int limit,
      Optional<Integer> maxTokens,
      RecallFilter filter,
      Optional<Instant> asOf) {
    this(text, limit, maxTokens, filter, asOf, Optional.empty(), SubjectScope.every());
  }

  public static RecallQuery of(String text, int limit) {
    return new RecallQuery(text, limit, Optional.empty(), RecallFilter.any(), Optional.empty());
  }

  public RecallQuery within(int tokens) {
    return new RecallQuery(text, limit, Optional.of(tokens), filter, asOf, minSimilarity, visible);
  }

  public RecallQuery among(RecallFilter other) {
    return new RecallQuery(text, limit, maxTokens, other, asOf, minSimilarity, visible);
  }

  public RecallQuery asOf(Instant time) {
    return new RecallQuery(
        text, limit, maxTokens, filter, Optional.of(time), minSimilarity, visible);
  }

  /** Answers only records without a subject, and those of the subjects in the scope. */
  public RecallQuery visibleTo(SubjectScope scope) {
    return new RecallQuery(text, limit, maxTokens, filter, asOf, minSimilarity, scope);
  }

  /** Leaves out hits that are less similar. */
  public RecallQuery atLeast(double similarity) {
    return new RecallQuery(text, limit, maxTokens, filter, asOf, Optional.of(similarity), visible);
  }
}
