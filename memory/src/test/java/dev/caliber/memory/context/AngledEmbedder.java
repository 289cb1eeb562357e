package dev.caliber.memory.context;

import dev.caliber.store.spi.Embedder;
import dev.caliber.store.spi.Embedding;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Embedder that gives every query one vector, and a passage the vector with the cosine that its
 * text names, such as {@code 0.25}; other passages are orthogonal to every query. Counts the
 * queries.
 */
public final class AngledEmbedder implements Embedder {
  private static final Pattern COSINE = Pattern.compile("0\\.\\d+");

  private final String model;
  private final AtomicInteger queries = new AtomicInteger();

  public AngledEmbedder(String model) {
    this.model = model;
  }

  public int queries() {
    return queries.get();
  }

  @Override
  public String model() {
    return model;
  }

  @Override
  public int dimensions() {
    return vector(0, 0, 0).length;
  }

  @Override
  public String prefix(EmbeddingPurpose embeddingPurpose) {
    return "";
  }

  @Override
  public List<Embedding> embed(EmbeddingPurpose embeddingPurpose, List<String> texts) {
    queries.addAndGet(embeddingPurpose == EmbeddingPurpose.QUERY ? texts.size() : 0);
    return texts.stream()
        .map(
            text ->
                Embedding.of(
                    embeddingPurpose == EmbeddingPurpose.QUERY ? vector(1, 0, 0) : passage(text)))
        .toList();
  }

  private static float[] passage(String text) {
    Matcher cosine = COSINE.matcher(text);
    if (!cosine.find()) {
      return vector(0, 0, 1);
    }
    double named = Double.parseDouble(cosine.group());
    return vector(named, Math.sqrt(1 - named * named), 0);
  }

  private static float[] vector(double along, double across, double beside) {
    return new float[] {(float) along, (float) across, (float) beside};
  }

  @Override
  public void close() {
    // nothing to close
  }
}
