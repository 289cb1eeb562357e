package dev.caliber.server.rest;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Json;
import dev.caliber.server.access.RequestLimiter;
import dev.caliber.server.mcp.McpHeaders;
import dev.caliber.server.mcp.McpProtocol;
import dev.caliber.server.mcp.McpReply;
import dev.caliber.server.mcp.ResourceSubscription;
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
 * The Model Context Protocol as streamable HTTP: one message per POST, answered by one message or
 * by a stream of them. Keys, host names, limits and sizes are those of every other path.
 */
final class McpEndpoint implements Handler {
  static final String PATH = "/mcp";

  private final McpProtocol protocol;
  private final HttpAuthenticator httpAuthenticator;
  private final RequestLimiter requestLimiter;
  private final RequestBodyReader requestBodyReader;
  private final FeedStreams streams;

  McpEndpoint(McpProtocol protocol, HandlerDependencies handlerDependencies, FeedStreams streams) {
    this.protocol = protocol;
    this.httpAuthenticator = handlerDependencies.authenticator();
    this.requestLimiter = handlerDependencies.requestLimiter();
    this.requestBodyReader = handlerDependencies.bodyReader();
    this.streams = streams;
  }

  @Override
  public void handle(Context context) throws Exception {
    Caller caller = httpAuthenticator.caller(context);
    String type = context.contentType();
    if (type == null || !MediaTypes.isType(type, MediaTypes.JSON)) {
      throw ServerException.unsupportedMediaType(MediaTypes.JSON);
    }
    byte[] body = requestBodyReader.read(context);
    McpReply mcpReply =
        requestLimiter.runLimited(
            () -> protocol.answer(body, Optional.of(mcpHeaders(context)), caller));
    switch (mcpReply) {
      case McpReply.NoReply() -> context.status(HttpStatus.ACCEPTED);
      case McpReply.SingleReply(var replyOutcome, var message) ->
          context
              .status(status(replyOutcome))
              .contentType(MediaTypes.JSON)
              .result(Json.bytes(message));
      case McpReply.StreamReply(var resourceSubscription) ->
          streams.streamFeed(
              context,
              caller.space(),
              resourceSubscription.startCursor(),
              new SubscriptionEventText(resourceSubscription));
    }
  }

  private static McpHeaders mcpHeaders(Context context) {
    return new McpHeaders(
        Optional.ofNullable(context.header("MCP-Protocol-Version")),
        Optional.ofNullable(context.header("Mcp-Method")),
        Optional.ofNullable(context.header("Mcp-Name")));
  }

  private static HttpStatus status(McpReply.ReplyOutcome replyOutcome) {
    return switch (replyOutcome) {
      case ANSWERED -> HttpStatus.OK;
      case MALFORMED -> HttpStatus.BAD_REQUEST;
      case UNKNOWN_METHOD -> HttpStatus.NOT_FOUND;
      case BROKEN -> HttpStatus.INTERNAL_SERVER_ERROR;
    };
  }

  /** The messages of a subscription as server-sent events. */
  private record SubscriptionEventText(ResourceSubscription subscription)
      implements FeedStreams.FeedEventText {
    @Override
    public String openingText() {
      return eventText(subscription.acknowledgement());
    }

    @Override
    public String changesText(List<Commit> commits, long epoch) {
      return subscription.changeNotifications(commits).stream()
          .map(SubscriptionEventText::eventText)
          .collect(Collectors.joining());
    }

    @Override
    public String keepAliveText(FeedCursor at) {
      return ": here\n\n";
    }

    /** Returns the closing message; the protocol has no field for a reason. */
    @Override
    public String closingText(Optional<CaliberException> reason) {
      return eventText(subscription.closingResponse());
    }

    private static String eventText(JsonNode message) {
      return "event: message\ndata: %s\n\n".formatted(Json.text(message));
    }
  }
}
