package dev.caliber.models;

import dev.caliber.memory.spi.ContradictionJudge;
import dev.caliber.memory.spi.Extractor;
import dev.caliber.memory.spi.Summarizer;
import dev.caliber.memory.spi.TokenCounters;
import dev.caliber.store.spi.Embedder;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/** The models that the configuration names, ready to use. */
public interface Models extends AutoCloseable {

  /**
   * Loads or reaches for what the configuration names.
   *
   * @param environment where API keys are, and nothing else is read from
   */
  static Models open(ModelsConfig config, Map<String, String> environment, InstantSource clock) {
    Models models = opening(config, environment, clock);
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
   * The same, but what takes long to load waits for {@link #load}, or for the first who needs it
   * and waits for it.
   */
  static Models opening(ModelsConfig config, Map<String, String> environment, InstantSource clock) {
    return new ConfiguredModels(config, environment, clock);
  }

  /**
   * The mean cosine between unrelated texts of the embedder: c₀ of the calibration {@code max(0,
   * (cos − c₀)/(1 − c₀))}. Measured over all pairs of a fixed set of varied sentences, so it is the
   * same each time; measure once per model and keep it.
   */
  static double meanCosine(Embedder embedder) {
    return Calibration.meanCosine(embedder);
  }

  /** Begins to load what takes long, in the background. */
  void load();

  /** What turns texts into vectors; nothing when the provider is {@code none}. */
  Optional<Embedder> embedder();

  /** The same for a caller that cannot do without: PROVIDER_NOT_CONFIGURED when there is none. */
  default Embedder embedder(String caller) {
    return embedder().orElseThrow(() -> ModelsException.notConfigured(caller));
  }

  /** The tokenizers of the models that settings name; nothing is loaded before it is used. */
  TokenCounters counters();

  /** The same without opening any model. */
  static TokenCounters counters(ModelsConfig config) {
    return new JtokkitCounters(config.tokens());
  }

  /** What writes summaries; nothing when {@code models.chat.provider} is {@code none}. */
  Optional<Summarizer> summarizer();

  /** What finds things worth keeping; nothing unless {@code models.chat.extraction} is enabled. */
  Optional<Extractor> extractor();

  /** What judges contradictions; nothing unless {@code models.chat.judging} is enabled. */
  Optional<ContradictionJudge> judge();

  /** Closes the embedder too. */
  @Override
  void close();
}
