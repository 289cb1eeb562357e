package dev.caliber.models;

import dev.caliber.memory.spi.Summarizer;
import dev.caliber.memory.spi.TokenCounters;
import dev.caliber.store.spi.Embedder;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Chooses by the configured provider. */
final class ConfiguredModels implements Models {

  private final Optional<Embedder> embedder;
  private final Optional<ChatSummarizer> summarizer;

  private final TokenCounters counters;

  ConfiguredModels(ModelsConfig config, Map<String, String> environment, InstantSource clock) {
    this.summarizer =
        config
            .chat()
            .protocol()
            .map(name -> ChatProtocol.valueOf(name.toUpperCase(Locale.ROOT)))
            .map(chat -> new ChatSummarizer(config, chat, environment, clock, Pauses.REAL));
    try {
      this.embedder = embedder(config, environment, clock);
    } catch (RuntimeException e) {
      summarizer.ifPresent(ChatSummarizer::close);
      throw e;
    }
    this.counters = new JtokkitCounters(config.tokens());
  }

  private static Optional<Embedder> embedder(
      ModelsConfig config, Map<String, String> environment, InstantSource clock) {
    return switch (config.provider()) {
      case NONE -> Optional.empty();
      case HASH -> Optional.of(Embedder.hashing(config.hash().dimensions()));
      case IN_PROCESS -> Optional.of(InProcessEmbedder.open(config.inProcess()));
      case OPENAI -> http(config, environment, clock, new OpenAiProtocol());
      case VOYAGE -> http(config, environment, clock, new VoyageProtocol());
      case OLLAMA -> http(config, environment, clock, new OllamaProtocol());
      case COHERE -> http(config, environment, clock, new CohereProtocol());
      case GEMINI -> http(config, environment, clock, new GeminiProtocol());
    };
  }

  private static Optional<Embedder> http(
      ModelsConfig config,
      Map<String, String> environment,
      InstantSource clock,
      EmbeddingProtocol protocol) {
    return Optional.of(HttpEmbedder.open(config, environment, clock, protocol));
  }

  @Override
  public Optional<Embedder> embedder() {
    return embedder;
  }

  @Override
  public TokenCounters counters() {
    return counters;
  }

  @Override
  public Optional<Summarizer> summarizer() {
    return summarizer.map(found -> found);
  }

  @Override
  public void close() {
    summarizer.ifPresent(ChatSummarizer::close);
    embedder.ifPresent(Embedder::close);
  }
}
