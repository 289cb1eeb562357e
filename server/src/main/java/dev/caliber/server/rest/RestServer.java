package dev.caliber.server.rest;

import dev.caliber.kernel.Ids;
import dev.caliber.server.access.Activity;
import dev.caliber.server.access.Admission;
import dev.caliber.server.access.Capacity;
import dev.caliber.server.access.Keys;
import dev.caliber.server.access.Turns;
import dev.caliber.server.mcp.McpProtocol;
import dev.caliber.server.operation.FailureText;
import dev.caliber.server.operation.Operations;
import dev.caliber.server.operation.RequestId;
import dev.caliber.server.operation.ServerException;
import dev.caliber.server.proxy.ChatProxy;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.store.RecordStore;
import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.config.RoutesConfig;
import io.javalin.config.SizeUnit;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HandlerType;
import io.javalin.http.HttpResponseException;
import io.javalin.util.JavalinBindException;
import io.javalin.util.JavalinException;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.net.URI;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.UnsupportedCharsetException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Listens, and answers by running operations. */
public final class RestServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RestServer.class);

  private final Operations operations;
  private final ServerConfig config;
  private final Gate gate;
  private final Addresses addresses;
  private final Problems problems;
  private final Lingering lingering;
  private final Turns turns;
  private final Edge edge;
  private final Assets assets = new Assets();
  private final Metrics metrics;
  private final Health health;
  private final FeedStreams streams;
  private final EventStream events;
  private final Bulk bulk;
  private final Login login;
  private final McpEndpoint mcp;
  private final ProxyEndpoint proxy;
  private final Activity activity;
  private final Ids ids;
  private final List<Registered> routes = new ArrayList<>();
  private final Javalin javalin;

  private RestServer(Parts parts) {
    operations = parts.operations();
    ids = parts.ids();
    config = parts.config();
    ServerConfig.Limits limits = config.limits();
    gate = new Gate(parts.admission(), parts.keys());
    addresses = new Addresses(config.listening());
    problems = new Problems(limits.body().bytes(), limits.patience());
    lingering = new Lingering(limits.body(), limits.idle(), parts.clock());
    turns = parts.capacity().turns();
    edge = new Edge(gate, turns, new Bodies(config, parts.clock()));
    metrics = new Metrics(parts.meters());
    health = new Health(parts.store(), parts.loaded());
    streams =
        new FeedStreams(
            parts.store().changes(), gate, parts.capacity().streams(), config, parts.clock());
    events = new EventStream(streams, gate);
    bulk = new Bulk(operations, edge, limits);
    login = new Login(parts.keys(), edge, config);
    mcp = new McpEndpoint(parts.mcp(), edge, streams);
    proxy = new ProxyEndpoint(parts.proxy(), edge, problems);
    activity = parts.activity();
    javalin = Javalin.create(this::configure);
  }

  /**
   * Whether who shows no key is let in: where only this machine can call, unless settings say no.
   */
  public static boolean isOpen(ServerConfig config) {
    return config.listening().keys() == ServerConfig.KeyPolicy.REMOTE
        && Addresses.isLoopback(config.listening().host());
  }

  /** A route that is listened to. */
  public record Registered(String method, String path) {}

  /**
   * What it stands on.
   *
   * @param loaded whether the models that requests need are there
   */
  public record Parts(
      Operations operations,
      McpProtocol mcp,
      ChatProxy proxy,
      RecordStore store,
      BooleanSupplier loaded,
      Keys keys,
      Admission admission,
      Capacity capacity,
      Activity activity,
      ServerConfig config,
      InstantSource clock,
      Ids ids,
      MeterBinder meters) {}

  /** Begins to listen; refuses to where anybody could call and no key is there. */
  public static RestServer start(Parts parts) {
    ServerConfig.Listening place = parts.config().listening();
    if (!Addresses.isLoopback(place.host()) && parts.keys().isEmpty()) {
      throw ServerException.noKeys(place.host());
    }
    RestServer server = new RestServer(parts);
    try {
      server.javalin.start(place.host(), place.port());
      server.metrics.watchProcess();
    } catch (JavalinBindException _) {
      server.metrics.close();
      throw ServerException.portInUse(place.host(), place.port());
    } catch (Throwable t) {
      server.metrics.close();
      throw t;
    }
    return server;
  }

  /** Where it listens, a free port that it was told to choose included. */
  public URI address() {
    String host = config.listening().host();
    String name = Addresses.isEverywhere(host) ? "127.0.0.1" : host;
    return URI.create(
        "%s://%s:%d"
            .formatted(
                config.network().tls().isPresent() ? "https" : "http",
                name.contains(":") ? "[" + name + "]" : name,
                javalin.port()));
  }

  /** A form is kept on disk before somebody reads it. */
  private void checkForm(Context context) {
    long most = config.limits().body().bytes();
    if (context.isMultipartFormData() && context.contentLength() > most) {
      throw ServerException.bodyTooLarge(most);
    }
  }

  /** A charset that nobody knows is refused here, before somebody stumbles over it. */
  private static void checkType(Context context) {
    try {
      String _ = context.contentType();
    } catch (IllegalCharsetNameException | UnsupportedCharsetException _) {
      throw ServerException.unsupportedMediaType(MediaTypes.JSON);
    }
  }

  /** Nothing that is answered is kept by others, or taken for something else than it is. */
  private void begin(Context context) {
    String request = ids.next().toString();
    context.attribute(RequestId.HEADER, request);
    context.header(RequestId.HEADER, request);
    context.header("Cache-Control", "no-store").header("X-Content-Type-Options", "nosniff");
  }

  private void configure(JavalinConfig javalinConfig) {
    ServerConfig.Limits limits = config.limits();
    javalinConfig.concurrency.useVirtualThreads = true;
    javalinConfig.startup.showJavalinBanner = false;
    javalinConfig.startup.showOldJavalinVersionWarning = false;
    javalinConfig.http.maxRequestSize = limits.body().bytes();
    javalinConfig.jetty.multipartConfig.maxTotalRequestSize(limits.body().bytes(), SizeUnit.BYTES);
    javalinConfig.jetty.multipartConfig.maxFileSize(limits.body().bytes(), SizeUnit.BYTES);
    javalinConfig.http.prefer405over404 = true;
    javalinConfig.http.defaultContentType = MediaTypes.JSON;
    javalinConfig.router.javaLangErrorHandler(problems::giveUp);
    Connections.configure(javalinConfig.jetty, config, ids);
    javalinConfig.routes.exception(Exception.class, problems::answer);
    javalinConfig.routes.exception(HttpResponseException.class, problems::answer);
    javalinConfig.routes.before(this::begin);
    javalinConfig.routes.before(addresses::check);
    javalinConfig.routes.before(RestServer::checkType);
    javalinConfig.routes.before(this::checkForm);
    javalinConfig.routes.after(lingering::after);
    publicRoutes(javalinConfig.routes);
    for (Route route : Routes.ALL) {
      add(
          javalinConfig.routes,
          route.method(),
          Routes.BASE + route.path(),
          new OperationHandler(operations, edge, route));
    }
    add(javalinConfig.routes, HandlerType.POST, Routes.BASE + "/bulk", bulk);
    /* A stream waits most of its time: it has a limit of its own. */
    add(javalinConfig.routes, HandlerType.GET, Routes.BASE + "/events", events);
    listen(javalinConfig.routes, HandlerType.POST, McpEndpoint.PATH, mcp);
    proxy
        .handlers()
        .forEach(each -> listen(javalinConfig.routes, each.method(), each.path(), each.handler()));
    add(
        javalinConfig.routes,
        HandlerType.GET,
        "/metrics",
        context -> {
          gate.forAllSpaces(context);
          metrics.answer(context);
        });
  }

  /** What needs no key. */
  private void publicRoutes(RoutesConfig to) {
    add(to, HandlerType.GET, "/", assets::page);
    add(to, HandlerType.GET, "/studio/{file}", assets::file);
    add(to, HandlerType.GET, "/openapi.yaml", assets::contract);
    add(to, HandlerType.GET, "/health/live", health::live);
    add(to, HandlerType.GET, "/health/ready", health::ready);
    add(to, HandlerType.POST, Routes.BASE + "/login", login::in);
    add(to, HandlerType.POST, Routes.BASE + "/logout", login::out);
  }

  private void add(RoutesConfig to, HandlerType method, String path, Handler handler) {
    routes.add(new Registered(method.name(), path));
    listen(to, method, path, handler);
  }

  /** Without a word in the contract: what comes here has a contract of its own. */
  private void listen(RoutesConfig to, HandlerType method, String path, Handler handler) {
    to.addHttpHandler(method, path, counted(metrics.timed(method.name(), path, handler)));
    if (method.equals(HandlerType.GET)) { // which the library would answer with 200, whatever comes
      listen(to, HandlerType.HEAD, path, handler);
    }
  }

  private Handler counted(Handler handler) {
    return context -> {
      activity.begin();
      try {
        String request = Objects.requireNonNull(context.attribute(RequestId.HEADER));
        boolean _ = RequestId.during(request, () -> isHandled(handler, context));
      } catch (OutOfMemoryError | StackOverflowError e) {
        problems.answer(e, context);
        context.res().setHeader("Connection", "close");
      } finally {
        activity.end();
      }
    };
  }

  private static boolean isHandled(Handler handler, Context context) throws Exception {
    handler.handle(context);
    return true;
  }

  /** Everything that is listened to, for whoever compares it with the contract. */
  public List<Registered> routes() {
    return List.copyOf(routes);
  }

  /** Says to whoever asks for its health that it is about to stop. */
  public void announceStop() {
    health.close();
  }

  /** Lets requests that are being worked on end, for as long as settings say. */
  @Override
  public void close() {
    announceStop();
    turns.close();
    streams.close();
    bulk.close();
    proxy.close();
    try {
      javalin.stop();
    } catch (JavalinException e) {
      LOG.warn(
          "Some requests were still worked on after server.limits.stop: {}", FailureText.of(e));
    }
    metrics.close();
  }
}
