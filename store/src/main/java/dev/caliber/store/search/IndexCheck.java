package dev.caliber.store.search;

import java.util.List;

/**
 * An index held against its records.
 *
 * @param digest equal for two indexes that hold the same documents and vectors
 * @param differences how many documents are missing, outdated or too many
 * @param examples some of them, with their reasons
 */
public record IndexCheck(
    long documents, long vectors, String digest, long differences, List<String> examples) {

  public IndexCheck {
    examples = List.copyOf(examples);
  }
}
