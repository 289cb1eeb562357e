package dev.caliber.server.rest;

import dev.caliber.kernel.IdGenerator;
import dev.caliber.server.access.ActivityTracker;
import dev.caliber.server.access.Admission;
import dev.caliber.server.access.ApiKeys;
import dev.caliber.server.access.CapacityLimiters;
import dev.caliber.server.access.RequestLimiter;
import dev.caliber.server.mcp.McpProtocol;
import dev.caliber.server.operation.ApiContract;
import dev.caliber.server.operation.FailureText;
import dev.caliber.server.operation.OperationDispatcher;
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

/** The HTTP server: it listens and runs operations. */
public final class RestServer implements AutoCloseable {
  static final String BASE = "/api/v1";
  private static final Logger LOG = LoggerFactory.getLogger(RestServer.class);

  private final OperationDispatcher operationDispatcher;
  private final ServerConfig config;
  private final HttpAuthenticator httpAuthenticator;
  private final AllowedHosts allowedHosts;
  private final HttpErrorHandler httpErrorHandler;
  private final UnreadBodyDrainer unreadBodyDrainer;
  private final RequestLimiter requestLimiter;
  private final HandlerDependencies handlerDependencies;
  private final StaticAssets staticAssets = new StaticAssets();
  private final PrometheusMetrics prometheusMetrics;
  private final HealthEndpoint healthEndpoint;
  private final FeedStreams streams;
  private final FeedEventHandler events;
  private final BulkHandler bulkHandler;
  private final LoginHandler loginHandler;
  private final McpEndpoint mcp;
  private final OpenAiProxyEndpoint proxy;
  private final ActivityTracker activityTracker;
  private final IdGenerator idGenerator;
  private final List<RegisteredRoute> routes = new ArrayList<>();
  private final Javalin javalin;

  private RestServer(RestServerDependencies restServerDependencies) {
    operationDispatcher = restServerDependencies.operations();
    idGenerator = restServerDependencies.ids();
    config = restServerDependencies.config();
    ServerConfig.ServerLimits serverLimits = config.limits();
    httpAuthenticator =
        new HttpAuthenticator(restServerDependencies.admission(), restServerDependencies.keys());
    allowedHosts = new AllowedHosts(config.listening());
    httpErrorHandler =
        new HttpErrorHandler(serverLimits.bodySize().bytes(), serverLimits.queueTimeout());
    unreadBodyDrainer =
        new UnreadBodyDrainer(
            serverLimits.bodySize(), serverLimits.idleTimeout(), restServerDependencies.clock());
    requestLimiter = restServerDependencies.capacity().requestLimiter();
    handlerDependencies =
        new HandlerDependencies(
            httpAuthenticator,
            requestLimiter,
            new RequestBodyReader(config, restServerDependencies.clock()));
    prometheusMetrics = new PrometheusMetrics(restServerDependencies.meters());
    healthEndpoint =
        new HealthEndpoint(restServerDependencies.store(), restServerDependencies.modelsLoaded());
    streams =
        new FeedStreams(
            restServerDependencies.store().changes(),
            httpAuthenticator,
            restServerDependencies.capacity().streamLimiter(),
            config,
            restServerDependencies.clock());
    events = new FeedEventHandler(streams, httpAuthenticator);
    bulkHandler = new BulkHandler(operationDispatcher, handlerDependencies, serverLimits);
    loginHandler = new LoginHandler(restServerDependencies.keys(), handlerDependencies, config);
    mcp = new McpEndpoint(restServerDependencies.mcp(), handlerDependencies, streams);
    proxy =
        new OpenAiProxyEndpoint(
            restServerDependencies.proxy(), handlerDependencies, httpErrorHandler);
    activityTracker = restServerDependencies.activity();
    javalin = Javalin.create(this::configure);
  }

  /** Returns whether callers need no key: by default, if only this machine can connect. */
  public static boolean isKeyOptional(ServerConfig config) {
    return config.listening().requireApiKey() == ServerConfig.KeyPolicy.REMOTE
        && AllowedHosts.isLoopback(config.listening().host());
  }

  public record RegisteredRoute(String method, String path) {}

  /**
   * The dependencies of the server.
   *
   * @param modelsLoaded whether the models that requests need are loaded
   */
  public record RestServerDependencies(
      OperationDispatcher operations,
      McpProtocol mcp,
      ChatProxy proxy,
      RecordStore store,
      BooleanSupplier modelsLoaded,
      ApiKeys keys,
      Admission admission,
      CapacityLimiters capacity,
      ActivityTracker activity,
      ServerConfig config,
      InstantSource clock,
      IdGenerator ids,
      MeterBinder meters) {}

  /** Starts listening; refuses an address that other machines reach if there is no key yet. */
  public static RestServer start(RestServerDependencies restServerDependencies) {
    ServerConfig.ListenSettings place = restServerDependencies.config().listening();
    if (!AllowedHosts.isLoopback(place.host()) && restServerDependencies.keys().isEmpty()) {
      throw ServerException.keysRequired(place.host());
    }
    RestServer server = new RestServer(restServerDependencies);
    try {
      server.javalin.start(place.host(), place.port());
      server.prometheusMetrics.bindProcessMetrics();
    } catch (JavalinBindException _) {
      server.prometheusMetrics.close();
      throw ServerException.portInUse(place.host(), place.port());
    } catch (Throwable t) {
      server.prometheusMetrics.close();
      throw t;
    }
    return server;
  }

  /** The address in use, also if the system chose a free port. */
  public URI address() {
    String host = config.listening().host();
    String name = AllowedHosts.isWildcard(host) ? "127.0.0.1" : host;
    return URI.create(
        "%s://%s:%d"
            .formatted(
                config.network().tls().isPresent() ? "https" : "http",
                name.contains(":") ? "[" + name + "]" : name,
                javalin.port()));
  }

  /** Refuses a form that is too large, before Javalin writes it to disk. */
  private void checkFormSize(Context context) {
    long most = config.limits().bodySize().bytes();
    if (context.isMultipartFormData() && context.contentLength() > most) {
      throw ServerException.bodyTooLarge(most);
    }
  }

  /** Refuses an unknown charset before a parser fails on it. */
  private static void checkContentType(Context context) {
    try {
      String _ = context.contentType();
    } catch (IllegalCharsetNameException | UnsupportedCharsetException _) {
      throw ServerException.unsupportedMediaType(MediaTypes.JSON);
    }
  }

  /** Adds headers that forbid caching and content sniffing. */
  private void setCommonHeaders(Context context) {
    String request = idGenerator.next().toString();
    context.attribute(RequestId.HEADER, request);
    context.header(RequestId.HEADER, request);
    context.header("Cache-Control", "no-store").header("X-Content-Type-Options", "nosniff");
  }

  private void configure(JavalinConfig javalinConfig) {
    ServerConfig.ServerLimits serverLimits = config.limits();
    javalinConfig.concurrency.useVirtualThreads = true;
    javalinConfig.startup.showJavalinBanner = false;
    javalinConfig.startup.showOldJavalinVersionWarning = false;
    javalinConfig.http.maxRequestSize = serverLimits.bodySize().bytes();
    javalinConfig.jetty.multipartConfig.maxTotalRequestSize(
        serverLimits.bodySize().bytes(), SizeUnit.BYTES);
    javalinConfig.jetty.multipartConfig.maxFileSize(
        serverLimits.bodySize().bytes(), SizeUnit.BYTES);
    javalinConfig.http.prefer405over404 = true;
    javalinConfig.http.defaultContentType = MediaTypes.JSON;
    javalinConfig.router.javaLangErrorHandler(httpErrorHandler::answerFatalError);
    JettyConnectors.configure(javalinConfig.jetty, config, idGenerator);
    javalinConfig.routes.exception(Exception.class, httpErrorHandler::answerError);
    javalinConfig.routes.exception(HttpResponseException.class, httpErrorHandler::answerError);
    javalinConfig.routes.before(this::setCommonHeaders);
    javalinConfig.routes.before(allowedHosts::checkHostAndOrigin);
    javalinConfig.routes.before(RestServer::checkContentType);
    javalinConfig.routes.before(this::checkFormSize);
    javalinConfig.routes.after(unreadBodyDrainer::drainAfterRefusal);
    addPublicRoutes(javalinConfig.routes);
    for (ApiContract.ContractRoute route : ApiContract.instance().routes()) {
      addRoute(
          javalinConfig.routes,
          HandlerType.findOrCreate(route.method()),
          route.path(),
          new OperationHandler(operationDispatcher, handlerDependencies, route.operation()));
    }
    addRoute(javalinConfig.routes, HandlerType.POST, BASE + "/bulk", bulkHandler);
    /* A stream is idle most of the time; it has a limit of its own. */
    addRoute(javalinConfig.routes, HandlerType.GET, BASE + "/events", events);
    addHandler(javalinConfig.routes, HandlerType.POST, McpEndpoint.PATH, mcp);
    proxy
        .handlers()
        .forEach(
            each -> addHandler(javalinConfig.routes, each.method(), each.path(), each.handler()));
    addRoute(
        javalinConfig.routes,
        HandlerType.GET,
        "/metrics",
        context -> {
          httpAuthenticator.requireAllSpaces(context);
          prometheusMetrics.answerScrape(context);
        });
  }

  /** Adds routes without a key. */
  private void addPublicRoutes(RoutesConfig to) {
    addRoute(to, HandlerType.GET, "/", staticAssets::servePage);
    addRoute(to, HandlerType.GET, "/studio/{file}", staticAssets::serveFile);
    addRoute(to, HandlerType.GET, "/openapi.yaml", staticAssets::serveContract);
    addRoute(to, HandlerType.GET, "/health/live", healthEndpoint::answerLiveness);
    addRoute(to, HandlerType.GET, "/health/ready", healthEndpoint::answerReadiness);
    addRoute(to, HandlerType.POST, BASE + "/login", loginHandler::logIn);
    addRoute(to, HandlerType.POST, BASE + "/logout", loginHandler::logOut);
  }

  private void addRoute(RoutesConfig to, HandlerType method, String path, Handler handler) {
    routes.add(new RegisteredRoute(method.name(), path));
    addHandler(to, method, path, handler);
  }

  /** Adds a path that is not in the contract but has one of its own. */
  private void addHandler(RoutesConfig to, HandlerType method, String path, Handler handler) {
    to.addHttpHandler(
        method, path, withActivity(prometheusMetrics.withTimer(method.name(), path, handler)));
    if (method.equals(HandlerType.GET)) { // Javalin would answer HEAD with 200 in any case
      addHandler(to, HandlerType.HEAD, path, handler);
    }
  }

  private Handler withActivity(Handler handler) {
    return context -> {
      activityTracker.beginRequest();
      try {
        String request = Objects.requireNonNull(context.attribute(RequestId.HEADER));
        boolean _ = RequestId.callWith(request, () -> isHandled(handler, context));
      } catch (OutOfMemoryError | StackOverflowError e) {
        httpErrorHandler.answerError(e, context);
        context.res().setHeader("Connection", "close");
      } finally {
        activityTracker.endRequest();
      }
    };
  }

  private static boolean isHandled(Handler handler, Context context) throws Exception {
    handler.handle(context);
    return true;
  }

  /** The registered routes, for a comparison with the contract. */
  public List<RegisteredRoute> routes() {
    return List.copyOf(routes);
  }

  /** Announces to health checks that the server is about to stop. */
  public void announceStop() {
    healthEndpoint.close();
  }

  /** Waits for running requests, as long as the settings say. */
  @Override
  public void close() {
    announceStop();
    requestLimiter.close();
    streams.close();
    bulkHandler.close();
    proxy.close();
    try {
      javalin.stop();
    } catch (JavalinException e) {
      LOG.warn(
          "Some requests were cut off, because they did not end within server.limits.shutdown-timeout: {}",
          FailureText.describe(e));
    }
    prometheusMetrics.close();
  }
}
