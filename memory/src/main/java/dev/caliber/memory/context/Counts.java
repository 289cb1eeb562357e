package dev.caliber.memory.context;

import dev.caliber.kernel.Hashing;
import dev.caliber.memory.spi.TokenCounter;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Counts of tokens, remembered by counter and text, the least recently used go. */
final class Counts {
  private static final float LOAD = 0.75f;

  /** A text of more characters is remembered by its hash, so that the memory of all is bounded. */
  private static final int KEPT_BOUND = 512;

  private final Map<Key, Integer> counts;

  private record Key(String counter, boolean hashed, String text) {
    static Key of(TokenCounter counter, String text) {
      boolean hashed = text.length() > KEPT_BOUND;
      return new Key(counter.identity(), hashed, hashed ? Hashing.hash("tokens", text) : text);
    }
  }

  Counts(int kept) {
    this.counts =
        new LinkedHashMap<>(0, LOAD, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<Key, Integer> eldest) {
            return size() > kept;
          }
        };
  }

  int of(TokenCounter counter, String text) {
    return text.isEmpty()
        ? 0
        : counter.parts(text).stream().mapToInt(part -> ofPart(counter, part)).sum();
  }

  private int ofPart(TokenCounter counter, String text) {
    Key key = Key.of(counter, text);
    Integer known = find(key);
    if (known != null) {
      return known;
    }
    int counted = counter.count(text);
    keep(key, counted);
    return counted;
  }

  private @Nullable Integer find(Key key) {
    synchronized (counts) {
      return counts.get(key);
    }
  }

  private void keep(Key key, int counted) {
    synchronized (counts) {
      counts.put(key, counted);
    }
  }
}
