package dev.caliber.models;

import dev.caliber.kernel.DataSize;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.settings.Section;
import dev.caliber.kernel.settings.Settings;
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
    Provider provider,
    InProcess inProcess,
    Http http,
    Egress egress,
    Retry retry,
    Hash hash,
    Tokens tokens,
    Chat chat) {

  private static final String STARTER = "starter.toml";
  private static final URI STAND_IN = URI.create("http://127.0.0.1");

  /** Who turns texts into vectors. */
  public enum Provider {
    NONE,
    IN_PROCESS,
    OPENAI,
    OLLAMA,
    COHERE,
    VOYAGE,
    GEMINI,
    HASH;

    /** The name in the file, in kebab-case. */
    public String text() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static Optional<Provider> named(String text) {
      return Stream.of(values()).filter(provider -> provider.text().equals(text)).findFirst();
    }
  }

  /** How exact the weights of the model in this process are. */
  public enum Weights {
    FULL,
    QUANTISED
  }

  /** The model in this process. */
  public record InProcess(
      Weights model, int threads, int queueLimit, Duration patience, int partsLimit) {}

  /** A model behind HTTP; the key comes from the environment, never from the file. */
  public record Http(
      URI endpoint,
      String model,
      List<String> answersAs,
      int dimensions,
      String queryPrefix,
      String passagePrefix,
      Optional<String> keyVariable,
      HttpLimits limits) {}

  /** Limits of talking to it. */
  public record HttpLimits(
      int batchTexts,
      DataSize textLimit,
      int parallel,
      Duration connectTimeout,
      Duration answerTimeout,
      Duration queryTimeout,
      DataSize answerLimit) {

    /** How long an answer is waited for: whoever asks a question waits with it. */
    Duration patience(Purpose purpose) {
      return switch (purpose) {
        case QUERY -> queryTimeout;
        case PASSAGE -> answerTimeout;
      };
    }
  }

  /**
   * Where requests may go.
   *
   * @param section where settings say so, for messages
   * @param hosts in lower case; {@code *} is every host
   */
  public record Egress(
      String section, List<String> hosts, List<String> privateHosts, List<String> plainHosts) {
    public Egress {
      hosts = List.copyOf(hosts);
      privateHosts = List.copyOf(privateHosts);
      plainHosts = List.copyOf(plainHosts);
    }

    /** Reads the three lists of a section. */
    public static Egress from(Section section) {
      return new Egress(
          section.name(),
          hosts(section, "hosts"),
          hosts(section, "private-hosts"),
          hosts(section, "plain-hosts"));
    }

    private static List<String> hosts(Section section, String key) {
      return section.texts(key).stream().map(host -> host.toLowerCase(Locale.ROOT)).toList();
    }
  }

  /** When a request is tried again. */
  public record Retry(
      int maxRetries, Duration initialBackoff, Duration maxBackoff, double backoffMultiplier) {

    /** The pause after failure n, counted from 0: initial · multiplierⁿ, at most the longest. */
    public Duration delay(int n) {
      double nanos = initialBackoff.toNanos() * Math.pow(backoffMultiplier, n);
      return nanos < maxBackoff.toNanos() ? Duration.ofNanos((long) nanos) : maxBackoff;
    }
  }

  /**
   * The model that writes summaries.
   *
   * @param protocol none: summaries are extracted
   * @param sentences the most of a summary
   */
  public record Chat(
      Optional<String> protocol,
      URI endpoint,
      String model,
      Optional<String> keyVariable,
      int sentences,
      Extraction extraction,
      Judging judging) {}

  /**
   * Whether a model says which notes a new one contradicts.
   *
   * @param notes the most that one request shows it
   */
  public record Judging(boolean enabled, int notes) {}

  /**
   * Whether a model looks for what is worth keeping.
   *
   * @param findings the most of one request
   * @param budget what all requests of a day in UTC may hold, those to judge included
   */
  public record Extraction(boolean enabled, int findings, DataSize budget) {}

  /** The stub mode. */
  public record Hash(int dimensions) {}

  /** The beginnings of models' names, by the tokenizer that counts for them. */
  public record Tokens(
      List<String> o200kBase,
      List<String> cl100kBase,
      List<String> p50kBase,
      List<String> r50kBase) {
    public Tokens {
      o200kBase = List.copyOf(o200kBase);
      cl100kBase = List.copyOf(cl100kBase);
      p50kBase = List.copyOf(p50kBase);
      r50kBase = List.copyOf(r50kBase);
    }
  }

  /** What the jar's own file says. */
  public static ModelsConfig starter() {
    Settings settings = Settings.parse("the starter file", starterText());
    ModelsConfig config = from(settings);
    settings.verify();
    return config;
  }

  /** The jar's own {@code [models]} part, with a sentence for every key. */
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
        Egress.from(settings.section("models.egress")),
        retry(settings.section("models.retry")),
        hash(settings.section("models.hash")),
        tokens(settings.section("models.tokens")),
        chat(
            settings.section("models.chat"),
            extraction(settings.section("models.chat.extraction")),
            judging(settings.section("models.chat.judging"))));
  }

  public ModelsConfig withProvider(Provider other) {
    return new ModelsConfig(other, inProcess, http, egress, retry, hash, tokens, chat);
  }

  public ModelsConfig withInProcess(InProcess other) {
    return new ModelsConfig(provider, other, http, egress, retry, hash, tokens, chat);
  }

  public ModelsConfig withHttp(Http other) {
    return new ModelsConfig(provider, inProcess, other, egress, retry, hash, tokens, chat);
  }

  public ModelsConfig withChat(Chat other) {
    return new ModelsConfig(provider, inProcess, http, egress, retry, hash, tokens, other);
  }

  private static Chat chat(Section section, Extraction extraction, Judging judging) {
    String provider = section.text("provider");
    var protocol =
        Stream.of(ChatProtocol.values())
            .map(ChatProtocol::text)
            .filter(provider::equals)
            .findFirst();
    if (protocol.isEmpty() && !provider.equals(Provider.NONE.text())) {
      section.refuse(
          "provider",
          where ->
              KernelException.providerNotSupported(
                  where,
                  "models.chat.provider: wanted one of none, openai, ollama, found '%s'"
                      .formatted(provider)));
    }
    return new Chat(
        protocol,
        endpoint(section),
        name(section),
        Optional.of(section.text("key-variable")).filter(text -> !text.isBlank()),
        section.in("sentences").whole("sentences", 1, ModelsBounds.MAX_SENTENCES),
        extraction,
        judging);
  }

  private static Judging judging(Section section) {
    return new Judging(
        section.flag("enabled"), section.in("notes").whole("notes", 1, ModelsBounds.MAX_FINDINGS));
  }

  private static Extraction extraction(Section section) {
    return new Extraction(
        section.flag("enabled"),
        section.in("findings").whole("findings", 1, ModelsBounds.MAX_FINDINGS),
        section.size("budget", ModelsBounds.MIN_SIZE, ModelsBounds.MAX_BUDGET));
  }

  private static Provider provider(Section section) {
    String text = section.text("provider");
    var provider = Provider.named(text);
    if (provider.isEmpty()) {
      section.refuse(
          "provider", where -> KernelException.providerNotSupported(where, wanted(text)));
    }
    return provider.orElse(Provider.NONE);
  }

  private static String wanted(String found) {
    String all = Stream.of(Provider.values()).map(Provider::text).collect(Collectors.joining(", "));
    return "models.provider: wanted one of %s, found '%s'".formatted(all, found);
  }

  private static InProcess inProcess(Section section) {
    return new InProcess(
        section.oneOf("model", Weights.class),
        section.in("threads").whole("threads", 1, ModelsBounds.MAX_THREADS),
        section.in("parts").whole("queue-limit", 1, ModelsBounds.MAX_QUEUE),
        section.duration("patience", ModelsBounds.MIN_TIMEOUT, ModelsBounds.MAX_TIMEOUT),
        section.in("parts").whole("parts-limit", 1, ModelsBounds.MAX_PARTS));
  }

  private static Http http(Section section, Section limits) {
    return new Http(
        endpoint(section),
        name(section),
        section.texts("answers-as"),
        section.in("numbers").whole("dimensions", 1, ModelsBounds.MAX_DIMENSIONS),
        section.text("query-prefix"),
        section.text("passage-prefix"),
        Optional.of(section.text("key-variable")).filter(text -> !text.isBlank()),
        limits(limits));
  }

  private static HttpLimits limits(Section section) {
    return new HttpLimits(
        section.in("texts").whole("batch-texts", 1, ModelsBounds.MAX_BATCH),
        section.size("text-limit", ModelsBounds.MIN_SIZE, ModelsBounds.MAX_TEXT),
        section.in("requests").whole("parallel", 1, ModelsBounds.MAX_PARALLEL),
        section.duration("connect-timeout", ModelsBounds.MIN_TIMEOUT, ModelsBounds.MAX_TIMEOUT),
        section.duration("answer-timeout", ModelsBounds.MIN_TIMEOUT, ModelsBounds.MAX_TIMEOUT),
        section.duration("query-timeout", ModelsBounds.MIN_TIMEOUT, ModelsBounds.MAX_TIMEOUT),
        section.size("answer-limit", ModelsBounds.MIN_SIZE, ModelsBounds.MAX_ANSWER));
  }

  private static URI endpoint(Section section) {
    String text = section.text("endpoint");
    var endpoint = address(text);
    if (endpoint.isEmpty()) {
      section.refuse(
          "endpoint",
          where ->
              KernelException.invalidSetting(
                  where,
                  section.name() + ".endpoint",
                  "wanted http:// or https:// with a host and without user, query or fragment"));
    }
    return endpoint.orElse(STAND_IN);
  }

  /* What was found is not quoted: people put keys into addresses. */
  private static Optional<URI> address(String text) {
    try {
      return Optional.of(new URI(text)).filter(ModelsConfig::plain);
    } catch (URISyntaxException _) {
      return Optional.empty(); // reported with the place
    }
  }

  private static boolean plain(URI address) {
    boolean scheme = "http".equals(address.getScheme()) || "https".equals(address.getScheme());
    boolean extra =
        Stream.of(address.getRawUserInfo(), address.getRawQuery(), address.getRawFragment())
            .anyMatch(Objects::nonNull);
    return scheme && address.getHost() != null && !extra;
  }

  private static String name(Section section) {
    String model = section.text("model");
    if (model.isBlank()) {
      section.refuse(
          "model",
          where ->
              KernelException.invalidSetting(
                  where, section.name() + ".model", "a name", "nothing"));
    }
    return model;
  }

  private static Retry retry(Section section) {
    var retry =
        new Retry(
            section.in("retries").whole("max-retries", 0, ModelsBounds.MAX_RETRIES),
            section.duration("initial-backoff", ModelsBounds.MIN_BACKOFF, ModelsBounds.MAX_BACKOFF),
            section.duration("max-backoff", ModelsBounds.MIN_BACKOFF, ModelsBounds.MAX_BACKOFF),
            section
                .in("factor")
                .real(
                    "backoff-multiplier",
                    ModelsBounds.MIN_MULTIPLIER,
                    ModelsBounds.MAX_MULTIPLIER));
    if (retry.maxBackoff().compareTo(retry.initialBackoff()) < 0) {
      section.refuse("max-backoff", ModelsConfig::backoffsCrossed);
    }
    return retry;
  }

  private static KernelException backoffsCrossed(String where) {
    return KernelException.incompatibleOptions(
        where, "models.retry.max-backoff is shorter than models.retry.initial-backoff");
  }

  private static Tokens tokens(Section section) {
    return new Tokens(
        section.texts("o200k-base"),
        section.texts("cl100k-base"),
        section.texts("p50k-base"),
        section.texts("r50k-base"));
  }

  private static Hash hash(Section section) {
    return new Hash(section.in("numbers").whole("dimensions", 1, ModelsBounds.MAX_HASH_DIMENSIONS));
  }
}
