package dev.caliber.store.search.embed;

import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.Vectors;
import dev.caliber.store.RecordStore;
import dev.caliber.store.search.format.VectorSimilarity;
import dev.caliber.store.spi.Embedder;
import dev.caliber.store.spi.Embedder.EmbeddingPurpose;
import dev.caliber.store.spi.Embedding;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Calibration of a model's cosine (HNSW-08): the mean over pairs of unrelated texts is measured
 * once and stored.
 */
public final class ModelCalibration {

  private static final String STATEMENTS = "calibration.txt";
  private static final String QUESTIONS = "calibration-questions.txt";
  private static final String MESSAGES = "calibration-messages.txt";

  private final RecordStore store;
  private final Embedder embedder;
  private final Map<SpaceId, EmbeddingModelStatistics> known = new ConcurrentHashMap<>();

  public ModelCalibration(RecordStore store, Embedder embedder) {
    this.store = store;
    this.embedder = embedder;
  }

  /** Returns the measured model; measures it now if no process has. */
  public EmbeddingModelStatistics measureIfUnknown(SpaceId space) {
    return knownModel(space).orElseGet(() -> measureAndStore(space));
  }

  /** Returns the measured model; a space without one has no vectors either. */
  Optional<EmbeddingModelStatistics> knownModel(SpaceId space) {
    Optional<EmbeddingModelStatistics> found =
        Optional.ofNullable(known.get(space)).or(() -> storedModel(space));
    found.ifPresent(model -> known.put(space, model));
    return found;
  }

  private Optional<EmbeddingModelStatistics> storedModel(SpaceId space) {
    return store
        .read(space, snapshot -> snapshot.find(EmbeddingCache.MODELS, embedder.model()))
        .filter(model -> model.fits(embedder.dimensions()));
  }

  private EmbeddingModelStatistics measureAndStore(SpaceId space) {
    EmbeddingModelStatistics model =
        known.values().stream().findFirst().orElseGet(this::measure); // one model, many spaces
    return store.write(
        space,
        transaction -> {
          transaction.put(EmbeddingCache.MODELS, model);
          return model;
        });
  }

  private EmbeddingModelStatistics measure() {
    List<String> texts = texts(STATEMENTS);
    int half = texts.size() / 2;
    List<float[]> queries = vectors(EmbeddingPurpose.QUERY, texts.subList(0, half));
    List<float[]> passages = vectors(EmbeddingPurpose.PASSAGE, texts.subList(half, texts.size()));
    double sum = 0;
    for (float[] query : queries) {
      for (float[] passage : passages) {
        sum += Vectors.cosine(query, passage);
      }
    }
    double mean = sum / (queries.size() * (double) passages.size());
    List<float[]> others = new ArrayList<>(passages);
    others.addAll(vectors(EmbeddingPurpose.PASSAGE, texts.subList(0, half)));
    others.addAll(vectors(EmbeddingPurpose.PASSAGE, texts(MESSAGES)));
    return new EmbeddingModelStatistics(
        embedder.model(),
        embedder.dimensions(),
        Math.max(0, mean),
        mean(vectors(EmbeddingPurpose.QUERY, texts(QUESTIONS))),
        mean(others));
  }

  /** Returns the mean of the vectors' directions; a vector of zeros has none. */
  private static float[] mean(List<float[]> vectors) {
    float[] mean = new float[vectors.getFirst().length];
    List<float[]> units =
        vectors.stream()
            .flatMap(each -> VectorSimilarity.COSINE.preparedVector(each).stream())
            .toList();
    for (float[] unit : units) {
      for (int i = 0; i < mean.length; i++) {
        mean[i] += unit[i] / units.size();
      }
    }
    return mean;
  }

  private List<float[]> vectors(EmbeddingPurpose embeddingPurpose, List<String> texts) {
    return embedder.embed(embeddingPurpose, texts).stream().map(this::vector).toList();
  }

  private float[] vector(Embedding embedding) {
    return EmbeddingValidator.requireVector(embedding, embedder.dimensions());
  }

  private static List<String> texts(String file) {
    try (InputStream in =
        Objects.requireNonNull(ModelCalibration.class.getResourceAsStream(file), file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
