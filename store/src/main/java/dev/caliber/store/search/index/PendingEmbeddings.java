package dev.caliber.store.search.index;

import dev.caliber.store.search.format.IndexRecipe;
import java.util.List;

/**
 * Documents of one index that wait for vectors.
 *
 * @param recipe states how their texts are chunked
 */
record PendingEmbeddings(IndexRecipe recipe, List<String> documents) {

  PendingEmbeddings {
    documents = List.copyOf(documents);
  }
}
