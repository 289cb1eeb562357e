package dev.caliber.bench.search;

import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.PriorityQueue;
import java.util.Set;

/** Compares every vector in a loop: the exact answer, and the rate of the simplest method. */
final class BruteForceScan {

  private final float[][] vectors;

  BruteForceScan(SearchCorpus searchCorpus) {
    vectors = new float[searchCorpus.size()][];
    for (int i = 0; i < vectors.length; i++) {
      vectors[i] = searchCorpus.vector(i);
    }
  }

  private record ScoredVector(int number, float score) {}

  Set<String> nearest(float[] question, int limit) {
    PriorityQueue<ScoredVector> best =
        new PriorityQueue<>(
            Comparator.comparingDouble(ScoredVector::score)
                .thenComparing(Comparator.comparingInt(ScoredVector::number).reversed()));
    for (int i = 0; i < vectors.length; i++) {
      float score = dotProduct(vectors[i], question);
      if (best.size() < limit || score > best.element().score) {
        best.add(new ScoredVector(i, score));
        if (best.size() > limit) {
          best.remove();
        }
      }
    }
    Set<String> ids = new LinkedHashSet<>();
    best.forEach(scoredVector -> ids.add(SearchCorpus.id(scoredVector.number)));
    return ids;
  }

  float[] vector(int number) {
    return vectors[number];
  }

  private static float dotProduct(float[] a, float[] b) {
    float sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }
}
