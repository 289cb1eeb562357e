package dev.caliber.models;

import dev.caliber.memory.spi.ContradictionJudge;
import dev.caliber.memory.spi.KnowledgeExtractor;
import dev.caliber.memory.spi.Summarizer;
import dev.caliber.memory.spi.TokenCounters;
import dev.caliber.store.spi.Embedder;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/** Models that the configuration names, ready to use. */
public interface Models extends AutoCloseable {

  /**
   * Opens the configured models.
   *
   * @param environment the only source of API keys
   */
  static Models open(ModelsConfig config, Map<String, String> environment, InstantSource clock) {
    Models models = openLazily(config, environment, clock);
    try {
      models.embedder().ifPresent(Embedder::awaitReady);
      return models;
    } catch (Throwable t) {
      try (models) {
        throw t;
      }
    }
  }

  /**
   * Opens the configured models; those that take long to load wait for {@link #startLoading} or for
   * their first use, which waits for them.
   */
  static Models openLazily(
      ModelsConfig config, Map<String, String> environment, InstantSource clock) {
    return new ConfiguredModels(config, environment, clock);
  }

  /**
   * Returns the mean cosine between unrelated texts of the embedder: c₀ of the calibration {@code
   * max(0, (cos − c₀)/(1 − c₀))}. It is measured over all pairs of a fixed set of varied sentences,
   * so it is the same each time; measure it once per model and store it.
   */
  static double meanCosine(Embedder embedder) {
    return CosineCalibration.meanCosine(embedder);
  }

  /** Begins to load slow models in the background. */
  void startLoading();

  /** Returns the embedder; empty when the provider is {@code none}. */
  Optional<Embedder> embedder();

  /**
   * Returns the embedder for a caller that needs one; throws PROVIDER_NOT_CONFIGURED if there is
   * none.
   */
  default Embedder embedder(String caller) {
    return embedder().orElseThrow(() -> ModelsException.notConfigured(caller));
  }

  /** Returns the tokenizers of the models that settings name; each is loaded at its first use. */
  TokenCounters tokenCounters();

  /** Returns the tokenizers without opening any model. */
  static TokenCounters tokenCounters(ModelsConfig config) {
    return new JtokkitTokenCounters(config.tokens());
  }

  /** Returns the summarizer; empty when {@code models.chat.provider} is {@code none}. */
  Optional<Summarizer> summarizer();

  /** Returns the extractor; empty unless {@code models.chat.extraction} is enabled. */
  Optional<KnowledgeExtractor> extractor();

  /**
   * Returns the judge of contradictions; empty unless {@code models.chat.contradiction-check} is
   * enabled.
   */
  Optional<ContradictionJudge> judge();

  /** Closes all models, including the embedder. */
  @Override
  void close();
}
