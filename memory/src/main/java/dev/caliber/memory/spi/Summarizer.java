package dev.caliber.memory.spi;

import java.util.List;

/**
 * Makes a summary. It may be slow and may fail: it is called before a commit, never inside one, and
 * when it throws, the extractive one takes its place and says so.
 */
@FunctionalInterface
public interface Summarizer {
  Summary summarize(List<Passage> passages);
}
