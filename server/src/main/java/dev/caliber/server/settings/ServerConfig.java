package dev.caliber.server.settings;

import dev.caliber.kernel.DataSize;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.settings.Section;
import dev.caliber.kernel.settings.Settings;
import dev.caliber.models.ModelsConfig.Egress;
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
    Listening listening,
    SpaceId space,
    Limits limits,
    Network network,
    Keeping keeping,
    Telemetry telemetry,
    Mcp mcp,
    Proxy proxy,
    Webhooks webhooks,
    Grpc grpc) {
  private static final String STARTER = "starter.toml";
  private static final int NO_PORT = -1;

  /** Who needs a key. */
  public enum KeyPolicy {
    /** Everybody, unless the server listens at a loopback address. */
    REMOTE,
    /** Everybody. */
    ALWAYS
  }

  /** Where it listens, by which names it is called, and who needs a key there. */
  public record Listening(String host, int port, List<String> names, KeyPolicy keys) {
    public Listening {
      names = List.copyOf(names);
    }
  }

  /** How much it takes at a time. */
  public record Limits(
      DataSize body,
      int requests,
      Duration patience,
      Duration idle,
      Duration stop,
      int page,
      int hits,
      int commit,
      int streams,
      int burst,
      double rate) {}

  /**
   * What it takes of connections.
   *
   * @param slowest how many bytes of a body have to come per second, on average
   * @param head how long the head of a request may take, the handshake of TLS included
   * @param connections the most at a time
   */
  public record Network(
      Optional<Tls> tls, DataSize slowest, Duration head, Connections connections, PerKey perKey) {
    Network without(Optional<Tls> other) {
      return new Network(other, slowest, head, connections, perKey);
    }
  }

  /** The most connections at a time: of all clients together, and of one address. */
  public record Connections(int all, int perAddress) {}

  /** The most that one key may have at a time of what stays open. */
  public record PerKey(int streams, int logins) {}

  /** A certificate with what leads to it, and its key, both as PEM. */
  public record Tls(Path certificate, Path key) {}

  /** How long things are kept, and how event streams are fed. */
  public record Keeping(
      Duration answers,
      Duration pending,
      Duration audit,
      Duration login,
      Duration heartbeat,
      int batch) {}

  /** Who is told what happens here. */
  public enum Exporter {
    /** Nobody. */
    NONE,
    /** A collector, by OTLP over HTTP. */
    OTLP
  }

  /**
   * What OpenTelemetry is told.
   *
   * @param endpoint where a collector takes traces
   * @param queryText whether spans hold queries, which may hold what people have said
   */
  public record Telemetry(Exporter exporter, String endpoint, boolean queryText) {}

  /**
   * How the Model Context Protocol is served.
   *
   * @param fresh how long clients may keep what is the same for everybody
   * @param start how long a bridge waits for the server that it has started
   * @param idle after how long without a request such a server ends
   */
  public record Mcp(Duration fresh, Duration start, Duration idle) {}

  /**
   * The model behind OpenAI's API.
   *
   * @param endpoint nothing: there is none
   * @param model nothing: the one that a request names
   * @param introduction what stands before what memory has to say
   * @param contextTokens the most of that
   * @param parallel how many requests may wait for the model at once
   */
  public record Proxy(
      Optional<URI> endpoint,
      Optional<String> model,
      Optional<String> keyVariable,
      String introduction,
      int contextTokens,
      int parallel,
      Waiting waiting,
      Embeddings embeddings) {}

  /** The most texts of one request for vectors, and the most tokens of all of them together. */
  public record Embeddings(int inputs, int tokens) {}

  /**
   * Addresses that are told of commits.
   *
   * @param egress where they may be
   * @param limit the most of one space
   * @param keyVariable the environment variable with the key that their secrets are encrypted with
   */
  public record Webhooks(Egress egress, int limit, String keyVariable, Waiting waiting) {}

  /**
   * How gRPC is served.
   *
   * @param port negative: not at all
   * @param calls the most of one connection at a time
   * @param idle after how long without a call a connection is closed
   */
  public record Grpc(int port, int calls, Duration idle) {
    public boolean isWanted() {
      return port >= 0;
    }
  }

  /**
   * How long and how much of another server's answer is waited for.
   *
   * @param silence how long nothing may come
   * @param answerTimeout how long all of it may take
   */
  public record Waiting(
      Duration connectTimeout, Duration silence, Duration answerTimeout, DataSize answerLimit) {}

  /** What the jar's own file says. */
  public static ServerConfig starter() {
    Settings settings = Settings.parse("the starter file", starterText());
    ServerConfig config = from(settings);
    settings.verify();
    return config;
  }

  /** The jar's own {@code [server]} part, with a sentence for every key. */
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
    Section server = settings.section("server");
    Limits limits = limits(settings.section("server.limits"));
    return new ServerConfig(
        new Listening(
            server.text("host"),
            server.in("port").whole("port", 0, ServerBounds.PORT),
            server.texts("names"),
            server.oneOf("keys", KeyPolicy.class)),
        space(server),
        limits,
        network(settings),
        keeping(settings, limits.idle()),
        telemetry(settings.section("server.telemetry")),
        mcp(settings.section("server.mcp")),
        proxy(settings.section("server.proxy"), settings.section("server.embeddings")),
        webhooks(settings.section("server.webhooks")),
        grpc(settings.section("server.grpc")));
  }

  public ServerConfig listeningAt(String host, int port) {
    return new ServerConfig(
        new Listening(host, port("--port", 0, port), listening.names(), listening.keys()),
        space,
        limits,
        network,
        keeping,
        telemetry,
        mcp,
        proxy,
        webhooks,
        grpc);
  }

  public ServerConfig asking(KeyPolicy keys) {
    return new ServerConfig(
        new Listening(listening.host(), listening.port(), listening.names(), keys),
        space,
        limits,
        network,
        keeping,
        telemetry,
        mcp,
        proxy,
        webhooks,
        grpc);
  }

  public ServerConfig withLimits(Limits other) {
    return new ServerConfig(
        listening, space, other, network, keeping, telemetry, mcp, proxy, webhooks, grpc);
  }

  public ServerConfig withProxy(Proxy other) {
    return new ServerConfig(
        listening, space, limits, network, keeping, telemetry, mcp, other, webhooks, grpc);
  }

  public ServerConfig withWebhooks(Webhooks other) {
    return new ServerConfig(
        listening, space, limits, network, keeping, telemetry, mcp, proxy, other, grpc);
  }

  public ServerConfig withNetwork(Network other) {
    return new ServerConfig(
        listening, space, limits, other, keeping, telemetry, mcp, proxy, webhooks, grpc);
  }

  public ServerConfig withKeeping(Keeping other) {
    return new ServerConfig(
        listening, space, limits, network, other, telemetry, mcp, proxy, webhooks, grpc);
  }

  public ServerConfig withGrpc(Grpc other) {
    return new ServerConfig(
        listening, space, limits, network, keeping, telemetry, mcp, proxy, webhooks, other);
  }

  public ServerConfig withGrpcAt(int port) {
    return withGrpc(new Grpc(port("--grpc-port", NO_PORT, port), grpc.calls(), grpc.idle()));
  }

  /** What a command line says is checked as the file is. */
  private static int port(String option, int least, int port) {
    if (port < least || port > ServerBounds.PORT) {
      throw KernelException.invalidValue(
          option, "%d to %d".formatted(least, ServerBounds.PORT), Integer.toString(port));
    }
    return port;
  }

  /** The same without TLS. */
  public ServerConfig inTheClear() {
    return withNetwork(network.without(Optional.empty()));
  }

  /** The same with the files of TLS seen from this directory. */
  public ServerConfig seenFrom(Path base) {
    return withNetwork(
        network.without(
            network
                .tls()
                .map(tls -> new Tls(base.resolve(tls.certificate()), base.resolve(tls.key())))));
  }

  private static Network network(Settings settings) {
    Section limits = settings.section("server.limits");
    return new Network(
        tls(settings.section("server.tls")),
        limits.size("slowest", ServerBounds.MIN_SLOWEST, ServerBounds.MAX_BODY),
        limits.duration("head", ServerBounds.MIN_TIME, ServerBounds.MAX_WAIT),
        new Connections(
            limits.in("connections").whole("connections", 1, ServerBounds.STREAMS),
            limits.in("connections").whole("connections-per-address", 1, ServerBounds.STREAMS)),
        new PerKey(
            limits.in("streams").whole("streams-per-key", 0, ServerBounds.STREAMS),
            limits.in("logins").whole("logins-per-key", 1, ServerBounds.PAGE)));
  }

  /** Both or neither. */
  private static Optional<Tls> tls(Section section) {
    String certificate = section.text("certificate");
    String key = section.text("key");
    if (certificate.isEmpty() != key.isEmpty()) {
      section.refuse(
          certificate.isEmpty() ? "certificate" : "key",
          where ->
              KernelException.invalidSetting(
                  where, "server.tls", "wanted a certificate and its key, or neither"));
    }
    return certificate.isEmpty()
        ? Optional.empty()
        : Optional.of(new Tls(Path.of(certificate), Path.of(key)));
  }

  private static Limits limits(Section section) {
    return new Limits(
        section.size("body", ServerBounds.MIN_BODY, ServerBounds.MAX_BODY),
        section.in("requests").whole("requests", 1, ServerBounds.REQUESTS),
        section.duration("patience", Duration.ZERO, ServerBounds.MAX_WAIT),
        section.duration("idle", ServerBounds.MIN_TIME, ServerBounds.MAX_WAIT),
        section.duration("stop", Duration.ZERO, ServerBounds.MAX_STOP),
        section.in("records").whole("page", 1, ServerBounds.PAGE),
        section.in("hits").whole("hits", 1, ServerBounds.PAGE),
        section.in("operations").whole("commit", 1, ServerBounds.COMMIT),
        section.in("streams").whole("streams", 0, ServerBounds.STREAMS),
        section.in("requests").whole("burst", 1, ServerBounds.REQUESTS),
        section.in("requests per second").real("rate", ServerBounds.MIN_RATE, ServerBounds.RATE));
  }

  private static Keeping keeping(Settings settings, Duration idle) {
    Section events = settings.section("server.events");
    Duration heartbeat = events.duration("heartbeat", ServerBounds.MIN_TIME, ServerBounds.MAX_WAIT);
    if (heartbeat.compareTo(idle) >= 0) {
      events.refuse(
          "heartbeat",
          where ->
              KernelException.invalidSetting(
                  where,
                  "server.events.heartbeat",
                  "wanted less than server.limits.idle, or streams end before it"));
    }
    return new Keeping(
        time(settings.section("server.answers"), "retention"),
        time(settings.section("server.answers"), "pending"),
        time(settings.section("server.audit"), "retention"),
        time(settings.section("server.login"), "lifetime"),
        heartbeat,
        events.in("commits").whole("batch", 1, ServerBounds.PAGE));
  }

  private static Telemetry telemetry(Section section) {
    String endpoint = section.text("endpoint");
    requireHttp(section, endpoint);
    return new Telemetry(
        section.oneOf("exporter", Exporter.class), endpoint, section.flag("query-text"));
  }

  private static void requireHttp(Section section, String endpoint) {
    if (!isHttp(endpoint)) {
      section.refuse(
          "endpoint",
          where ->
              KernelException.invalidSetting(
                  where,
                  section.name() + ".endpoint",
                  "wanted an address that begins with http:// or https://"));
    }
  }

  private static Proxy proxy(Section section, Section embeddings) {
    Optional<String> endpoint = filled(section, "endpoint");
    endpoint.ifPresent(address -> requireHttp(section, address));
    return new Proxy(
        endpoint.filter(ServerConfig::isHttp).map(URI::create),
        filled(section, "model"),
        filled(section, "key-variable"),
        section.text("introduction"),
        section.in("tokens").whole("context-tokens", 1, ServerBounds.TOKENS),
        section.in("requests").whole("parallel", 1, ServerBounds.REQUESTS),
        waiting(section),
        new Embeddings(
            embeddings.in("texts").whole("inputs", 1, ServerBounds.TEXTS),
            embeddings.in("tokens").whole("tokens", 1, ServerBounds.TOKENS)));
  }

  private static Webhooks webhooks(Section section) {
    return new Webhooks(
        Egress.from(section),
        section.in("webhooks").whole("limit", 0, ServerBounds.PAGE),
        section.text("key-variable"),
        waiting(section));
  }

  private static Grpc grpc(Section section) {
    return new Grpc(
        section.in("port").whole("port", NO_PORT, ServerBounds.PORT),
        section.in("calls").whole("calls", 1, ServerBounds.REQUESTS),
        section.duration("idle", ServerBounds.MIN_TIME, ServerBounds.MAX_TIME));
  }

  private static Optional<String> filled(Section section, String key) {
    return Optional.of(section.text(key)).filter(text -> !text.isBlank());
  }

  private static Waiting waiting(Section section) {
    return new Waiting(
        section.duration("connect-timeout", ServerBounds.MIN_TIME, ServerBounds.MAX_WAIT),
        section.duration("silence", ServerBounds.MIN_TIME, ServerBounds.MAX_WAIT),
        section.duration("answer-timeout", ServerBounds.MIN_TIME, ServerBounds.MAX_WAIT),
        section.size("answer-limit", ServerBounds.MIN_BODY, ServerBounds.MAX_BODY));
  }

  private static boolean isHttp(String address) {
    try {
      String scheme = URI.create(address).getScheme();
      return "http".equals(scheme) || "https".equals(scheme);
    } catch (IllegalArgumentException _) {
      return false;
    }
  }

  private static Mcp mcp(Section section) {
    return new Mcp(
        section.duration("fresh", Duration.ZERO, ServerBounds.MAX_TIME),
        section.duration("start", ServerBounds.MIN_TIME, ServerBounds.MAX_WAIT),
        section.duration("idle", ServerBounds.MIN_TIME, ServerBounds.MAX_TIME));
  }

  private static Duration time(Section section, String key) {
    return section.duration(key, ServerBounds.MIN_TIME, ServerBounds.MAX_TIME);
  }

  private static SpaceId space(Section section) {
    String name = section.text("space");
    try {
      return new SpaceId(name);
    } catch (KernelException e) {
      section.refuse(
          "space",
          where ->
              KernelException.invalidSetting(
                  where, "server.space", String.valueOf(e.getMessage())));
      return SpaceId.DEFAULT; // never used: the settings are refused
    }
  }
}
