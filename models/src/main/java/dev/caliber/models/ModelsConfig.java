package dev.caliber.models;

import dev.caliber.kernel.DataSize;
import dev.caliber.kernel.settings.CheckedSettings;
import dev.caliber.kernel.settings.ProviderNames;
import dev.caliber.kernel.settings.SettingKey;
import dev.caliber.kernel.settings.SettingRange;
import dev.caliber.kernel.settings.SettingTable;
import dev.caliber.kernel.settings.Settings;
import dev.caliber.kernel.settings.StarterSettings;
import dev.caliber.store.spi.Embedder.EmbeddingPurpose;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** The {@code [models]} part of {@code caliber.toml}; the starter file explains every key. */
public record ModelsConfig(
    EmbeddingProvider provider,
    InProcessSettings inProcess,
    HttpModelSettings http,
    EgressHostSettings egress,
    RetrySettings retry,
    HashingSettings hash,
    TokenizerSettings tokens,
    ChatSettings chat) {

  /** Provider of text embeddings. */
  @ProviderNames
  public enum EmbeddingProvider {
    NONE,
    IN_PROCESS,
    OPENAI,
    OLLAMA,
    COHERE,
    VOYAGE,
    GEMINI,
    HASH
  }

  /** Precision of the in-process model's weights. */
  public enum ModelWeights {
    FULL,
    QUANTISED
  }

  /** Settings of the in-process model. */
  public record InProcessSettings(
      ModelWeights model,
      @SettingRange("1 to 256 threads") int threads,
      @SettingRange("1 to 1000000 parts") int queueLimit,
      @SettingRange("10ms to 1h") Duration queueTimeout,
      @SettingRange("1 to 10000 parts") int partsLimit) {}

  /** Settings of a model behind HTTP; the key comes from the environment, never from the file. */
  public record HttpModelSettings(
      URI endpoint,
      String model,
      List<String> modelAliases,
      @SettingRange("1 to 16384 numbers") int dimensions,
      String queryPrefix,
      String passagePrefix,
      Optional<String> keyVariable,
      HttpModelLimits limits)
      implements CheckedSettings {
    @Override
    public void check(Settings settings) {
      checkModel(settings, "models.http", endpoint, model);
    }
  }

  /** Limits of requests to an HTTP model. */
  public record HttpModelLimits(
      @SettingRange("1 to 10000 texts") int batchTexts,
      @SettingRange("1KiB to 32MiB") DataSize textLimit,
      @SettingRange("1 to 1000 requests") int concurrency,
      @SettingRange("10ms to 1h") Duration connectTimeout,
      @SettingRange("10ms to 1h") Duration responseTimeout,
      @SettingRange("10ms to 1h") Duration queryTimeout,
      @SettingRange("1KiB to 64MiB") DataSize responseLimit) {

    /** Returns the timeout of a request: a query's is shorter, because a caller waits for it. */
    Duration timeoutFor(EmbeddingPurpose embeddingPurpose) {
      return switch (embeddingPurpose) {
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
  public record EgressHostSettings(
      @SettingTable String section,
      List<String> hosts,
      List<String> privateHosts,
      List<String> plaintextHosts) {
    public EgressHostSettings {
      hosts = lowerCase(hosts);
      privateHosts = lowerCase(privateHosts);
      plaintextHosts = lowerCase(plaintextHosts);
    }

    private static List<String> lowerCase(List<String> hosts) {
      return hosts.stream().map(host -> host.toLowerCase(Locale.ROOT)).toList();
    }
  }

  /** Settings of retries. */
  public record RetrySettings(
      @SettingRange("0 to 100 retries") int maxRetries,
      @SettingRange("1ms to 1h") Duration initialBackoff,
      @SettingRange("1ms to 1h") Duration maxBackoff,
      @SettingRange("1.0000000000000002 to 100 factor") double backoffMultiplier)
      implements CheckedSettings {
    @Override
    public void check(Settings settings) {
      settings.requireCompatible(
          maxBackoff.compareTo(initialBackoff) >= 0,
          "models.retry.max-backoff",
          "models.retry.initial-backoff",
          "the longest pause is shorter than the first one");
    }

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
      @SettingKey("provider") Optional<ChatProtocol> protocol,
      URI endpoint,
      String model,
      Optional<String> keyVariable,
      @SettingRange("1 to 100 sentences") int summarySentences,
      ExtractionSettings extraction,
      ContradictionCheckSettings contradictionCheck)
      implements CheckedSettings {
    @Override
    public void check(Settings settings) {
      checkModel(settings, "models.chat", endpoint, model);
    }
  }

  /**
   * Settings of a model that names the notes which a new one contradicts.
   *
   * @param maxNotes the most notes of one request
   */
  public record ContradictionCheckSettings(
      boolean enabled, @SettingRange("1 to 1000 notes") int maxNotes) {}

  /**
   * Settings of a model that selects what is worth keeping.
   *
   * @param maxFindings the most of one request
   * @param dailyBudget of all requests of a day in UTC, including those that judge contradictions
   */
  public record ExtractionSettings(
      boolean enabled,
      @SettingRange("1 to 1000 findings") int maxFindings,
      @SettingRange("1KiB to 1GiB") DataSize dailyBudget) {}

  /** Settings of the stub mode. */
  public record HashingSettings(@SettingRange("1 to 4096 numbers") int dimensions) {}

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

  /** Returns the settings of the starter file. */
  public static ModelsConfig starter() {
    return StarterSettings.read("models", ModelsConfig.class);
  }

  /** Returns these settings with lines of TOML over them; each line has the full key. */
  public ModelsConfig with(String... lines) {
    return StarterSettings.override("models", this, lines);
  }

  public ModelsConfig withProvider(EmbeddingProvider other) {
    return new ModelsConfig(other, inProcess, http, egress, retry, hash, tokens, chat);
  }

  private static void checkModel(Settings settings, String table, URI endpoint, String model) {
    boolean plain =
        endpoint.getHost() != null
            && Stream.of(
                    endpoint.getRawUserInfo(), endpoint.getRawQuery(), endpoint.getRawFragment())
                .allMatch(Objects::isNull);
    settings.require(
        plain,
        table + ".endpoint",
        "http:// or https:// with a host and without user, query or fragment",
        "another address");
    settings.require(!model.isBlank(), table + ".model", "a name", "nothing");
  }
}
