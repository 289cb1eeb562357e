package dev.caliber.bench;

import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.PriorityQueue;
import java.util.Set;

/** Every vector compared in a loop: the exact answer, and the rate of the simplest thing. */
final class PlainScan {

  private final float[][] vectors;

  PlainScan(Corpus corpus) {
    vectors = new float[corpus.size()][];
    for (int i = 0; i < vectors.length; i++) {
      vectors[i] = corpus.vector(i);
    }
  }

  private record Near(int number, float score) {}

  Set<String> nearest(float[] question, int limit) {
    PriorityQueue<Near> best =
        new PriorityQueue<>(
            Comparator.comparingDouble(Near::score)
                .thenComparing(Comparator.comparingInt(Near::number).reversed()));
    for (int i = 0; i < vectors.length; i++) {
      float score = dot(vectors[i], question);
      if (best.size() < limit || score > best.element().score) {
        best.add(new Near(i, score));
        if (best.size() > limit) {
          best.remove();
        }
      }
    }
    Set<String> ids = new LinkedHashSet<>();
    best.forEach(near -> ids.add(Corpus.id(near.number)));
    return ids;
  }

  float[] vector(int number) {
    return vectors[number];
  }

  private static float dot(float[] a, float[] b) {
    float sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }
}
