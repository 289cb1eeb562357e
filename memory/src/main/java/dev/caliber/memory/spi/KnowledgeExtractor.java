package dev.caliber.memory.spi;

import java.util.List;

/**
 * Extractor of findings that are worth keeping. It may be slow and may fail: it is called before a
 * commit, never inside one. If it throws, rules replace it and mark their findings. It selects text
 * and does not write it: a finding that is not in a passage is dropped.
 */
@FunctionalInterface
public interface KnowledgeExtractor {
  ExtractionResult extract(List<Passage> passages);
}
