package dev.caliber.bench.search;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Documents that an index cannot tell from real ones: vectors in clusters, words by Zipf's law,
 * sessions of 50, and one of a hundred buckets for a filter. A seed determines everything.
 */
public final class SearchCorpus {

  static final int DIMENSIONS = 384;
  static final int BUCKETS = 100;

  private static final int SESSION = 50;
  private static final int PER_CLUSTER = 100;
  private static final double SPREAD = 1.0;
  private static final int VOCABULARY = 30_000;
  private static final int WORDS = 30;
  private static final int QUESTION = 4;
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final int size;
  private final float[][] centres;

  SearchCorpus(int size) {
    this.size = size;
    int clusters = Math.max(10, size / PER_CLUSTER);
    centres = new float[clusters][];
    for (int i = 0; i < clusters; i++) {
      centres[i] = gaussianVector(new SplittableRandom(-1L - i));
    }
  }

  int size() {
    return size;
  }

  static String id(int number) {
    return "p%07d".formatted(number);
  }

  static int numberOf(String id) {
    return Integer.parseInt(id.substring(1));
  }

  BenchDocument passage(int number) {
    return new BenchDocument(
        id(number),
        "s" + number / SESSION,
        number % SESSION,
        "b" + number % BUCKETS,
        text(number),
        START.plusSeconds(number));
  }

  float[] vector(int number) {
    return clusteredVector(new SplittableRandom(number));
  }

  /** Returns a query vector that equals no document's. */
  float[] questionVector(int number) {
    return clusteredVector(new SplittableRandom(Long.MIN_VALUE + number));
  }

  public static String text(long number) {
    return randomWords(new SplittableRandom(number), WORDS);
  }

  public static String questionWords(long number) {
    return randomWords(new SplittableRandom(Long.MIN_VALUE + number), QUESTION);
  }

  private float[] clusteredVector(SplittableRandom random) {
    float[] centre = centres[random.nextInt(centres.length)];
    float[] vector = gaussianVector(random);
    double squares = 0;
    for (int i = 0; i < vector.length; i++) {
      vector[i] = (float) (centre[i] + SPREAD * vector[i]);
      squares += (double) vector[i] * vector[i];
    }
    for (int i = 0; i < vector.length; i++) {
      vector[i] = (float) (vector[i] / Math.sqrt(squares));
    }
    return vector;
  }

  private static float[] gaussianVector(SplittableRandom random) {
    float[] vector = new float[DIMENSIONS];
    for (int i = 0; i < vector.length; i++) {
      vector[i] = (float) random.nextGaussian();
    }
    return vector;
  }

  /** Returns random words; word n comes about 1/n as often as the first. */
  private static String randomWords(SplittableRandom random, int count) {
    List<String> words = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      words.add("w" + (int) Math.pow(VOCABULARY, random.nextDouble()));
    }
    return String.join(" ", words);
  }
}
