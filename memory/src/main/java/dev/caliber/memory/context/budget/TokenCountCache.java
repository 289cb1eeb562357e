package dev.caliber.memory.context.budget;

import dev.caliber.kernel.FieldHash;
import dev.caliber.memory.spi.TokenCounter;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** LRU cache of token counts by counter and text. */
public final class TokenCountCache {
  private static final float LOAD = 0.75f;

  /** Longer texts are cached by their hash, so that the memory of the cache is bounded. */
  private static final int KEPT_BOUND = 512;

  private final Map<TokenCountKey, Integer> counts;

  private record TokenCountKey(String counter, boolean hashed, String text) {
    static TokenCountKey of(TokenCounter counter, String text) {
      boolean hashed = text.length() > KEPT_BOUND;
      return new TokenCountKey(
          counter.identity(), hashed, hashed ? FieldHash.hash("tokens", text) : text);
    }
  }

  public TokenCountCache(int kept) {
    this.counts =
        new LinkedHashMap<>(0, LOAD, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<TokenCountKey, Integer> eldest) {
            return size() > kept;
          }
        };
  }

  int countTokens(TokenCounter counter, String text) {
    return text.isEmpty()
        ? 0
        : counter.parts(text).stream().mapToInt(part -> countPart(counter, part)).sum();
  }

  private int countPart(TokenCounter counter, String text) {
    TokenCountKey tokenCountKey = TokenCountKey.of(counter, text);
    Integer known = findCount(tokenCountKey);
    if (known != null) {
      return known;
    }
    int counted = counter.count(text);
    putCount(tokenCountKey, counted);
    return counted;
  }

  private @Nullable Integer findCount(TokenCountKey tokenCountKey) {
    synchronized (counts) {
      return counts.get(tokenCountKey);
    }
  }

  private void putCount(TokenCountKey tokenCountKey, int counted) {
    synchronized (counts) {
      counts.put(tokenCountKey, counted);
    }
  }
}
