package dev.caliber.server.rest;

import dev.caliber.server.access.Keys;
import dev.caliber.server.access.Rates;
import dev.caliber.server.operation.Answer;
import dev.caliber.server.operation.Call;
import dev.caliber.server.operation.Caller;
import dev.caliber.server.operation.Operations;
import dev.caliber.server.operation.ServerException;
import dev.caliber.server.settings.ServerConfig;
import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HttpResponseException;
import io.javalin.util.JavalinBindException;
import java.net.URI;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Listens, and answers by running operations. */
public final class RestServer implements AutoCloseable {
  private static final String JSON = "application/json";
  private static final String ETAG = "ETag";

  private final Operations operations;
  private final ServerConfig config;
  private final Gate gate;
  private final Addresses addresses;
  private final Problems problems;
  private final Semaphore permits;
  private final Javalin javalin;

  private RestServer(Parts parts) {
    operations = parts.operations();
    config = parts.config();
    ServerConfig.Limits limits = config.limits();
    gate = new Gate(parts.keys(), new Rates(parts.clock(), limits.burst(), limits.rate()), config);
    addresses = new Addresses(config.listening());
    problems = new Problems(limits.body().bytes(), limits.patience());
    permits = new Semaphore(limits.requests(), true);
    javalin = Javalin.create(this::configure);
  }

  /** What it stands on. */
  public record Parts(Operations operations, Keys keys, ServerConfig config, InstantSource clock) {}

  /** Begins to listen; refuses to where anybody could call and no key is there. */
  public static RestServer start(Parts parts) {
    ServerConfig.Listening place = parts.config().listening();
    if (!Addresses.isLoopback(place.host()) && parts.keys().isEmpty()) {
      throw ServerException.noKeys(place.host());
    }
    RestServer server = new RestServer(parts);
    try {
      server.javalin.start(place.host(), place.port());
    } catch (JavalinBindException _) {
      throw ServerException.portInUse(place.host(), place.port());
    }
    return server;
  }

  /** Where it listens, a free port that it was told to choose included. */
  public URI address() {
    String host = config.listening().host();
    String name = Addresses.isEverywhere(host) ? "127.0.0.1" : host;
    return URI.create(
        "http://%s:%d".formatted(name.contains(":") ? "[" + name + "]" : name, javalin.port()));
  }

  private void configure(JavalinConfig javalinConfig) {
    ServerConfig.Limits limits = config.limits();
    javalinConfig.concurrency.useVirtualThreads = true;
    javalinConfig.startup.showJavalinBanner = false;
    javalinConfig.startup.showOldJavalinVersionWarning = false;
    javalinConfig.http.maxRequestSize = limits.body().bytes();
    javalinConfig.http.prefer405over404 = true;
    javalinConfig.http.defaultContentType = JSON;
    javalinConfig.jetty.modifyHttpConfiguration(
        http -> {
          http.setSendServerVersion(false);
          http.setIdleTimeout(limits.idle().toMillis());
        });
    javalinConfig.jetty.modifyServer(server -> server.setStopTimeout(limits.stop().toMillis()));
    javalinConfig.routes.exception(Exception.class, problems::answer);
    javalinConfig.routes.exception(HttpResponseException.class, problems::answer);
    javalinConfig.routes.before(addresses::check);
    for (Route route : Routes.ALL) {
      javalinConfig.routes.addHttpHandler(
          route.method(), Routes.BASE + route.path(), bounded(handler(route)));
    }
  }

  private Handler handler(Route route) {
    Binding binding = new Binding(operations.find(route.operation()).input());
    return context -> {
      Caller caller = gate.caller(context);
      Call call =
          new Call(
              route.operation(),
              binding.input(context),
              Optional.ofNullable(context.header("Idempotency-Key")),
              ifMatch(context));
      answer(context, operations.run(caller, call));
    };
  }

  private static Optional<Long> ifMatch(Context context) {
    String header = context.header("If-Match");
    if (header == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(Long.parseLong(header.replace("\"", "").strip()));
    } catch (NumberFormatException _) {
      throw ServerException.invalidInput("", "If-Match: wanted an ETag of this server");
    }
  }

  private static void answer(Context context, Answer answer) {
    answer.revision().ifPresent(revision -> context.header(ETAG, "\"" + revision + "\""));
    if (answer.replayed()) {
      context.header("Idempotency-Replayed", "true");
    }
    context.contentType(JSON).result(answer.body());
  }

  /** As many at a time as settings say; who waits too long is told to come back. */
  private Handler bounded(Handler handler) {
    return context -> {
      boolean taken =
          permits.tryAcquire(config.limits().patience().toMillis(), TimeUnit.MILLISECONDS);
      if (!taken) {
        throw ServerException.overloaded("server.limits.requests", config.limits().patience());
      }
      try {
        handler.handle(context);
      } finally {
        permits.release();
      }
    };
  }

  /** Lets requests that are being worked on end, for as long as settings say. */
  @Override
  public void close() {
    javalin.stop();
  }
}
