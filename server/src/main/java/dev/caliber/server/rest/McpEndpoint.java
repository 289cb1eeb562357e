package dev.caliber.server.rest;

import dev.caliber.kernel.Json;
import dev.caliber.server.mcp.Headers;
import dev.caliber.server.mcp.McpProtocol;
import dev.caliber.server.mcp.Reply;
import dev.caliber.server.mcp.Subscription;
import dev.caliber.server.operation.Caller;
import dev.caliber.server.operation.ServerException;
import dev.caliber.server.settings.ServerConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HttpStatus;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;

/**
 * The Model Context Protocol as streamable HTTP: a message per POST, answered by one message or by
 * a stream of them. Keys, names, limits and sizes are those of every other path.
 */
final class McpEndpoint implements Handler {
  static final String PATH = "/mcp";

  private static final String REPLY = "mcp.reply";

  private final McpProtocol protocol;
  private final Gate gate;
  private final ServerConfig.Limits limits;
  private final Handler asking;
  private final Semaphore places;

  McpEndpoint(
      McpProtocol protocol, Gate gate, ServerConfig config, UnaryOperator<Handler> bounded) {
    this.protocol = protocol;
    this.gate = gate;
    this.limits = config.limits();
    this.asking = bounded.apply(this::ask);
    this.places = new Semaphore(limits.streams());
  }

  /** Only to find the answer takes a place among requests: a stream waits most of its time. */
  @Override
  public void handle(Context context) throws Exception {
    asking.handle(context);
    Reply reply = Objects.requireNonNull(context.attribute(REPLY));
    switch (reply) {
      case Reply.Nothing() -> context.status(HttpStatus.ACCEPTED);
      case Reply.Single(var outcome, var message) ->
          context.status(status(outcome)).contentType(MediaTypes.JSON).result(Json.bytes(message));
      case Reply.Stream(var subscription) -> stream(context, subscription);
    }
  }

  private void ask(Context context) {
    Caller caller = gate.caller(context);
    String type = context.contentType();
    if (type == null || !MediaTypes.is(type, MediaTypes.JSON)) {
      throw ServerException.unsupportedMediaType(MediaTypes.JSON);
    }
    Headers headers =
        new Headers(
            Optional.ofNullable(context.header("MCP-Protocol-Version")),
            Optional.ofNullable(context.header("Mcp-Method")),
            Optional.ofNullable(context.header("Mcp-Name")));
    context.attribute(REPLY, protocol.answer(context.bodyAsBytes(), Optional.of(headers), caller));
  }

  private static HttpStatus status(Reply.Outcome outcome) {
    return switch (outcome) {
      case ANSWERED -> HttpStatus.OK;
      case MALFORMED -> HttpStatus.BAD_REQUEST;
      case UNKNOWN_METHOD -> HttpStatus.NOT_FOUND;
      case BROKEN -> HttpStatus.INTERNAL_SERVER_ERROR;
    };
  }

  private void stream(Context context, Subscription subscription)
      throws IOException, InterruptedException {
    if (!places.tryAcquire()) {
      throw ServerException.overloaded("server.limits.streams", limits.patience());
    }
    try {
      context.res().setContentType("text/event-stream");
      context.res().setCharacterEncoding(StandardCharsets.UTF_8.name());
      context.res().setHeader("Cache-Control", "no-store");
      context.res().setHeader("X-Accel-Buffering", "no");
      subscription.follow(new Events(context.res().getOutputStream()));
    } finally {
      places.release();
    }
  }

  /** Messages as server-sent events. */
  private record Events(OutputStream out) implements Subscription.Sink {
    @Override
    public void send(JsonNode message) throws IOException {
      write("event: message\ndata: %s\n\n".formatted(Json.text(message)));
    }

    @Override
    public void stillHere() throws IOException {
      write(": here\n\n");
    }

    private void write(String text) throws IOException {
      out.write(text.getBytes(StandardCharsets.UTF_8));
      out.flush();
    }
  }

  void close() {
    protocol.close();
  }
}
