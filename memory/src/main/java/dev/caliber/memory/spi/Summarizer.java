package dev.caliber.memory.spi;

import java.util.List;

/**
 * Summarizer of passages. It may be slow and may fail: it is called before a commit, never inside
 * one. If it throws, an extractive summary replaces it and its method says so.
 */
@FunctionalInterface
public interface Summarizer {
  Summary summarize(List<Passage> passages);
}
