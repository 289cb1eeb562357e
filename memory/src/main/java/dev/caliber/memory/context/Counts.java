package dev.caliber.memory.context;

import dev.caliber.kernel.Hashing;
import dev.caliber.memory.spi.TokenCounter;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Counts of tokens, remembered by counter and hash of the text, the least recently used go. */
final class Counts {
  private static final float LOAD = 0.75f;

  private final Map<String, Integer> counts;

  Counts(int kept) {
    this.counts =
        new LinkedHashMap<>(0, LOAD, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<String, Integer> eldest) {
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
    String key = Hashing.hash("tokens", counter.identity(), text);
    Integer known = find(key);
    if (known != null) {
      return known;
    }
    int counted = counter.count(text);
    keep(key, counted);
    return counted;
  }

  private @Nullable Integer find(String key) {
    synchronized (counts) {
      return counts.get(key);
    }
  }

  private void keep(String key, int counted) {
    synchronized (counts) {
      counts.put(key, counted);
    }
  }
}
