package dev.caliber.models;

import dev.caliber.kernel.DataSize;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.settings.Settings;
import dev.caliber.kernel.settings.SettingsSection;
import dev.caliber.store.spi.Embedder.Purpose;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The {@code [models]} part of {@code caliber.toml}; the starter file explains every key. */
public record ModelsConfig(
    EmbeddingProvider provider,
    InProcessSettings inProcess,
    HttpModelSettings http,
    EgressRules egress,
    RetrySettings retry,
    HashingSettings hash,
    TokenizerSettings tokens,
    ChatSettings chat) {

  private static final String STARTER = "starter.toml";
  private static final URI STAND_IN = URI.create("http://127.0.0.1");

  /** Provider of text embeddings. */
  public enum EmbeddingProvider {
    NONE,
    IN_PROCESS,
    OPENAI,
    OLLAMA,
    COHERE,
    VOYAGE,
    GEMINI,
    HASH;

    /** Returns the name in the file, in kebab-case. */
    public String text() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static Optional<EmbeddingProvider> find(String text) {
      return Stream.of(values())
          .filter(embeddingProvider -> embeddingProvider.text().equals(text))
          .findFirst();
    }
  }

  /** Precision of the in-process model's weights. */
  public enum ModelWeights {
    FULL,
    QUANTISED
  }

  /** Settings of the in-process model. */
  public record InProcessSettings(
      ModelWeights model, int threads, int queueLimit, Duration queueTimeout, int partsLimit) {}

  /** Settings of a model behind HTTP; the key comes from the environment, never from the file. */
  public record HttpModelSettings(
      URI endpoint,
      String model,
      List<String> modelAliases,
      int dimensions,
      String queryPrefix,
      String passagePrefix,
      Optional<String> keyVariable,
      HttpModelLimits limits) {}

  /** Limits of requests to an HTTP model. */
  public record HttpModelLimits(
      int batchTexts,
      DataSize textLimit,
      int concurrency,
      Duration connectTimeout,
      Duration responseTimeout,
      Duration queryTimeout,
      DataSize responseLimit) {

    /** Returns the timeout of a request: a query's is shorter, because a caller waits for it. */
    Duration timeoutFor(Purpose purpose) {
      return switch (purpose) {
        case QUERY -> queryTimeout;
        case PASSAGE -> responseTimeout;
      };
    }
  }

  /**
   * Rules for the hosts that requests may go to.
   *
   * @param section the section that sets them, for messages
   * @param hosts in lower case; {@code *} is every host
   */
  public record EgressRules(
      String section, List<String> hosts, List<String> privateHosts, List<String> plaintextHosts) {
    public EgressRules {
      hosts = List.copyOf(hosts);
      privateHosts = List.copyOf(privateHosts);
      plaintextHosts = List.copyOf(plaintextHosts);
    }

    /** Reads the three lists of a section. */
    public static EgressRules from(SettingsSection settingsSection) {
      return new EgressRules(
          settingsSection.name(),
          hosts(settingsSection, "hosts"),
          hosts(settingsSection, "private-hosts"),
          hosts(settingsSection, "plaintext-hosts"));
    }

    private static List<String> hosts(SettingsSection settingsSection, String key) {
      return settingsSection.texts(key).stream()
          .map(host -> host.toLowerCase(Locale.ROOT))
          .toList();
    }
  }

  /** Settings of retries. */
  public record RetrySettings(
      int maxRetries, Duration initialBackoff, Duration maxBackoff, double backoffMultiplier) {

    /**
     * Returns the pause after failure n, counted from 0: initial · multiplierⁿ, at most the
     * longest.
     */
    public Duration delay(int n) {
      double nanos = initialBackoff.toNanos() * Math.pow(backoffMultiplier, n);
      return nanos < maxBackoff.toNanos() ? Duration.ofNanos((long) nanos) : maxBackoff;
    }
  }

  /**
   * Settings of the model that writes summaries.
   *
   * @param protocol none: summaries are extracted
   * @param summarySentences the most of a summary
   */
  public record ChatSettings(
      Optional<String> protocol,
      URI endpoint,
      String model,
      Optional<String> keyVariable,
      int summarySentences,
      ExtractionSettings extraction,
      ContradictionCheckSettings contradictionCheck) {}

  /**
   * Settings of a model that names the notes which a new one contradicts.
   *
   * @param maxNotes the most notes of one request
   */
  public record ContradictionCheckSettings(boolean enabled, int maxNotes) {}

  /**
   * Settings of a model that selects what is worth keeping.
   *
   * @param maxFindings the most of one request
   * @param dailyBudget of all requests of a day in UTC, including those that judge contradictions
   */
  public record ExtractionSettings(boolean enabled, int maxFindings, DataSize dailyBudget) {}

  /** Settings of the stub mode. */
  public record HashingSettings(int dimensions) {}

  /** Prefixes of models' names, by the tokenizer that counts for them. */
  public record TokenizerSettings(
      List<String> o200kBase,
      List<String> cl100kBase,
      List<String> p50kBase,
      List<String> r50kBase) {
    public TokenizerSettings {
      o200kBase = List.copyOf(o200kBase);
      cl100kBase = List.copyOf(cl100kBase);
      p50kBase = List.copyOf(p50kBase);
      r50kBase = List.copyOf(r50kBase);
    }
  }

  /** Returns the settings of the starter file in the jar. */
  public static ModelsConfig starter() {
    Settings settings = Settings.parse("the starter file", starterText());
    ModelsConfig config = from(settings);
    settings.verify();
    return config;
  }

  /** Returns the {@code [models]} part of the starter file, with a sentence for every key. */
  public static String starterText() {
    try (InputStream in =
        Objects.requireNonNull(ModelsConfig.class.getResourceAsStream(STARTER), STARTER)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads the {@code [models]} part; the caller verifies the settings once all parts are read. */
  public static ModelsConfig from(Settings settings) {
    return new ModelsConfig(
        provider(settings.section("models")),
        inProcess(settings.section("models.in-process")),
        http(settings.section("models.http"), settings.section("models.http.limits")),
        EgressRules.from(settings.section("models.egress")),
        retry(settings.section("models.retry")),
        hash(settings.section("models.hash")),
        tokens(settings.section("models.tokens")),
        chat(
            settings.section("models.chat"),
            extraction(settings.section("models.chat.extraction")),
            contradictionCheck(settings.section("models.chat.contradiction-check"))));
  }

  public ModelsConfig withProvider(EmbeddingProvider other) {
    return new ModelsConfig(other, inProcess, http, egress, retry, hash, tokens, chat);
  }

  public ModelsConfig withInProcess(InProcessSettings other) {
    return new ModelsConfig(provider, other, http, egress, retry, hash, tokens, chat);
  }

  public ModelsConfig withHttp(HttpModelSettings other) {
    return new ModelsConfig(provider, inProcess, other, egress, retry, hash, tokens, chat);
  }

  public ModelsConfig withChat(ChatSettings other) {
    return new ModelsConfig(provider, inProcess, http, egress, retry, hash, tokens, other);
  }

  private static ChatSettings chat(
      SettingsSection settingsSection,
      ExtractionSettings extractionSettings,
      ContradictionCheckSettings contradictionCheckSettings) {
    String provider = settingsSection.text("provider");
    var protocol =
        Stream.of(ChatProtocol.values())
            .map(ChatProtocol::text)
            .filter(provider::equals)
            .findFirst();
    if (protocol.isEmpty() && !provider.equals(EmbeddingProvider.NONE.text())) {
      settingsSection.reject(
          "provider",
          where ->
              KernelException.providerNotSupported(
                  where,
                  "models.chat.provider: expected one of none, openai, ollama, found '%s'"
                      .formatted(provider)));
    }
    return new ChatSettings(
        protocol,
        endpoint(settingsSection),
        name(settingsSection),
        Optional.of(settingsSection.text("key-variable")).filter(text -> !text.isBlank()),
        settingsSection
            .withUnit("sentences")
            .wholeNumber("summary-sentences", 1, ModelsBounds.MAX_SENTENCES),
        extractionSettings,
        contradictionCheckSettings);
  }

  private static ContradictionCheckSettings contradictionCheck(SettingsSection settingsSection) {
    return new ContradictionCheckSettings(
        settingsSection.flag("enabled"),
        settingsSection.withUnit("notes").wholeNumber("max-notes", 1, ModelsBounds.MAX_FINDINGS));
  }

  private static ExtractionSettings extraction(SettingsSection settingsSection) {
    return new ExtractionSettings(
        settingsSection.flag("enabled"),
        settingsSection
            .withUnit("findings")
            .wholeNumber("max-findings", 1, ModelsBounds.MAX_FINDINGS),
        settingsSection.size("daily-budget", ModelsBounds.MIN_SIZE, ModelsBounds.MAX_BUDGET));
  }

  private static EmbeddingProvider provider(SettingsSection settingsSection) {
    String text = settingsSection.text("provider");
    var provider = EmbeddingProvider.find(text);
    if (provider.isEmpty()) {
      settingsSection.reject(
          "provider", where -> KernelException.providerNotSupported(where, providerHint(text)));
    }
    return provider.orElse(EmbeddingProvider.NONE);
  }

  private static String providerHint(String found) {
    String all =
        Stream.of(EmbeddingProvider.values())
            .map(EmbeddingProvider::text)
            .collect(Collectors.joining(", "));
    return "models.provider: expected one of %s, found '%s'".formatted(all, found);
  }

  private static InProcessSettings inProcess(SettingsSection settingsSection) {
    return new InProcessSettings(
        settingsSection.oneOf("model", ModelWeights.class),
        settingsSection.withUnit("threads").wholeNumber("threads", 1, ModelsBounds.MAX_THREADS),
        settingsSection.withUnit("parts").wholeNumber("queue-limit", 1, ModelsBounds.MAX_QUEUE),
        settingsSection.duration(
            "queue-timeout", ModelsBounds.MIN_TIMEOUT, ModelsBounds.MAX_TIMEOUT),
        settingsSection.withUnit("parts").wholeNumber("parts-limit", 1, ModelsBounds.MAX_PARTS));
  }

  private static HttpModelSettings http(SettingsSection settingsSection, SettingsSection limits) {
    return new HttpModelSettings(
        endpoint(settingsSection),
        name(settingsSection),
        settingsSection.texts("model-aliases"),
        settingsSection
            .withUnit("numbers")
            .wholeNumber("dimensions", 1, ModelsBounds.MAX_DIMENSIONS),
        settingsSection.text("query-prefix"),
        settingsSection.text("passage-prefix"),
        Optional.of(settingsSection.text("key-variable")).filter(text -> !text.isBlank()),
        limits(limits));
  }

  private static HttpModelLimits limits(SettingsSection settingsSection) {
    return new HttpModelLimits(
        settingsSection.withUnit("texts").wholeNumber("batch-texts", 1, ModelsBounds.MAX_BATCH),
        settingsSection.size("text-limit", ModelsBounds.MIN_SIZE, ModelsBounds.MAX_TEXT),
        settingsSection
            .withUnit("requests")
            .wholeNumber("concurrency", 1, ModelsBounds.MAX_PARALLEL),
        settingsSection.duration(
            "connect-timeout", ModelsBounds.MIN_TIMEOUT, ModelsBounds.MAX_TIMEOUT),
        settingsSection.duration(
            "response-timeout", ModelsBounds.MIN_TIMEOUT, ModelsBounds.MAX_TIMEOUT),
        settingsSection.duration(
            "query-timeout", ModelsBounds.MIN_TIMEOUT, ModelsBounds.MAX_TIMEOUT),
        settingsSection.size("response-limit", ModelsBounds.MIN_SIZE, ModelsBounds.MAX_ANSWER));
  }

  private static URI endpoint(SettingsSection settingsSection) {
    String text = settingsSection.text("endpoint");
    var endpoint = address(text);
    if (endpoint.isEmpty()) {
      settingsSection.reject(
          "endpoint",
          where ->
              KernelException.invalidSetting(
                  where,
                  settingsSection.name() + ".endpoint",
                  "expected http:// or https:// with a host and without user, query or fragment"));
    }
    return endpoint.orElse(STAND_IN);
  }

  /* The value is not quoted: people put keys into addresses. */
  private static Optional<URI> address(String text) {
    try {
      return Optional.of(new URI(text)).filter(ModelsConfig::isPlaintext);
    } catch (URISyntaxException _) {
      return Optional.empty(); // reported with the position
    }
  }

  private static boolean isPlaintext(URI address) {
    boolean scheme = "http".equals(address.getScheme()) || "https".equals(address.getScheme());
    boolean extra =
        Stream.of(address.getRawUserInfo(), address.getRawQuery(), address.getRawFragment())
            .anyMatch(Objects::nonNull);
    return scheme && address.getHost() != null && !extra;
  }

  private static String name(SettingsSection settingsSection) {
    String model = settingsSection.text("model");
    if (model.isBlank()) {
      settingsSection.reject(
          "model",
          where ->
              KernelException.invalidSetting(
                  where, settingsSection.name() + ".model", "a name", "nothing"));
    }
    return model;
  }

  private static RetrySettings retry(SettingsSection settingsSection) {
    var retrySettings =
        new RetrySettings(
            settingsSection
                .withUnit("retries")
                .wholeNumber("max-retries", 0, ModelsBounds.MAX_RETRIES),
            settingsSection.duration(
                "initial-backoff", ModelsBounds.MIN_BACKOFF, ModelsBounds.MAX_BACKOFF),
            settingsSection.duration(
                "max-backoff", ModelsBounds.MIN_BACKOFF, ModelsBounds.MAX_BACKOFF),
            settingsSection
                .withUnit("factor")
                .decimalNumber(
                    "backoff-multiplier",
                    ModelsBounds.MIN_MULTIPLIER,
                    ModelsBounds.MAX_MULTIPLIER));
    if (retrySettings.maxBackoff().compareTo(retrySettings.initialBackoff()) < 0) {
      settingsSection.reject("max-backoff", ModelsConfig::backoffOrderError);
    }
    return retrySettings;
  }

  private static KernelException backoffOrderError(String where) {
    return KernelException.incompatibleOptions(
        where, "models.retry.max-backoff is shorter than models.retry.initial-backoff");
  }

  private static TokenizerSettings tokens(SettingsSection settingsSection) {
    return new TokenizerSettings(
        settingsSection.texts("o200k-base"),
        settingsSection.texts("cl100k-base"),
        settingsSection.texts("p50k-base"),
        settingsSection.texts("r50k-base"));
  }

  private static HashingSettings hash(SettingsSection settingsSection) {
    return new HashingSettings(
        settingsSection
            .withUnit("numbers")
            .wholeNumber("dimensions", 1, ModelsBounds.MAX_HASH_DIMENSIONS));
  }
}
