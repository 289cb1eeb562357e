package dev.caliber.server.settings;

import dev.caliber.kernel.DataSize;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.settings.CheckedSettings;
import dev.caliber.kernel.settings.SettingKey;
import dev.caliber.kernel.settings.SettingRange;
import dev.caliber.kernel.settings.Settings;
import dev.caliber.kernel.settings.StarterSettings;
import dev.caliber.models.ModelsConfig.EgressHostSettings;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The {@code [server]} part of {@code caliber.toml}; the starter file explains every key. */
public record ServerConfig(
    @SettingKey("") ListenSettings listening,
    SpaceId defaultSpace,
    ServerLimits limits,
    @SettingKey("") NetworkSettings network,
    @SettingKey("") ServerRetention keeping,
    TelemetrySettings telemetry,
    McpSettings mcp,
    ProxySettings proxy,
    EmbeddingRequestLimits embeddings,
    WebhookSettings webhooks,
    GrpcSettings grpc)
    implements CheckedSettings {
  private static final int NO_PORT = -1;
  private static final int PORT_BOUND = 65_535;

  /** The policy for callers without a key. */
  public enum KeyPolicy {
    /** Callers need a key, unless the server listens at a loopback address. */
    REMOTE,
    /** Every caller needs a key. */
    ALWAYS
  }

  /** The address, the host names, and the key policy. */
  public record ListenSettings(
      String host,
      @SettingRange("0 to 65535 port") int port,
      List<String> allowedHosts,
      KeyPolicy requireApiKey) {
    public ListenSettings {
      allowedHosts = List.copyOf(allowedHosts);
    }
  }

  /**
   * The limits on requests.
   *
   * @param shutdownTimeout at worst gRPC takes three of these, the proxy two and HTTP one, in
   *     sequence; a process has three minutes to end
   */
  public record ServerLimits(
      @SettingRange("1KiB to 64MiB") DataSize bodySize,
      @SettingRange("1 to 100000 requests") int concurrentRequests,
      @SettingRange("0s to 1h") Duration queueTimeout,
      @SettingRange("1ms to 1h") Duration idleTimeout,
      @SettingRange("0s to 25s") Duration shutdownTimeout,
      @SettingRange("1 to 1000 records") int pageSize,
      @SettingRange("1 to 1000 hits") int defaultHits,
      @SettingRange("1 to 1000 operations") int commitOperations,
      @SettingRange("0 to 1000000 streams") int streams,
      @SettingRange("1 to 100000 requests") int burst,
      @SettingRange("0.001 to 1000000 requests per second") double requestsPerSecond) {}

  /**
   * The limits on connections.
   *
   * @param certificate a certificate chain in PEM
   * @param key its private key in PEM
   * @param minBodyRate the bytes of a body that have to arrive per second, on average
   * @param headerTimeout the time for the head of a request, the TLS handshake included
   * @param connections the most open at a time
   */
  public record NetworkSettings(
      @SettingKey("tls.certificate") Optional<Path> certificate,
      @SettingKey("tls.key") Optional<Path> key,
      @SettingKey("limits.min-body-rate") @SettingRange("1B to 64MiB") DataSize minBodyRate,
      @SettingKey("limits.header-timeout") @SettingRange("1ms to 1h") Duration headerTimeout,
      @SettingKey("limits") ConnectionLimits connections,
      @SettingKey("limits") PerKeyLimits perKey) {

    /** Returns the files of TLS; empty without TLS. */
    public Optional<TlsFiles> tls() {
      return certificate.flatMap(chain -> key.map(secret -> new TlsFiles(chain, secret)));
    }
  }

  /** The most open connections: of all clients together, and of one address. */
  public record ConnectionLimits(
      @SettingKey("connections") @SettingRange("1 to 1000000 connections") int all,
      @SettingKey("connections-per-address") @SettingRange("1 to 1000000 connections")
          int perAddress) {}

  /** The most streams and logins that one key may have open. */
  public record PerKeyLimits(
      @SettingKey("streams-per-key") @SettingRange("0 to 1000000 streams") int streams,
      @SettingKey("logins-per-key") @SettingRange("1 to 1000 logins") int logins) {}

  /** A certificate chain and its key, both in PEM. */
  public record TlsFiles(Path certificate, Path key) {}

  /** The retention of records, and the heartbeat of event streams. */
  public record ServerRetention(
      @SettingKey("idempotency.retention") @SettingRange("1ms to 3650d") Duration idempotency,
      @SettingKey("idempotency.pending-timeout") @SettingRange("1ms to 3650d")
          Duration pendingTimeout,
      @SettingKey("audit.retention") @SettingRange("1ms to 3650d") Duration audit,
      @SettingKey("login.lifetime") @SettingRange("1ms to 3650d") Duration login,
      @SettingKey("events.heartbeat-interval") @SettingRange("1ms to 1h")
          Duration heartbeatInterval,
      @SettingKey("events.batch") @SettingRange("1 to 1000 commits") int batch) {}

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
      TelemetryExporter exporter, URI endpoint, boolean includeQueryText) {}

  /**
   * The settings of the Model Context Protocol.
   *
   * @param cacheTtl the time for which clients may cache results common to all callers
   * @param startTimeout the time that a bridge waits for a server that it has started
   * @param idleTimeout the time without a request after which such a server ends
   */
  public record McpSettings(
      @SettingRange("0s to 3650d") Duration cacheTtl,
      @SettingRange("1ms to 1h") Duration startTimeout,
      @SettingRange("1ms to 3650d") Duration idleTimeout) {}

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
      @SettingRange("1 to 10000000 tokens") int contextTokens,
      @SettingRange("1 to 100000 requests") int concurrency,
      @SettingKey("") OutboundSettings waiting) {}

  /** The most texts of one request for vectors, and the most tokens of them together. */
  public record EmbeddingRequestLimits(
      @SettingRange("1 to 100000 texts") int maxInputs,
      @SettingRange("1 to 10000000 tokens") int maxTokens) {}

  /**
   * The settings of webhooks.
   *
   * @param egress the allowed addresses
   * @param maxPerSpace the most webhooks of one space
   * @param keyVariable the environment variable with the key that encrypts their secrets
   */
  public record WebhookSettings(
      @SettingKey("") EgressHostSettings egress,
      @SettingRange("0 to 1000 webhooks") int maxPerSpace,
      String keyVariable,
      @SettingKey("") OutboundSettings waiting) {}

  /**
   * The settings of gRPC.
   *
   * @param port negative: not served
   * @param callsPerConnection the most concurrent calls of one connection
   * @param idleTimeout the time without a call after which a connection is closed
   */
  public record GrpcSettings(
      @SettingRange("-1 to 65535 port") int port,
      @SettingRange("1 to 100000 calls") int callsPerConnection,
      @SettingRange("1ms to 3650d") Duration idleTimeout) {
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
      @SettingRange("1ms to 1h") Duration connectTimeout,
      @SettingRange("1ms to 1h") Duration readTimeout,
      @SettingRange("1ms to 1h") Duration responseTimeout,
      @SettingRange("1KiB to 64MiB") DataSize responseLimit) {}

  /** Returns the settings of the starter file. */
  public static ServerConfig starter() {
    return StarterSettings.read("server", ServerConfig.class);
  }

  /** Returns these settings with lines of TOML over them; each line has the full key. */
  public ServerConfig with(String... lines) {
    return StarterSettings.override("server", this, lines);
  }

  @Override
  public void check(Settings settings) {
    settings.requireCompatible(
        network.certificate().isPresent() == network.key().isPresent(),
        "server.tls.certificate",
        "server.tls.key",
        "TLS needs both a certificate and its key, or neither");
    settings.requireCompatible(
        keeping.heartbeatInterval().compareTo(limits.idleTimeout()) < 0,
        "server.events.heartbeat-interval",
        "server.limits.idle-timeout",
        "the heartbeat has to be less than the idle timeout, or streams end before it");
  }

  public ServerConfig withAddress(String host, int port) {
    return with(
        new ListenSettings(
            host,
            checkPort("--port", 0, port),
            listening.allowedHosts(),
            listening.requireApiKey()),
        network,
        grpc);
  }

  public ServerConfig withGrpcPort(int port) {
    return with(
        listening,
        network,
        new GrpcSettings(
            checkPort("--grpc-port", NO_PORT, port),
            grpc.callsPerConnection(),
            grpc.idleTimeout()));
  }

  /** Checks a port of the command line like one of the file. */
  private static int checkPort(String option, int least, int port) {
    if (port < least || port > PORT_BOUND) {
      throw KernelException.invalidValue(
          option, "%d to %d".formatted(least, PORT_BOUND), Integer.toString(port));
    }
    return port;
  }

  /** Returns these settings without TLS. */
  public ServerConfig withoutTls() {
    return withTls(Optional.empty(), Optional.empty());
  }

  /** Returns these settings with the TLS files resolved against a directory. */
  public ServerConfig withTlsBaseDirectory(Path base) {
    return withTls(network.certificate().map(base::resolve), network.key().map(base::resolve));
  }

  private ServerConfig withTls(Optional<Path> certificate, Optional<Path> key) {
    var other =
        new NetworkSettings(
            certificate,
            key,
            network.minBodyRate(),
            network.headerTimeout(),
            network.connections(),
            network.perKey());
    return with(listening, other, grpc);
  }

  private ServerConfig with(
      ListenSettings listens, NetworkSettings connections, GrpcSettings grpcSettings) {
    return new ServerConfig(
        listens,
        defaultSpace,
        limits,
        connections,
        keeping,
        telemetry,
        mcp,
        proxy,
        embeddings,
        webhooks,
        grpcSettings);
  }
}
