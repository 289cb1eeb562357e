package dev.caliber.store.search;

import java.util.List;

/**
 * Result of comparing an index with its records.
 *
 * @param digest equal for two indexes that hold the same documents and vectors
 * @param differences the number of missing, outdated or surplus documents
 * @param examples some of them, with their reasons
 */
public record IndexCheckReport(
    long documents, long vectors, String digest, long differences, List<String> examples) {

  public IndexCheckReport {
    examples = List.copyOf(examples);
  }
}
