package dev.caliber.server.rest;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Json;
import dev.caliber.server.access.Turns;
import dev.caliber.server.mcp.Headers;
import dev.caliber.server.mcp.McpProtocol;
import dev.caliber.server.mcp.Reply;
import dev.caliber.server.mcp.Subscription;
import dev.caliber.server.operation.Caller;
import dev.caliber.server.operation.ServerException;
import dev.caliber.store.Commit;
import dev.caliber.store.FeedCursor;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HttpStatus;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * The Model Context Protocol as streamable HTTP: a message per POST, answered by one message or by
 * a stream of them. Keys, names, limits and sizes are those of every other path.
 */
final class McpEndpoint implements Handler {
  static final String PATH = "/mcp";

  private final McpProtocol protocol;
  private final Gate gate;
  private final Turns turns;
  private final Bodies bodies;
  private final FeedStreams streams;

  McpEndpoint(McpProtocol protocol, Edge edge, FeedStreams streams) {
    this.protocol = protocol;
    this.gate = edge.gate();
    this.turns = edge.turns();
    this.bodies = edge.bodies();
    this.streams = streams;
  }

  @Override
  public void handle(Context context) throws Exception {
    Caller caller = gate.caller(context);
    String type = context.contentType();
    if (type == null || !MediaTypes.is(type, MediaTypes.JSON)) {
      throw ServerException.unsupportedMediaType(MediaTypes.JSON);
    }
    byte[] body = bodies.read(context);
    Reply reply = turns.take(() -> protocol.answer(body, Optional.of(headers(context)), caller));
    switch (reply) {
      case Reply.Nothing() -> context.status(HttpStatus.ACCEPTED);
      case Reply.Single(var outcome, var message) ->
          context.status(status(outcome)).contentType(MediaTypes.JSON).result(Json.bytes(message));
      case Reply.Stream(var subscription) ->
          streams.stream(context, caller.space(), subscription.start(), new Messages(subscription));
    }
  }

  private static Headers headers(Context context) {
    return new Headers(
        Optional.ofNullable(context.header("MCP-Protocol-Version")),
        Optional.ofNullable(context.header("Mcp-Method")),
        Optional.ofNullable(context.header("Mcp-Name")));
  }

  private static HttpStatus status(Reply.Outcome outcome) {
    return switch (outcome) {
      case ANSWERED -> HttpStatus.OK;
      case MALFORMED -> HttpStatus.BAD_REQUEST;
      case UNKNOWN_METHOD -> HttpStatus.NOT_FOUND;
      case BROKEN -> HttpStatus.INTERNAL_SERVER_ERROR;
    };
  }

  /** Messages of a subscription as server-sent events. */
  private record Messages(Subscription subscription) implements FeedStreams.Words {
    @Override
    public String begin() {
      return text(subscription.acknowledged());
    }

    @Override
    public String changes(List<Commit> commits, long epoch) {
      return subscription.changes(commits).stream()
          .map(Messages::text)
          .collect(Collectors.joining());
    }

    @Override
    public String stillHere(FeedCursor at) {
      return ": here\n\n";
    }

    /** Why it ends is nothing to this protocol: whoever listens has to look again. */
    @Override
    public String end(Optional<CaliberException> reason) {
      return text(subscription.ended());
    }

    private static String text(JsonNode message) {
      return "event: message\ndata: %s\n\n".formatted(Json.text(message));
    }
  }
}
