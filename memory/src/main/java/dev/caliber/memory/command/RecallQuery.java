package dev.caliber.memory.command;

import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.Texts;
import java.time.Instant;
import java.util.Optional;

/**
 * A question to memory.
 *
 * @param limit the most hits
 * @param maxTokens the most tokens of all hits together; hits that do not fit are left out whole
 * @param asOf as memory was at this time; empty: as it is now
 */
public record RecallQuery(
    String text,
    int limit,
    Optional<Integer> maxTokens,
    RecallFilter filter,
    Optional<Instant> asOf) {
  public RecallQuery {
    Texts.requireFilled("query", text);
    if (limit < 1) {
      throw MemoryException.invalid("limit", "1 or more", Integer.toString(limit));
    }
    if (maxTokens.filter(tokens -> tokens < 1).isPresent()) {
      throw MemoryException.invalid("max_tokens", "1 or more", maxTokens.get().toString());
    }
  }

  public static RecallQuery of(String text, int limit) {
    return new RecallQuery(text, limit, Optional.empty(), RecallFilter.any(), Optional.empty());
  }

  public RecallQuery within(int tokens) {
    return new RecallQuery(text, limit, Optional.of(tokens), filter, asOf);
  }

  public RecallQuery among(RecallFilter other) {
    return new RecallQuery(text, limit, maxTokens, other, asOf);
  }

  public RecallQuery asOf(Instant time) {
    return new RecallQuery(text, limit, maxTokens, filter, Optional.of(time));
  }
}
