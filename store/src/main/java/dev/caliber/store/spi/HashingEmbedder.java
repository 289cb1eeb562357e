package dev.caliber.store.spi;

import dev.caliber.kernel.FieldHash;
import dev.caliber.kernel.KernelException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Embedder that adds up one pseudo-random direction for each word; equal texts give equal vectors.
 */
final class HashingEmbedder implements Embedder {

  private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}]+");
  private static final int MOST_DIMENSIONS = 4096;
  /* Number of elements that each word moves, chosen by its hash: two words rarely look alike. */
  private static final int ELEMENTS_PER_WORD = 8;

  private final int dimensions;

  HashingEmbedder(int dimensions) {
    if (dimensions < 1 || dimensions > MOST_DIMENSIONS) {
      throw KernelException.invalidValue(
          "dimensions", "1 to " + MOST_DIMENSIONS, Integer.toString(dimensions));
    }
    this.dimensions = dimensions;
  }

  @Override
  public String model() {
    return "hashing-" + dimensions;
  }

  @Override
  public int dimensions() {
    return dimensions;
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
    var vector = new float[dimensions];
    addWord(vector, "");
    Matcher words = WORD.matcher(text.toLowerCase(Locale.ROOT));
    while (words.find()) {
      addWord(vector, words.group());
    }
    return normalized(vector);
  }

  private void addWord(float[] vector, String word) {
    var hash = ByteBuffer.wrap(FieldHash.sha256(word.getBytes(StandardCharsets.UTF_8)));
    for (int i = 0; i < ELEMENTS_PER_WORD; i++) {
      int bits = hash.getInt();
      vector[(bits >>> 1) % dimensions] += (bits & 1) == 0 ? 1 : -1;
    }
  }

  /** Returns the vector with length 1; one whose words cancel out points along the first axis. */
  private static float[] normalized(float[] vector) {
    double squares = 0;
    for (float element : vector) {
      squares += (double) element * element;
    }
    if (squares == 0) {
      vector[0] = 1;
      return vector;
    }
    for (int i = 0; i < vector.length; i++) {
      vector[i] = (float) (vector[i] / Math.sqrt(squares));
    }
    return vector;
  }

  @Override
  public void close() {
    // holds no resources
  }
}
