package dev.caliber.models;

import dev.caliber.memory.spi.ContradictionJudge;
import dev.caliber.memory.spi.KnowledgeExtractor;
import dev.caliber.memory.spi.Summarizer;
import dev.caliber.memory.spi.TokenCounters;
import dev.caliber.store.spi.Embedder;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/** Models of the configured provider. */
final class ConfiguredModels implements Models {

  private final Optional<Embedder> embedder;
  private final Optional<ChatModel> chat;
  private final Optional<Summarizer> summarizer;
  private final Optional<KnowledgeExtractor> extractor;
  private final Optional<ContradictionJudge> judge;

  private final TokenCounters counters;

  ConfiguredModels(ModelsConfig config, Map<String, String> environment, InstantSource clock) {
    this.chat =
        config
            .chat()
            .protocol()
            .map(
                protocol -> new ChatModel(config, protocol, environment, clock, RetrySleeper.REAL));
    this.summarizer =
        chat.map(model -> new ChatSummarizer(model, config.chat().summarySentences()));
    DailyBudget budget = new DailyBudget(config.chat().extraction().dailyBudget(), clock);
    this.extractor =
        chat.filter(_ -> config.chat().extraction().enabled())
            .map(model -> new ChatKnowledgeExtractor(model, config.chat().extraction(), budget));
    this.judge =
        chat.filter(_ -> config.chat().contradictionCheck().enabled())
            .map(
                model ->
                    new ChatContradictionJudge(
                        model, config.chat().contradictionCheck().maxNotes(), budget));
    try {
      this.embedder = embedder(config, environment, clock);
    } catch (RuntimeException e) {
      chat.ifPresent(ChatModel::close);
      throw e;
    }
    this.counters = new JtokkitTokenCounters(config.tokens());
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
  public void startLoading() {
    if (embedder.orElse(null) instanceof InProcessEmbedder local) {
      local.startLoading();
    }
  }

  @Override
  public TokenCounters tokenCounters() {
    return counters;
  }

  @Override
  public Optional<Summarizer> summarizer() {
    return summarizer;
  }

  @Override
  public Optional<KnowledgeExtractor> extractor() {
    return extractor;
  }

  @Override
  public Optional<ContradictionJudge> judge() {
    return judge;
  }

  @Override
  public void close() {
    chat.ifPresent(ChatModel::close);
    embedder.ifPresent(Embedder::close);
  }
}
