package dev.caliber.server.rest;

import dev.caliber.server.operation.Caller;
import dev.caliber.server.proxy.ChatProxy;
import dev.caliber.server.proxy.ChatResponseWriter;
import dev.caliber.server.proxy.OpenAiEmbeddingsResponse;
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
final class OpenAiProxyEndpoint {
  private static final Logger LOG = LoggerFactory.getLogger(OpenAiProxyEndpoint.class);

  private final ChatProxy proxy;
  private final HandlerDependencies handlerDependencies;
  private final HttpErrorHandler httpErrorHandler;

  OpenAiProxyEndpoint(
      ChatProxy proxy, HandlerDependencies handlerDependencies, HttpErrorHandler httpErrorHandler) {
    this.proxy = proxy;
    this.handlerDependencies = handlerDependencies;
    this.httpErrorHandler = httpErrorHandler;
  }

  /** A path and its handler. */
  record EndpointHandler(HandlerType method, String path, Handler handler) {}

  List<EndpointHandler> handlers() {
    return List.of(
        new EndpointHandler(
            HandlerType.POST, "/v1/chat/completions", withOpenAiErrors(this::answerCompletion)),
        new EndpointHandler(HandlerType.GET, "/v1/models", withOpenAiErrors(this::answerModels)),
        new EndpointHandler(
            HandlerType.POST, "/v1/embeddings", withOpenAiErrors(this::answerEmbeddings)));
  }

  private Handler withOpenAiErrors(Handler handler) {
    return context -> {
      try {
        handler.handle(context);
      } catch (Exception | OutOfMemoryError e) {
        httpErrorHandler.answerAsOpenAi(e, context);
      }
    };
  }

  private void answerModels(Context context) {
    handlerDependencies.authenticator().caller(context);
    try (ChatProxy.ModelSlot _ = proxy.acquireModelSlot()) {
      context.contentType(MediaTypes.JSON).result(proxy.listModels());
    }
  }

  private void answerEmbeddings(Context context) {
    handlerDependencies.authenticator().caller(context);
    byte[] body = handlerDependencies.bodyReader().read(context);
    OpenAiEmbeddingsResponse found =
        handlerDependencies
            .requestLimiter()
            .runLimited(
                () -> proxy.embedTexts(body, () -> JettyConnectors.hasClientLeft(context.req())));
    found.write(context.contentType(MediaTypes.JSON).outputStream());
  }

  private static ChatProxy.ConversationReference conversationReference(Context context) {
    return new ChatProxy.ConversationReference(
        Optional.ofNullable(context.header("Caliber-Trajectory")),
        Optional.ofNullable(context.header("Caliber-Session")));
  }

  /** Answers a completion; the wait for the model does not hold a slot of the request limit. */
  private void answerCompletion(Context context) {
    Caller caller = handlerDependencies.authenticator().caller(context);
    byte[] body = handlerDependencies.bodyReader().read(context);
    try (ChatProxy.ModelSlot _ = proxy.acquireModelSlot()) {
      ChatProxy.PreparedChatRequest preparedChatRequest =
          handlerDependencies
              .requestLimiter()
              .runLimited(() -> proxy.prepareRequest(caller, conversationReference(context), body));
      context.header("Caliber-Trajectory", preparedChatRequest.trajectory().toString());
      context.header("Caliber-Window", preparedChatRequest.window());
      if (!preparedChatRequest.notes().isEmpty()) {
        context.header("Caliber-Notes", String.join(", ", preparedChatRequest.notes()));
      }
      context.header(
          "Link",
          "<%s/windows/%s/explain>; rel=\"describedby\""
              .formatted(RestServer.BASE, preparedChatRequest.window()));
      proxy.relayAnswer(preparedChatRequest, new HttpChatClient(context));
    } catch (IOException e) {
      LOG.debug("A client closed its connection before the answer of the model had ended", e);
    }
  }

  /** Waits for running answers, and breaks off those that take too long. */
  void close() {
    proxy.close();
  }

  /** The client behind an HTTP request. */
  private record HttpChatClient(Context context) implements ChatResponseWriter {
    @Override
    public void addHeader(String name, String value) {
      context.header(name, value);
    }

    @Override
    public void sendWhole(int status, byte[] json) {
      context.status(status).contentType(MediaTypes.JSON).result(json);
    }

    @Override
    public void beginStream() {
      context.res().setContentType("text/event-stream");
      context.res().setCharacterEncoding(StandardCharsets.UTF_8.name());
      context.res().setHeader("Cache-Control", "no-store");
      context.res().setHeader("X-Accel-Buffering", "no");
    }

    @Override
    public void sendLines(String text) throws IOException {
      OutputStream out = context.res().getOutputStream();
      out.write(text.getBytes(StandardCharsets.UTF_8));
      out.flush();
    }
  }
}
