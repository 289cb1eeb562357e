package dev.caliber.store.search;

import java.util.List;

/**
 * Documents of one index that wait for vectors.
 *
 * @param recipe says how their texts are cut
 */
record Waiting(IndexRecipe recipe, List<String> documents) {

  Waiting {
    documents = List.copyOf(documents);
  }
}
