package dev.caliber.server.rest;

import dev.caliber.server.operation.ServerException;
import dev.caliber.server.proxy.ChatProxy;
import dev.caliber.server.proxy.Client;
import dev.caliber.server.settings.ServerConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HandlerType;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * OpenAI's API at {@code /v1}. Keys, spaces, rates and sizes are those of every other path; errors
 * have the shape that OpenAI's clients read.
 */
final class ProxyEndpoint {
  private static final Logger LOG = LoggerFactory.getLogger(ProxyEndpoint.class);
  private static final String FORWARD = "proxy.forward";

  private final ChatProxy proxy;
  private final Gate gate;
  private final ServerConfig config;
  private final Problems problems;
  private final UnaryOperator<Handler> bounded;
  private final Handler preparing;
  private final Semaphore places;

  ProxyEndpoint(
      ChatProxy proxy,
      Gate gate,
      ServerConfig config,
      Problems problems,
      UnaryOperator<Handler> bounded) {
    this.proxy = proxy;
    this.gate = gate;
    this.config = config;
    this.problems = problems;
    this.bounded = bounded;
    this.preparing = bounded.apply(this::prepare);
    this.places = new Semaphore(config.proxy().parallel());
  }

  /** A path and who answers there. */
  record Handled(HandlerType method, String path, Handler handler) {}

  List<Handled> handlers() {
    return List.of(
        new Handled(HandlerType.POST, "/v1/chat/completions", shaped(this::complete)),
        new Handled(HandlerType.GET, "/v1/models", shaped(bounded.apply(this::models))),
        new Handled(HandlerType.POST, "/v1/embeddings", shaped(bounded.apply(this::embeddings))));
  }

  private Handler shaped(Handler handler) {
    return context -> {
      try {
        handler.handle(context);
      } catch (Exception e) {
        problems.answerAsOpenAi(e, context);
      }
    };
  }

  private void models(Context context) {
    gate.caller(context);
    context.contentType(MediaTypes.JSON).result(proxy.models());
  }

  private void embeddings(Context context) {
    gate.caller(context);
    context.contentType(MediaTypes.JSON).result(proxy.embeddings(context.bodyAsBytes()));
  }

  private void prepare(Context context) {
    ChatProxy.Named named =
        new ChatProxy.Named(
            Optional.ofNullable(context.header("Caliber-Trajectory")),
            Optional.ofNullable(context.header("Caliber-Session")));
    context.attribute(FORWARD, proxy.prepare(gate.caller(context), named, context.bodyAsBytes()));
  }

  /** To wait for a model takes no place among the requests that are worked on here. */
  private void complete(Context context) throws Exception {
    if (!places.tryAcquire()) {
      throw ServerException.overloaded("server.proxy.parallel", config.limits().patience());
    }
    try {
      preparing.handle(context);
      ChatProxy.Forward forward = Objects.requireNonNull(context.attribute(FORWARD));
      context.header("Caliber-Trajectory", forward.trajectory().toString());
      context.header("Caliber-Window", forward.window());
      context.header(
          "Link",
          "<%s/windows/%s/explain>; rel=\"describedby\"".formatted(Routes.BASE, forward.window()));
      proxy.answer(forward, new Waiting(context));
    } catch (IOException e) {
      LOG.debug("The client has left before its answer ended", e);
    } finally {
      places.release();
    }
  }

  /** Whoever has sent the request. */
  private record Waiting(Context context) implements Client {
    @Override
    public void whole(int status, byte[] json) {
      context.status(status).contentType(MediaTypes.JSON).result(json);
    }

    @Override
    public void begin() {
      context.res().setContentType("text/event-stream");
      context.res().setCharacterEncoding(StandardCharsets.UTF_8.name());
      context.res().setHeader("Cache-Control", "no-store");
      context.res().setHeader("X-Accel-Buffering", "no");
    }

    @Override
    public void lines(String text) throws IOException {
      OutputStream out = context.res().getOutputStream();
      out.write(text.getBytes(StandardCharsets.UTF_8));
      out.flush();
    }
  }
}
