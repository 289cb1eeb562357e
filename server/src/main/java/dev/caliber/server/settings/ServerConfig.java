package dev.caliber.server.settings;

import dev.caliber.kernel.DataSize;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.settings.Settings;
import dev.caliber.kernel.settings.SettingsSection;
import dev.caliber.models.ModelsConfig.EgressRules;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The {@code [server]} part of {@code caliber.toml}; the starter file explains every key. */
public record ServerConfig(
    ListenSettings listening,
    SpaceId defaultSpace,
    ServerLimits limits,
    NetworkSettings network,
    ServerRetention keeping,
    TelemetrySettings telemetry,
    McpSettings mcp,
    ProxySettings proxy,
    WebhookSettings webhooks,
    GrpcSettings grpc) {
  private static final String STARTER = "starter.toml";
  private static final int NO_PORT = -1;

  /** The policy for callers without a key. */
  public enum KeyPolicy {
    /** Callers need a key, unless the server listens at a loopback address. */
    REMOTE,
    /** Every caller needs a key. */
    ALWAYS
  }

  /** The address, the host names, and the key policy. */
  public record ListenSettings(
      String host, int port, List<String> allowedHosts, KeyPolicy requireApiKey) {
    public ListenSettings {
      allowedHosts = List.copyOf(allowedHosts);
    }
  }

  /** The limits on requests. */
  public record ServerLimits(
      DataSize bodySize,
      int concurrentRequests,
      Duration queueTimeout,
      Duration idleTimeout,
      Duration shutdownTimeout,
      int pageSize,
      int defaultHits,
      int commitOperations,
      int streams,
      int burst,
      double requestsPerSecond) {}

  /**
   * The limits on connections.
   *
   * @param minBodyRate the bytes of a body that have to arrive per second, on average
   * @param headerTimeout the time for the head of a request, the TLS handshake included
   * @param connections the most open at a time
   */
  public record NetworkSettings(
      Optional<TlsFiles> tls,
      DataSize minBodyRate,
      Duration headerTimeout,
      ConnectionLimits connections,
      PerKeyLimits perKey) {
    NetworkSettings withTls(Optional<TlsFiles> other) {
      return new NetworkSettings(other, minBodyRate, headerTimeout, connections, perKey);
    }
  }

  /** The most open connections: of all clients together, and of one address. */
  public record ConnectionLimits(int all, int perAddress) {}

  /** The most streams and logins that one key may have open. */
  public record PerKeyLimits(int streams, int logins) {}

  /** A certificate chain and its key, both in PEM. */
  public record TlsFiles(Path certificate, Path key) {}

  /** The retention of records, and the heartbeat of event streams. */
  public record ServerRetention(
      Duration idempotency,
      Duration pendingTimeout,
      Duration audit,
      Duration login,
      Duration heartbeatInterval,
      int batch) {}

  /** The receiver of telemetry. */
  public enum TelemetryExporter {
    /** No receiver. */
    NONE,
    /** A collector, by OTLP over HTTP. */
    OTLP
  }

  /**
   * The settings of OpenTelemetry.
   *
   * @param endpoint the address of a collector for traces
   * @param includeQueryText whether spans contain queries, which may contain what people said
   */
  public record TelemetrySettings(
      TelemetryExporter exporter, String endpoint, boolean includeQueryText) {}

  /**
   * The settings of the Model Context Protocol.
   *
   * @param cacheTtl the time for which clients may cache results common to all callers
   * @param startTimeout the time that a bridge waits for a server that it has started
   * @param idleTimeout the time without a request after which such a server ends
   */
  public record McpSettings(Duration cacheTtl, Duration startTimeout, Duration idleTimeout) {}

  /**
   * The model behind OpenAI's API.
   *
   * @param endpoint empty: no model
   * @param model empty: the one that a request names
   * @param memoryIntroduction the text before the window
   * @param contextTokens the most tokens of the window
   * @param concurrency the most concurrent requests to the model
   */
  public record ProxySettings(
      Optional<URI> endpoint,
      Optional<String> model,
      Optional<String> keyVariable,
      String memoryIntroduction,
      int contextTokens,
      int concurrency,
      OutboundSettings waiting,
      EmbeddingRequestLimits embeddings) {}

  /** The most texts of one request for vectors, and the most tokens of them together. */
  public record EmbeddingRequestLimits(int maxInputs, int maxTokens) {}

  /**
   * The settings of webhooks.
   *
   * @param egress the allowed addresses
   * @param maxPerSpace the most webhooks of one space
   * @param keyVariable the environment variable with the key that encrypts their secrets
   */
  public record WebhookSettings(
      EgressRules egress, int maxPerSpace, String keyVariable, OutboundSettings waiting) {}

  /**
   * The settings of gRPC.
   *
   * @param port negative: not served
   * @param callsPerConnection the most concurrent calls of one connection
   * @param idleTimeout the time without a call after which a connection is closed
   */
  public record GrpcSettings(int port, int callsPerConnection, Duration idleTimeout) {
    public boolean isEnabled() {
      return port >= 0;
    }
  }

  /**
   * The limits on another server's answer.
   *
   * @param readTimeout the longest time without a byte
   * @param responseTimeout the longest time for the whole answer
   */
  public record OutboundSettings(
      Duration connectTimeout,
      Duration readTimeout,
      Duration responseTimeout,
      DataSize responseLimit) {}

  /** Returns the settings of the starter file. */
  public static ServerConfig starter() {
    Settings settings = Settings.parse("the starter file", starterText());
    ServerConfig config = from(settings);
    settings.verify();
    return config;
  }

  /** Returns the {@code [server]} part of the starter file, which has a sentence for every key. */
  public static String starterText() {
    try (InputStream in =
        Objects.requireNonNull(ServerConfig.class.getResourceAsStream(STARTER), STARTER)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads the {@code [server]} part; the caller verifies the settings once all parts are read. */
  public static ServerConfig from(Settings settings) {
    SettingsSection server = settings.section("server");
    ServerLimits serverLimits = readLimits(settings.section("server.limits"));
    return new ServerConfig(
        new ListenSettings(
            server.text("host"),
            server.withUnit("port").wholeNumber("port", 0, ServerBounds.PORT),
            server.texts("allowed-hosts"),
            server.oneOf("require-api-key", KeyPolicy.class)),
        readSpace(server),
        serverLimits,
        readNetwork(settings),
        readKeeping(settings, serverLimits.idleTimeout()),
        readTelemetry(settings.section("server.telemetry")),
        readMcp(settings.section("server.mcp")),
        readProxy(settings.section("server.proxy"), settings.section("server.embeddings")),
        readWebhooks(settings.section("server.webhooks")),
        readGrpc(settings.section("server.grpc")));
  }

  public ServerConfig withAddress(String host, int port) {
    return new ServerConfig(
        new ListenSettings(
            host,
            checkPort("--port", 0, port),
            listening.allowedHosts(),
            listening.requireApiKey()),
        defaultSpace,
        limits,
        network,
        keeping,
        telemetry,
        mcp,
        proxy,
        webhooks,
        grpc);
  }

  public ServerConfig withKeyPolicy(KeyPolicy keys) {
    return new ServerConfig(
        new ListenSettings(listening.host(), listening.port(), listening.allowedHosts(), keys),
        defaultSpace,
        limits,
        network,
        keeping,
        telemetry,
        mcp,
        proxy,
        webhooks,
        grpc);
  }

  public ServerConfig withLimits(ServerLimits other) {
    return new ServerConfig(
        listening, defaultSpace, other, network, keeping, telemetry, mcp, proxy, webhooks, grpc);
  }

  public ServerConfig withProxy(ProxySettings other) {
    return new ServerConfig(
        listening, defaultSpace, limits, network, keeping, telemetry, mcp, other, webhooks, grpc);
  }

  public ServerConfig withWebhooks(WebhookSettings other) {
    return new ServerConfig(
        listening, defaultSpace, limits, network, keeping, telemetry, mcp, proxy, other, grpc);
  }

  public ServerConfig withNetwork(NetworkSettings other) {
    return new ServerConfig(
        listening, defaultSpace, limits, other, keeping, telemetry, mcp, proxy, webhooks, grpc);
  }

  public ServerConfig withKeeping(ServerRetention other) {
    return new ServerConfig(
        listening, defaultSpace, limits, network, other, telemetry, mcp, proxy, webhooks, grpc);
  }

  public ServerConfig withGrpc(GrpcSettings other) {
    return new ServerConfig(
        listening, defaultSpace, limits, network, keeping, telemetry, mcp, proxy, webhooks, other);
  }

  public ServerConfig withGrpcPort(int port) {
    return withGrpc(
        new GrpcSettings(
            checkPort("--grpc-port", NO_PORT, port),
            grpc.callsPerConnection(),
            grpc.idleTimeout()));
  }

  /** Checks a port of the command line like one of the file. */
  private static int checkPort(String option, int least, int port) {
    if (port < least || port > ServerBounds.PORT) {
      throw KernelException.invalidValue(
          option, "%d to %d".formatted(least, ServerBounds.PORT), Integer.toString(port));
    }
    return port;
  }

  /** Returns these settings without TLS. */
  public ServerConfig withoutTls() {
    return withNetwork(network.withTls(Optional.empty()));
  }

  /** Returns these settings with the TLS files resolved against a directory. */
  public ServerConfig withTlsBaseDirectory(Path base) {
    return withNetwork(
        network.withTls(
            network
                .tls()
                .map(
                    tlsFiles ->
                        new TlsFiles(
                            base.resolve(tlsFiles.certificate()), base.resolve(tlsFiles.key())))));
  }

  private static NetworkSettings readNetwork(Settings settings) {
    SettingsSection limits = settings.section("server.limits");
    return new NetworkSettings(
        readTls(settings.section("server.tls")),
        limits.size("min-body-rate", ServerBounds.MIN_SLOWEST, ServerBounds.MAX_BODY),
        limits.duration("header-timeout", ServerBounds.MIN_TIME, ServerBounds.MAX_WAIT),
        new ConnectionLimits(
            limits.withUnit("connections").wholeNumber("connections", 1, ServerBounds.STREAMS),
            limits
                .withUnit("connections")
                .wholeNumber("connections-per-address", 1, ServerBounds.STREAMS)),
        new PerKeyLimits(
            limits.withUnit("streams").wholeNumber("streams-per-key", 0, ServerBounds.STREAMS),
            limits.withUnit("logins").wholeNumber("logins-per-key", 1, ServerBounds.PAGE)));
  }

  /** Reads the TLS files; refuses one without the other. */
  private static Optional<TlsFiles> readTls(SettingsSection settingsSection) {
    String certificate = settingsSection.text("certificate");
    String key = settingsSection.text("key");
    if (certificate.isEmpty() != key.isEmpty()) {
      settingsSection.reject(
          certificate.isEmpty() ? "certificate" : "key",
          where ->
              KernelException.invalidSetting(
                  where, "server.tls", "needs both 'certificate' and 'key', or neither of them"));
    }
    return certificate.isEmpty()
        ? Optional.empty()
        : Optional.of(new TlsFiles(Path.of(certificate), Path.of(key)));
  }

  private static ServerLimits readLimits(SettingsSection settingsSection) {
    return new ServerLimits(
        settingsSection.size("body-size", ServerBounds.MIN_BODY, ServerBounds.MAX_BODY),
        settingsSection
            .withUnit("requests")
            .wholeNumber("concurrent-requests", 1, ServerBounds.REQUESTS),
        settingsSection.duration("queue-timeout", Duration.ZERO, ServerBounds.MAX_WAIT),
        settingsSection.duration("idle-timeout", ServerBounds.MIN_TIME, ServerBounds.MAX_WAIT),
        settingsSection.duration("shutdown-timeout", Duration.ZERO, ServerBounds.MAX_STOP),
        settingsSection.withUnit("records").wholeNumber("page-size", 1, ServerBounds.PAGE),
        settingsSection.withUnit("hits").wholeNumber("default-hits", 1, ServerBounds.PAGE),
        settingsSection
            .withUnit("operations")
            .wholeNumber("commit-operations", 1, ServerBounds.COMMIT),
        settingsSection.withUnit("streams").wholeNumber("streams", 0, ServerBounds.STREAMS),
        settingsSection.withUnit("requests").wholeNumber("burst", 1, ServerBounds.REQUESTS),
        settingsSection
            .withUnit("requests per second")
            .decimalNumber("requests-per-second", ServerBounds.MIN_RATE, ServerBounds.RATE));
  }

  private static ServerRetention readKeeping(Settings settings, Duration idle) {
    SettingsSection events = settings.section("server.events");
    Duration heartbeat =
        events.duration("heartbeat-interval", ServerBounds.MIN_TIME, ServerBounds.MAX_WAIT);
    if (heartbeat.compareTo(idle) >= 0) {
      events.reject(
          "heartbeat-interval",
          where ->
              KernelException.invalidSetting(
                  where,
                  "server.events.heartbeat-interval",
                  "has to be less than server.limits.idle-timeout, or streams end before it"));
    }
    return new ServerRetention(
        readDuration(settings.section("server.idempotency"), "retention"),
        readDuration(settings.section("server.idempotency"), "pending-timeout"),
        readDuration(settings.section("server.audit"), "retention"),
        readDuration(settings.section("server.login"), "lifetime"),
        heartbeat,
        events.withUnit("commits").wholeNumber("batch", 1, ServerBounds.PAGE));
  }

  private static TelemetrySettings readTelemetry(SettingsSection settingsSection) {
    String endpoint = settingsSection.text("endpoint");
    requireHttpAddress(settingsSection, endpoint);
    return new TelemetrySettings(
        settingsSection.oneOf("exporter", TelemetryExporter.class),
        endpoint,
        settingsSection.flag("include-query-text"));
  }

  private static void requireHttpAddress(SettingsSection settingsSection, String endpoint) {
    if (!isHttpAddress(endpoint)) {
      settingsSection.reject(
          "endpoint",
          where ->
              KernelException.invalidSetting(
                  where,
                  settingsSection.name() + ".endpoint",
                  "has to be an address that begins with http:// or https://"));
    }
  }

  private static ProxySettings readProxy(
      SettingsSection settingsSection, SettingsSection embeddings) {
    Optional<String> endpoint = readNonBlank(settingsSection, "endpoint");
    endpoint.ifPresent(address -> requireHttpAddress(settingsSection, address));
    return new ProxySettings(
        endpoint.filter(ServerConfig::isHttpAddress).map(URI::create),
        readNonBlank(settingsSection, "model"),
        readNonBlank(settingsSection, "key-variable"),
        settingsSection.text("memory-introduction"),
        settingsSection.withUnit("tokens").wholeNumber("context-tokens", 1, ServerBounds.TOKENS),
        settingsSection.withUnit("requests").wholeNumber("concurrency", 1, ServerBounds.REQUESTS),
        readOutbound(settingsSection),
        new EmbeddingRequestLimits(
            embeddings.withUnit("texts").wholeNumber("max-inputs", 1, ServerBounds.TEXTS),
            embeddings.withUnit("tokens").wholeNumber("max-tokens", 1, ServerBounds.TOKENS)));
  }

  private static WebhookSettings readWebhooks(SettingsSection settingsSection) {
    return new WebhookSettings(
        EgressRules.from(settingsSection),
        settingsSection.withUnit("webhooks").wholeNumber("max-per-space", 0, ServerBounds.PAGE),
        settingsSection.text("key-variable"),
        readOutbound(settingsSection));
  }

  private static GrpcSettings readGrpc(SettingsSection settingsSection) {
    return new GrpcSettings(
        settingsSection.withUnit("port").wholeNumber("port", NO_PORT, ServerBounds.PORT),
        settingsSection
            .withUnit("calls")
            .wholeNumber("calls-per-connection", 1, ServerBounds.REQUESTS),
        settingsSection.duration("idle-timeout", ServerBounds.MIN_TIME, ServerBounds.MAX_TIME));
  }

  private static Optional<String> readNonBlank(SettingsSection settingsSection, String key) {
    return Optional.of(settingsSection.text(key)).filter(text -> !text.isBlank());
  }

  private static OutboundSettings readOutbound(SettingsSection settingsSection) {
    return new OutboundSettings(
        settingsSection.duration("connect-timeout", ServerBounds.MIN_TIME, ServerBounds.MAX_WAIT),
        settingsSection.duration("read-timeout", ServerBounds.MIN_TIME, ServerBounds.MAX_WAIT),
        settingsSection.duration("response-timeout", ServerBounds.MIN_TIME, ServerBounds.MAX_WAIT),
        settingsSection.size("response-limit", ServerBounds.MIN_BODY, ServerBounds.MAX_BODY));
  }

  private static boolean isHttpAddress(String address) {
    try {
      String scheme = URI.create(address).getScheme();
      return "http".equals(scheme) || "https".equals(scheme);
    } catch (IllegalArgumentException _) {
      return false;
    }
  }

  private static McpSettings readMcp(SettingsSection settingsSection) {
    return new McpSettings(
        settingsSection.duration("cache-ttl", Duration.ZERO, ServerBounds.MAX_TIME),
        settingsSection.duration("start-timeout", ServerBounds.MIN_TIME, ServerBounds.MAX_WAIT),
        settingsSection.duration("idle-timeout", ServerBounds.MIN_TIME, ServerBounds.MAX_TIME));
  }

  private static Duration readDuration(SettingsSection settingsSection, String key) {
    return settingsSection.duration(key, ServerBounds.MIN_TIME, ServerBounds.MAX_TIME);
  }

  private static SpaceId readSpace(SettingsSection settingsSection) {
    String name = settingsSection.text("default-space");
    try {
      return new SpaceId(name);
    } catch (KernelException e) {
      settingsSection.reject(
          "default-space",
          where ->
              KernelException.invalidSetting(
                  where, "server.default-space", String.valueOf(e.getMessage())));
      return SpaceId.DEFAULT; // never used: the settings are refused
    }
  }
}
