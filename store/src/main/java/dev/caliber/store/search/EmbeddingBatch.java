package dev.caliber.store.search;

import dev.caliber.kernel.Id;
import java.time.Instant;
import java.util.List;

/** Message in the change feed that these documents have been given vectors. */
record EmbeddingBatch(Id id, Instant createdAt, List<String> documents) {
  EmbeddingBatch {
    documents = List.copyOf(documents);
  }
}
