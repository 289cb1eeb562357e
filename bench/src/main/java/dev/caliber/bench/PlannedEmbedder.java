package dev.caliber.bench;

import dev.caliber.store.spi.Embedder;
import dev.caliber.store.spi.Embedding;
import java.util.List;

/** Hands out the corpus's vectors by the documents' ids, so that no model is measured. */
final class PlannedEmbedder implements Embedder {

  private final Corpus corpus;

  PlannedEmbedder(Corpus corpus) {
    this.corpus = corpus;
  }

  @Override
  public String model() {
    return "planned";
  }

  @Override
  public int dimensions() {
    return Corpus.DIMENSIONS;
  }

  @Override
  public String prefix(Purpose purpose) {
    return "";
  }

  @Override
  public List<Embedding> embed(Purpose purpose, List<String> texts) {
    return texts.stream().map(text -> Embedding.of(vector(text))).toList();
  }

  private float[] vector(String text) {
    return text.matches("p[0-9]+")
        ? corpus.vector(Corpus.number(text))
        : corpus.question(text.hashCode());
  }

  @Override
  public void close() {
    // holds nothing
  }
}
