package dev.caliber.store.search.embed;

import dev.caliber.kernel.Id;
import java.time.Instant;
import java.util.List;

/** Message in the change feed that these documents have been given vectors. */
public record EmbeddingNotification(Id id, Instant createdAt, List<String> documents) {
  public EmbeddingNotification {
    documents = List.copyOf(documents);
  }
}
