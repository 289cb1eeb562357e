package dev.caliber.server.proxy;

import dev.caliber.agents.command.RequiredPermissions;
import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.TokenEstimator;
import dev.caliber.memory.record.MemoryKind;
import dev.caliber.models.ChatServerClient;
import dev.caliber.models.ResponseStream;
import dev.caliber.server.operation.Caller;
import dev.caliber.server.operation.FailureText;
import dev.caliber.server.operation.InputTextCheck;
import dev.caliber.server.operation.Operation;
import dev.caliber.server.operation.OperationDispatcher;
import dev.caliber.server.operation.OperationRequest;
import dev.caliber.server.operation.RequestId;
import dev.caliber.server.operation.ServerException;
import dev.caliber.server.operation.ServerModules;
import dev.caliber.server.operation.SubjectRule;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.store.spi.Embedder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A proxy that gives memory to a model with OpenAI's API. A client's messages are recorded before
 * the model is asked, and an answer before its last event is passed on, so that the next request
 * finds both. An answer that breaks off is recorded as far as it came, and marked. An answer that
 * cannot be recorded still reaches its client, with a notice.
 */
public final class ChatProxy implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ChatProxy.class);
  private static final String RECORD = "record_messages";

  /** The permissions to record a chat and to assemble the window that always follows. */
  private static final RequiredPermissions RECORDING =
      RequiredPermissions.forWriting(MemoryKind.TRAJECTORY, MemoryKind.SCOPE, MemoryKind.TURN)
          .and(
              RequiredPermissions.forReading(
                  MemoryKind.TURN, MemoryKind.ARTIFACT, MemoryKind.NOTE));

  private static final String DATA = "data:";
  private static final String DONE = "[DONE]";
  private static final String RETRY_AFTER = "Retry-After";
  private static final String UNRECORDED = "Caliber-Recording-Error";
  private static final int SUCCESS = 200;
  private static final int REDIRECT = 300;
  private static final Set<Integer> ABOUT_THE_KEY = Set.of(401, 403);
  private static final int MOST_BYTES_OF_A_CHARACTER = 4;

  private final ChatProxyDependencies chatProxyDependencies;
  private final ServerConfig.ProxySettings config;
  private final ServerConfig.ServerLimits serverLimits;
  private final Semaphore places;
  private volatile boolean closing;
  private volatile boolean cut;

  private ChatProxy(ChatProxyDependencies chatProxyDependencies) {
    this.chatProxyDependencies = chatProxyDependencies;
    this.config = chatProxyDependencies.config().proxy();
    this.serverLimits = chatProxyDependencies.config().limits();
    this.places = new Semaphore(config.concurrency());
  }

  /**
   * The dependencies of the proxy.
   *
   * @param model empty: every request is refused with an error that says what to configure
   * @param budget the most tokens of a window, whatever the proxy's settings say
   * @param query the most bytes of a question to memory
   * @param estimate counts the tokens of texts to embed
   */
  public record ChatProxyDependencies(
      OperationDispatcher operations,
      Optional<ChatServerClient> model,
      Optional<Embedder> embedder,
      ServerConfig config,
      int budget,
      long query,
      TokenEstimator estimate) {}

  /** Uses operations that include {@link #operations}. */
  public static ChatProxy of(ChatProxyDependencies chatProxyDependencies) {
    return new ChatProxy(chatProxyDependencies);
  }

  /** The operations that only this proxy uses. */
  public static List<Operation<?, ?>> operations(ServerModules serverModules) {
    return List.of(
        Operation.transactional(
                RECORD,
                RecordMessagesRequest.class,
                new ChatRecorder(serverModules)::recordMessages)
            .forAgents(RECORDING)
            .forSubjects(SubjectRule.forSessionTurns("")));
  }

  /** A slot among the concurrent requests to the model. */
  public interface ModelSlot extends AutoCloseable {
    @Override
    void close();
  }

  /** Takes a slot for the duration of a request to the model, or refuses. */
  public ModelSlot acquireModelSlot() {
    if (!places.tryAcquire()) {
      throw ServerException.overloaded("server.proxy.concurrency", serverLimits.queueTimeout());
    }
    if (closing) {
      places.release();
      throw ServerException.serverStopping(serverLimits.queueTimeout());
    }
    return places::release;
  }

  /** The trajectory or session that a request names outside of its body. */
  public record ConversationReference(Optional<String> trajectory, Optional<String> session) {}

  /**
   * A request ready for the model, with the window that was added to it.
   *
   * @param notes the ids of the notes made of the user's statements in it
   */
  public record PreparedChatRequest(
      Caller caller, Id trajectory, List<String> notes, String window, ObjectNode body) {
    boolean isStreaming() {
      return body.path("stream").asBoolean(false);
    }

    String model() {
      return body.path("model").asString("");
    }
  }

  private ChatServerClient requireModel() {
    return chatProxyDependencies.model().orElseThrow(ProxyException::notConfigured);
  }

  /** Records the client's messages, and adds a window of memory. */
  public PreparedChatRequest prepareRequest(
      Caller caller, ConversationReference conversationReference, byte[] body) {
    requireModel();
    ObjectNode request = parseObject(body);
    config.model().ifPresent(name -> request.put("model", name));
    if (!request.path("messages").isArray() || request.path("messages").isEmpty()) {
      throw ServerException.invalidInput(
          "/messages", "'messages' is missing: send the list of messages");
    }
    if (request.path("model").asString("").isBlank()) {
      throw ServerException.invalidInput(
          "/model", "'model' is missing: send the name of the model");
    }
    Caller own = limitToUser(caller, request);
    ObjectNode place = conversationInput(own, conversationReference);
    place.set("messages", request.path("messages"));
    JsonNode recorded = runOperation(own, RECORD, place);
    Id trajectory = Id.parse(recorded.path("trajectory").asString());
    List<String> notes = recorded.path("notes").valueStream().map(JsonNode::asString).toList();
    JsonNode window = assembleWindow(own, trajectory, request);
    ObjectNode whole =
        MemoryPromptInjector.addMemory(
            request, window.path("text").asString("[]"), config.memoryIntroduction());
    return new PreparedChatRequest(
        own, trajectory, notes, window.path("window").path("id").asString(), whole);
  }

  static ObjectNode parseObject(byte[] body) {
    try {
      if (Json.mapper().readTree(body) instanceof ObjectNode object) {
        InputTextCheck.requireStorable(object);
        return object;
      }
    } catch (JacksonException _) {
      // refused below, without quoting the body
    }
    throw ServerException.invalidInput("", "Expected a JSON object");
  }

  /** Limits the caller to the user in the request, so that it sees no other user's memory. */
  private static Caller limitToUser(Caller caller, ObjectNode request) {
    String user = request.path("user").asString("");
    return user.isBlank() ? caller : caller.forSubject(user);
  }

  /**
   * Names the conversation by a header, by the subject of the call, or by the key, in this order.
   */
  private static ObjectNode conversationInput(
      Caller caller, ConversationReference conversationReference) {
    ObjectNode place = Json.mapper().createObjectNode();
    if (conversationReference.trajectory().isPresent()) {
      place.put("trajectory", conversationReference.trajectory().get());
    } else {
      String derived = caller.subject().map("user:"::concat).orElse("key:" + caller.id());
      place.put("session", conversationReference.session().orElse(derived));
    }
    return place;
  }

  private JsonNode assembleWindow(Caller caller, Id trajectory, ObjectNode request) {
    ObjectNode parameters =
        Json.mapper().createObjectNode().put("trajectory", trajectory.toString());
    parameters.put("max_tokens", Math.min(config.contextTokens(), chatProxyDependencies.budget()));
    parameters.put("model", request.path("model").asString()).put("format", "OPENAI");
    lastUserText(request).ifPresent(words -> parameters.put("query", words));
    return runOperation(caller, "assemble_context", parameters);
  }

  /** Returns the user's last text, cut to the length of a query. */
  private Optional<String> lastUserText(ObjectNode request) {
    int most =
        (int)
            Math.min(Integer.MAX_VALUE, chatProxyDependencies.query() / MOST_BYTES_OF_A_CHARACTER);
    return request
        .path("messages")
        .valueStream()
        .filter(message -> message.path("role").asString("").equals("user"))
        .flatMap(message -> ChatMessage.of(message, 0).stream())
        .reduce((_, last) -> last)
        .map(
            last ->
                String.join(
                    "\n",
                    last.parts().stream().map(turnPart -> turnPart.searchableText()).toList()))
        .map(words -> truncate(words, most))
        .filter(words -> !words.isBlank());
  }

  /** Returns at most {@code most} characters, without splitting a surrogate pair. */
  static String truncate(String words, int most) {
    if (words.length() <= most) {
      return words;
    }
    boolean cutsOne = most > 0 && Character.isHighSurrogate(words.charAt(most - 1));
    return words.substring(0, cutsOne ? most - 1 : most);
  }

  private JsonNode runOperation(Caller caller, String operation, JsonNode input) {
    byte[] answer =
        chatProxyDependencies
            .operations()
            .run(caller, OperationRequest.of(operation, input))
            .body();
    return Json.mapper().readTree(answer);
  }

  /** Asks the model and passes its answer on. */
  public void relayAnswer(
      PreparedChatRequest preparedChatRequest, ChatResponseWriter chatResponseWriter)
      throws IOException {
    try (ResponseStream responseStream =
        requireModel().postCompletion(Json.bytes(preparedChatRequest.body()))) {
      boolean good = responseStream.status() >= SUCCESS && responseStream.status() < REDIRECT;
      if (!good) {
        responseStream
            .headers()
            .firstValue(RETRY_AFTER)
            .ifPresent(wait -> chatResponseWriter.addHeader(RETRY_AFTER, wait));
        chatResponseWriter.sendWhole(responseStream.status(), modelRefusal(responseStream));
      } else if (preparedChatRequest.isStreaming()) {
        relayStream(preparedChatRequest, responseStream, chatResponseWriter);
      } else {
        byte[] json = responseStream.readAllBytes();
        ChatCompletion chatCompletion = parseCompletion(json);
        recordAnswer(preparedChatRequest, chatCompletion, Optional.empty())
            .ifPresent(code -> chatResponseWriter.addHeader(UNRECORDED, code));
        chatResponseWriter.sendWhole(responseStream.status(), json);
      }
    }
  }

  /** Returns the model server's refusal without keys; one of the proxy's key is not quoted. */
  private byte[] modelRefusal(ResponseStream responseStream) {
    if (ABOUT_THE_KEY.contains(responseStream.status())) {
      throw ProxyException.keyRefused(responseStream.status());
    }
    String refusal =
        requireModel().removeKey(new String(responseStream.readAllBytes(), StandardCharsets.UTF_8));
    return refusal.strip().startsWith("{")
        ? refusal.getBytes(StandardCharsets.UTF_8)
        : Json.bytes(
            OpenAiError.of(
                "The model server answered with status " + responseStream.status(),
                "server_error"));
  }

  private static ChatCompletion parseCompletion(byte[] json) {
    try {
      JsonNode answer = Json.mapper().readTree(json);
      if (answer.path("choices").path(0).path("message").isObject()) {
        return ChatCompletion.ofResponse(answer);
      }
    } catch (JacksonException _) {
      // refused below, without quoting the answer
    }
    throw ProxyException.invalidAnswer("a chat completion", "an answer of another form");
  }

  private void relayStream(
      PreparedChatRequest preparedChatRequest,
      ResponseStream responseStream,
      ChatResponseWriter chatResponseWriter)
      throws IOException {
    ChatCompletion chatCompletion = new ChatCompletion();
    Optional<String> broken = Optional.of("client");
    Optional<String> unrecorded = Optional.empty();
    try {
      chatResponseWriter.beginStream();
      broken = relayEvents(responseStream, chatCompletion, chatResponseWriter);
    } finally {
      Optional<String> by = broken.map(who -> cut ? "server" : who);
      unrecorded =
          recordAnswer(
              preparedChatRequest,
              chatCompletion,
              chatCompletion.isFinished() ? Optional.empty() : by);
    }
    if (unrecorded.isPresent()) { // a comment line of the stream, which every client skips
      chatResponseWriter.sendLines(": %s %s\n\n".formatted(UNRECORDED, unrecorded.get()));
    }
    chatResponseWriter.sendLines(broken.map(_ -> interruptionEvent()).orElse("data: [DONE]\n\n"));
  }

  private static String interruptionEvent() {
    return "data: %s\n\n"
        .formatted(
            Json.text(
                OpenAiError.of(
                    "The answer of the model ended before it was complete", "server_error")));
  }

  /**
   * Passes on every event but the last; returns the reason if the answer broke off. Failures of the
   * client's connection are thrown.
   */
  private static Optional<String> relayEvents(
      ResponseStream responseStream,
      ChatCompletion chatCompletion,
      ChatResponseWriter chatResponseWriter)
      throws IOException {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(responseStream.body(), StandardCharsets.UTF_8));
    StringBuilder event = new StringBuilder();
    for (Optional<String> line = nextLine(lines); line.isPresent(); line = nextLine(lines)) {
      if (line.get().startsWith(DATA)) {
        String data = line.get().substring(DATA.length()).strip();
        if (data.equals(DONE)) {
          return Optional.empty();
        }
        parseChunk(data).ifPresent(chatCompletion::addChunk);
      }
      event.append(line.get()).append('\n');
      if (line.get().isEmpty()) {
        chatResponseWriter.sendLines(event.toString());
        event.setLength(0);
      }
    }
    return chatCompletion.isFinished() ? Optional.empty() : Optional.of("model");
  }

  /** Returns the next line; nothing at the end, or if the model's server has broken off. */
  private static Optional<String> nextLine(BufferedReader lines) {
    try {
      return Optional.ofNullable(lines.readLine());
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  private static Optional<JsonNode> parseChunk(String data) {
    try {
      return Optional.of(Json.mapper().readTree(data));
    } catch (JacksonException _) {
      return Optional.empty(); // passed on unchanged; the client decides what it means
    }
  }

  /** Records the answer; returns the error code if that failed: the answer is delivered anyway. */
  private Optional<String> recordAnswer(
      PreparedChatRequest preparedChatRequest,
      ChatCompletion chatCompletion,
      Optional<String> interrupted) {
    if (chatCompletion.isEmpty()) {
      return Optional.empty();
    }
    ObjectNode input = Json.mapper().createObjectNode();
    input.put("trajectory", preparedChatRequest.trajectory().toString());
    input.putArray("messages").add(chatCompletion.assistantMessage());
    ObjectNode answer = input.putObject("answer").put("model", preparedChatRequest.model());
    chatCompletion.tokens().ifPresent(count -> answer.put("tokens", count));
    interrupted.ifPresent(by -> answer.put("interrupted", by));
    try {
      runOperation(preparedChatRequest.caller(), RECORD, input);
      return Optional.empty();
    } catch (RuntimeException e) {
      LOG.warn(
          "The answer of the model was delivered, but recording it for trajectory {} in space {} failed (request {}). Cause: {}",
          preparedChatRequest.trajectory(),
          preparedChatRequest.caller().space(),
          RequestId.current().orElse("-"),
          FailureText.describe(e));
      return Optional.of(
          (e instanceof CaliberException known ? known : ServerException.internalError())
              .code()
              .text());
    }
  }

  /** Returns the available models: those of the model's server, and the embedder. */
  public byte[] listModels() {
    ObjectNode list = Json.mapper().createObjectNode().put("object", "list");
    list.putArray("data");
    chatProxyDependencies
        .model()
        .ifPresent(server -> serverModels(server).forEach(list.withArray("data")::add));
    chatProxyDependencies
        .embedder()
        .ifPresent(
            embedder ->
                list.withArray("data")
                    .addObject()
                    .put("id", embedder.model())
                    .put("object", "model")
                    .put("created", 0)
                    .put("owned_by", "caliber"));
    return Json.bytes(list);
  }

  private static List<JsonNode> serverModels(ChatServerClient server) {
    try (ResponseStream responseStream = server.listModels()) {
      if (ABOUT_THE_KEY.contains(responseStream.status())) {
        throw ProxyException.keyRefused(responseStream.status());
      }
      if (responseStream.status() < SUCCESS || responseStream.status() >= REDIRECT) {
        throw ProxyException.invalidAnswer("a list of models", "status " + responseStream.status());
      }
      return Json.mapper()
          .readTree(responseStream.readAllBytes())
          .path("data")
          .valueStream()
          .toList();
    } catch (JacksonException _) {
      throw ProxyException.invalidAnswer("a list of models", "an answer of another form");
    }
  }

  /** Embeds texts by this server's model; stops when the client has left. */
  public OpenAiEmbeddingsResponse embedTexts(byte[] body, BooleanSupplier left) {
    Embedder embedder = chatProxyDependencies.embedder().orElseThrow(ProxyException::noEmbedder);
    return new OpenAiEmbeddingsService(
            embedder, chatProxyDependencies.estimate(), chatProxyDependencies.config().embeddings())
        .embedTexts(parseObject(body), left);
  }

  /** Converts an error to the shape that OpenAI's clients read. */
  public static Object toOpenAiError(CaliberException error) {
    return OpenAiError.of(error);
  }

  /**
   * Waits for running answers as long as a stop may take, then breaks them off and waits until
   * their recorded parts are stored. Idempotent.
   */
  @Override
  public void close() {
    closing = true;
    boolean idle = isIdle();
    boolean first = !idle && !cut;
    if (first) {
      cut = true;
    }
    chatProxyDependencies.model().ifPresent(ChatServerClient::close);
    if (first && !isIdle()) {
      LOG.warn(
          "Some answers of the model were cut off, because they did not end within server.limits.shutdown-timeout");
    }
  }

  /** Returns whether no request waits for the model, now or within the timeout. */
  private boolean isIdle() {
    try {
      if (places.tryAcquire(
          config.concurrency(), serverLimits.shutdownTimeout().toMillis(), TimeUnit.MILLISECONDS)) {
        places.release(config.concurrency());
        return true;
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    return false;
  }
}
