package dev.caliber.models;

import dev.caliber.store.spi.Embedder;
import dev.caliber.store.spi.Embedding;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Remembers the vectors of queries, so that asking twice embeds once. Failures are not kept. */
final class RememberingEmbedder implements Embedder {
  private static final float LOAD = 0.75f;

  private final Embedder embedder;
  private final Map<String, Embedding> known;

  private RememberingEmbedder(Embedder embedder, int queries) {
    this.embedder = embedder;
    this.known =
        new LinkedHashMap<>(0, LOAD, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<String, Embedding> eldest) {
            return size() > queries;
          }
        };
  }

  static Embedder of(Embedder embedder, int queries) {
    return queries == 0 ? embedder : new RememberingEmbedder(embedder, queries);
  }

  @Override
  public String model() {
    return embedder.model();
  }

  @Override
  public int dimensions() {
    return embedder.dimensions();
  }

  @Override
  public String prefix(Purpose purpose) {
    return embedder.prefix(purpose);
  }

  @Override
  public List<Embedding> embed(Purpose purpose, List<String> texts) {
    return purpose == Purpose.QUERY && texts.size() == 1
        ? List.of(query(texts.getFirst()))
        : embedder.embed(purpose, texts);
  }

  private Embedding query(String text) {
    Embedding remembered = find(text);
    if (remembered != null) {
      return remembered;
    }
    Embedding made = embedder.embed(Purpose.QUERY, List.of(text)).getFirst();
    if (made instanceof Embedding.Vector) {
      keep(text, made);
    }
    return made;
  }

  private @Nullable Embedding find(String text) {
    synchronized (known) {
      return known.get(text);
    }
  }

  private void keep(String text, Embedding made) {
    synchronized (known) {
      known.put(text, made);
    }
  }

  @Override
  public void close() {
    embedder.close();
  }
}
