package dev.caliber.bench.search;

import dev.caliber.store.spi.Embedder;
import dev.caliber.store.spi.Embedding;
import java.util.List;

/** Returns the corpus's vectors by the documents' ids, so that no model is measured. */
final class PrecomputedEmbedder implements Embedder {

  private final SearchCorpus searchCorpus;

  PrecomputedEmbedder(SearchCorpus searchCorpus) {
    this.searchCorpus = searchCorpus;
  }

  @Override
  public String model() {
    return "planned";
  }

  @Override
  public int dimensions() {
    return SearchCorpus.DIMENSIONS;
  }

  @Override
  public String prefix(EmbeddingPurpose embeddingPurpose) {
    return "";
  }

  @Override
  public List<Embedding> embed(EmbeddingPurpose embeddingPurpose, List<String> texts) {
    return texts.stream().map(text -> Embedding.of(vector(text))).toList();
  }

  private float[] vector(String text) {
    return text.matches("p[0-9]+")
        ? searchCorpus.vector(SearchCorpus.numberOf(text))
        : searchCorpus.questionVector(text.hashCode());
  }

  @Override
  public void close() {
    // holds nothing
  }
}
