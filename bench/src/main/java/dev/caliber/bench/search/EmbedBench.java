package dev.caliber.bench.search;

import com.sun.management.OperatingSystemMXBean;
import dev.caliber.bench.harness.BenchException;
import dev.caliber.bench.harness.BenchReport;
import dev.caliber.bench.harness.Figure;
import dev.caliber.bench.harness.Stopwatch;
import dev.caliber.models.Models;
import dev.caliber.models.ModelsConfig;
import dev.caliber.store.spi.Embedder;
import dev.caliber.store.spi.Embedder.EmbeddingPurpose;
import dev.caliber.store.spi.Embedding;
import java.lang.management.ManagementFactory;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Measures one build of the model on conversations: its speed, and the recall of dense search
 * alone.
 */
public final class EmbedBench {

  private static final int TOP = 10;

  private final List<LocomoTurns> conversations;
  private final BenchReport benchReport;

  public EmbedBench(List<LocomoTurns> conversations, BenchReport benchReport) {
    this.conversations = conversations;
    this.benchReport = benchReport;
  }

  public void measure(ModelsConfig config) {
    try (var models = Models.open(config, Map.of(), Stopwatch.clock())) {
      measure(models.embedder("bench embed"));
    }
  }

  private void measure(Embedder embedder) {
    var figures = benchReport.section(embedder.model(), "LoCoMo, dense search alone");
    long wall = Stopwatch.nanos();
    long cpu = cpuNanos();
    var passages =
        conversations.stream()
            .map(all -> vectors(embedder, EmbeddingPurpose.PASSAGE, all.texts()))
            .toList();
    double cpuSeconds = Stopwatch.seconds(cpuNanos() - cpu);
    double seconds = Stopwatch.seconds(Stopwatch.nanos() - wall);
    int turns = passages.stream().mapToInt(List::size).sum();
    figures.add("turns", turns, Figure.FigureUnit.COUNT);
    figures.add("turns per second", turns / seconds, Figure.FigureUnit.PER_SECOND);
    figures.add("turns per CPU second", turns / cpuSeconds, Figure.FigureUnit.PER_SECOND);
    figures.add("turn-level R@10", measureRecall(embedder, passages), Figure.FigureUnit.RATIO);
    figures.add(
        "mean cosine of unrelated texts", Models.meanCosine(embedder), Figure.FigureUnit.RATIO);
  }

  /** Returns the mean share of evidence in the first ten; a question without evidence counts 1. */
  private double measureRecall(Embedder embedder, List<List<float[]>> passages) {
    double sum = 0;
    int questions = 0;
    for (int i = 0; i < passages.size(); i++) {
      var all = conversations.get(i).questions();
      var texts = all.stream().map(LocomoTurns.LocomoQuestion::text).toList();
      List<float[]> queries = vectors(embedder, EmbeddingPurpose.QUERY, texts);
      for (int q = 0; q < queries.size(); q++) {
        List<String> top = topIds(queries.get(q), passages.get(i), conversations.get(i).ids());
        sum += foundShare(all.get(q).evidence(), top);
      }
      questions += queries.size();
    }
    return sum / questions;
  }

  private static double foundShare(List<String> evidence, List<String> top) {
    double hits = evidence.stream().filter(top::contains).count();
    return evidence.isEmpty() ? 1 : hits / evidence.size();
  }

  private static List<String> topIds(float[] query, List<float[]> passages, List<String> ids) {
    double[] scores =
        passages.stream().mapToDouble(passage -> dotProduct(query, passage)).toArray();
    return IntStream.range(0, scores.length)
        .boxed()
        .sorted(Comparator.comparingDouble((Integer i) -> -scores[i]))
        .limit(TOP)
        .map(ids::get)
        .toList();
  }

  private static double dotProduct(float[] a, float[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += (double) a[i] * b[i];
    }
    return sum;
  }

  private static List<float[]> vectors(
      Embedder embedder, EmbeddingPurpose embeddingPurpose, List<String> texts) {
    return embedder.embed(embeddingPurpose, texts).stream().map(EmbedBench::vector).toList();
  }

  private static float[] vector(Embedding embedding) {
    return switch (embedding) {
      case Embedding.Vector(float[] values) -> values;
      case Embedding.Failure failure -> throw BenchException.notEmbedded(failure.message());
    };
  }

  private static long cpuNanos() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }
}
