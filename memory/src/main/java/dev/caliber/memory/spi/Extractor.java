package dev.caliber.memory.spi;

import java.util.List;

/**
 * Finds what is worth keeping. It may be slow and may fail: it is called before a commit, never
 * inside one, and when it throws, rules find in its place and what they find says so. It chooses
 * and does not write: words that stand in no passage are not taken.
 */
@FunctionalInterface
public interface Extractor {
  Extract extract(List<Passage> passages);
}
