package dev.caliber.store.search;

import dev.caliber.kernel.Id;
import java.time.Instant;
import java.util.List;

/** Message in the change feed that these documents have been given vectors. */
record EmbeddingNotification(Id id, Instant createdAt, List<String> documents) {
  EmbeddingNotification {
    documents = List.copyOf(documents);
  }
}
