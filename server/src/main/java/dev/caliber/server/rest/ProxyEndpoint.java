package dev.caliber.server.rest;

import dev.caliber.server.operation.Caller;
import dev.caliber.server.proxy.ChatProxy;
import dev.caliber.server.proxy.Client;
import dev.caliber.server.proxy.Embedded;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HandlerType;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * OpenAI's API at {@code /v1}. Keys, spaces, rates and sizes are those of every other path; errors
 * have the shape that OpenAI's clients read.
 */
final class ProxyEndpoint {
  private static final Logger LOG = LoggerFactory.getLogger(ProxyEndpoint.class);

  private final ChatProxy proxy;
  private final Edge edge;
  private final Problems problems;

  ProxyEndpoint(ChatProxy proxy, Edge edge, Problems problems) {
    this.proxy = proxy;
    this.edge = edge;
    this.problems = problems;
  }

  /** A path and who answers there. */
  record Handled(HandlerType method, String path, Handler handler) {}

  List<Handled> handlers() {
    return List.of(
        new Handled(HandlerType.POST, "/v1/chat/completions", shaped(this::complete)),
        new Handled(HandlerType.GET, "/v1/models", shaped(this::models)),
        new Handled(HandlerType.POST, "/v1/embeddings", shaped(this::embeddings)));
  }

  private Handler shaped(Handler handler) {
    return context -> {
      try {
        handler.handle(context);
      } catch (Exception | OutOfMemoryError e) {
        problems.answerAsOpenAi(e, context);
      }
    };
  }

  private void models(Context context) {
    edge.gate().caller(context);
    try (ChatProxy.Place _ = proxy.enter()) {
      context.contentType(MediaTypes.JSON).result(proxy.models());
    }
  }

  private void embeddings(Context context) {
    edge.gate().caller(context);
    byte[] body = edge.bodies().read(context);
    Embedded found =
        edge.turns().take(() -> proxy.embeddings(body, () -> Connections.isLeft(context.req())));
    found.write(context.contentType(MediaTypes.JSON).outputStream());
  }

  private static ChatProxy.Named named(Context context) {
    return new ChatProxy.Named(
        Optional.ofNullable(context.header("Caliber-Trajectory")),
        Optional.ofNullable(context.header("Caliber-Session")));
  }

  /** To wait for a model takes no place among the requests that are worked on here. */
  private void complete(Context context) {
    Caller caller = edge.gate().caller(context);
    byte[] body = edge.bodies().read(context);
    try (ChatProxy.Place _ = proxy.enter()) {
      ChatProxy.Forward forward =
          edge.turns().take(() -> proxy.prepare(caller, named(context), body));
      context.header("Caliber-Trajectory", forward.trajectory().toString());
      context.header("Caliber-Window", forward.window());
      if (!forward.notes().isEmpty()) {
        context.header("Caliber-Notes", String.join(", ", forward.notes()));
      }
      context.header(
          "Link",
          "<%s/windows/%s/explain>; rel=\"describedby\"".formatted(Routes.BASE, forward.window()));
      proxy.answer(forward, new Waiting(context));
    } catch (IOException e) {
      LOG.debug("The client has left before its answer ended", e);
    }
  }

  /** Lets answers end, and breaks off those that take too long. */
  void close() {
    proxy.close();
  }

  /** Whoever has sent the request. */
  private record Waiting(Context context) implements Client {
    @Override
    public void header(String name, String value) {
      context.header(name, value);
    }

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
