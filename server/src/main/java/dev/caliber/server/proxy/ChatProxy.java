package dev.caliber.server.proxy;

import dev.caliber.agents.Needs;
import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.TokenEstimate;
import dev.caliber.memory.record.MemoryKind;
import dev.caliber.models.ChatServer;
import dev.caliber.models.Incoming;
import dev.caliber.server.operation.Call;
import dev.caliber.server.operation.Caller;
import dev.caliber.server.operation.FailureText;
import dev.caliber.server.operation.InputText;
import dev.caliber.server.operation.Operation;
import dev.caliber.server.operation.Operations;
import dev.caliber.server.operation.RequestId;
import dev.caliber.server.operation.Rooms;
import dev.caliber.server.operation.ServerException;
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
 * Stands before a model that speaks OpenAI's API, and gives it memory. What a client says is
 * recorded before the model is asked, and what the model says before its last word is passed on, so
 * that the next request finds both; an answer that breaks off is recorded as far as it came, and
 * marked. An answer that cannot be recorded reaches its client all the same, and says so.
 */
public final class ChatProxy implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ChatProxy.class);
  private static final String RECORD = "record_messages";

  /** What is recorded is followed by a window: whoever may not read one has nothing recorded. */
  private static final Needs RECORDING =
      Needs.writing(MemoryKind.TRAJECTORY, MemoryKind.SCOPE, MemoryKind.TURN)
          .and(Needs.reading(MemoryKind.TURN, MemoryKind.ARTIFACT, MemoryKind.NOTE));

  private static final String DATA = "data:";
  private static final String DONE = "[DONE]";
  private static final String RETRY_AFTER = "Retry-After";
  private static final String UNRECORDED = "Caliber-Unrecorded";
  private static final int SUCCESS = 200;
  private static final int REDIRECT = 300;
  private static final Set<Integer> ABOUT_THE_KEY = Set.of(401, 403);
  private static final int MOST_BYTES_OF_A_CHARACTER = 4;

  private final Parts parts;
  private final ServerConfig.Proxy config;
  private final ServerConfig.Limits limits;
  private final Semaphore places;
  private volatile boolean closing;
  private volatile boolean cut;

  private ChatProxy(Parts parts) {
    this.parts = parts;
    this.config = parts.config().proxy();
    this.limits = parts.config().limits();
    this.places = new Semaphore(config.parallel());
  }

  /**
   * What it stands on.
   *
   * @param model nothing: every request is refused with an error that says what to configure
   * @param budget the most tokens of a window, whatever the proxy's settings say
   * @param query the most bytes of a question to memory
   * @param estimate counts tokens of texts that are embedded
   */
  public record Parts(
      Operations operations,
      Optional<ChatServer> model,
      Optional<Embedder> embedder,
      ServerConfig config,
      int budget,
      long query,
      TokenEstimate estimate) {}

  /** Over operations that {@link #operations} are part of. */
  public static ChatProxy of(Parts parts) {
    return new ChatProxy(parts);
  }

  /** Operations that only this proxy has a use for. */
  public static List<Operation<?, ?>> operations(Rooms rooms) {
    return List.of(
        Operation.writing(
                RECORD,
                "Records those messages of a chat that its trajectory does not have yet.",
                Recording.class,
                new Recorder(rooms)::record)
            .forAgents(RECORDING)
            .forSubjects(SubjectRule.saying("")));
  }

  /** Among those who wait for the model. */
  public interface Place extends AutoCloseable {
    @Override
    void close();
  }

  /** Takes a place for as long as the model is asked, or refuses. */
  public Place enter() {
    if (!places.tryAcquire()) {
      throw ServerException.overloaded("server.proxy.parallel", limits.patience());
    }
    if (closing) {
      places.release();
      throw ServerException.stopping(limits.patience());
    }
    return places::release;
  }

  /** How a request names its trajectory beside its body. */
  public record Named(Optional<String> trajectory, Optional<String> session) {}

  /**
   * A request on its way to the model, and the window that it was given.
   *
   * @param notes the ids of the notes that were made of what the user states in it
   */
  public record Forward(
      Caller caller, Id trajectory, List<String> notes, String window, ObjectNode body) {
    boolean isStreaming() {
      return body.path("stream").asBoolean(false);
    }

    String model() {
      return body.path("model").asString("");
    }
  }

  private ChatServer model() {
    return parts.model().orElseThrow(ProxyException::notConfigured);
  }

  /** Records what the client has said, and adds what memory knows about it. */
  public Forward prepare(Caller caller, Named named, byte[] body) {
    model();
    ObjectNode request = object(body);
    config.model().ifPresent(name -> request.put("model", name));
    if (!request.path("messages").isArray() || request.path("messages").isEmpty()) {
      throw ServerException.invalidInput("/messages", "Wanted a list of messages, found none");
    }
    if (request.path("model").asString("").isBlank()) {
      throw ServerException.invalidInput("/model", "Wanted the name of a model, found none");
    }
    Caller own = own(caller, request);
    ObjectNode place = place(own, named);
    place.set("messages", request.path("messages"));
    JsonNode recorded = run(own, RECORD, place);
    Id trajectory = Id.parse(recorded.path("trajectory").asString());
    List<String> notes = recorded.path("notes").valueStream().map(JsonNode::asString).toList();
    JsonNode window = assemble(own, trajectory, request);
    ObjectNode whole =
        Prompt.of(request, window.path("text").asString("[]"), config.introduction());
    return new Forward(own, trajectory, notes, window.path("window").path("id").asString(), whole);
  }

  static ObjectNode object(byte[] body) {
    try {
      if (Json.mapper().readTree(body) instanceof ObjectNode object) {
        InputText.require(object);
        return object;
      }
    } catch (JacksonException _) {
      // refused below, without what it holds
    }
    throw ServerException.invalidInput("", "Wanted a JSON object, found something else");
  }

  /** Limited to the user whom the request names, so that it sees no other user's memory. */
  private static Caller own(Caller caller, ObjectNode request) {
    String user = request.path("user").asString("");
    return user.isBlank() ? caller : caller.forSubject(user);
  }

  /** By a header, by the subject of the call, or by the key: in this order. */
  private static ObjectNode place(Caller caller, Named named) {
    ObjectNode place = Json.mapper().createObjectNode();
    if (named.trajectory().isPresent()) {
      place.put("trajectory", named.trajectory().get());
    } else {
      String derived = caller.subject().map("user:"::concat).orElse("key:" + caller.id());
      place.put("session", named.session().orElse(derived));
    }
    return place;
  }

  private JsonNode assemble(Caller caller, Id trajectory, ObjectNode request) {
    ObjectNode wish = Json.mapper().createObjectNode().put("trajectory", trajectory.toString());
    wish.put("max_tokens", Math.min(config.contextTokens(), parts.budget()));
    wish.put("model", request.path("model").asString()).put("format", "OPENAI");
    question(request).ifPresent(words -> wish.put("query", words));
    return run(caller, "assemble", wish);
  }

  /** What the user has said last, as far as it can be asked for. */
  private Optional<String> question(ObjectNode request) {
    int most = (int) Math.min(Integer.MAX_VALUE, parts.query() / MOST_BYTES_OF_A_CHARACTER);
    return request
        .path("messages")
        .valueStream()
        .filter(message -> message.path("role").asString("").equals("user"))
        .flatMap(message -> ChatMessage.of(message, 0).stream())
        .reduce((_, last) -> last)
        .map(last -> String.join("\n", last.parts().stream().map(part -> part.words()).toList()))
        .map(words -> beginning(words, most))
        .filter(words -> !words.isBlank());
  }

  /** At most so many characters; none of them is cut in two. */
  static String beginning(String words, int most) {
    if (words.length() <= most) {
      return words;
    }
    boolean cutsOne = most > 0 && Character.isHighSurrogate(words.charAt(most - 1));
    return words.substring(0, cutsOne ? most - 1 : most);
  }

  private JsonNode run(Caller caller, String operation, JsonNode input) {
    byte[] answer = parts.operations().run(caller, Call.of(operation, input)).body();
    return Json.mapper().readTree(answer);
  }

  /** Asks the model, and hands its answer on. */
  public void answer(Forward forward, Client client) throws IOException {
    try (Incoming incoming = model().complete(Json.bytes(forward.body()))) {
      boolean good = incoming.status() >= SUCCESS && incoming.status() < REDIRECT;
      if (!good) {
        incoming
            .headers()
            .firstValue(RETRY_AFTER)
            .ifPresent(wait -> client.header(RETRY_AFTER, wait));
        client.whole(incoming.status(), refusal(incoming));
      } else if (forward.isStreaming()) {
        stream(forward, incoming, client);
      } else {
        byte[] json = incoming.bytes();
        Completion completion = whole(json);
        record(forward, completion, Optional.empty())
            .ifPresent(code -> client.header(UNRECORDED, code));
        client.whole(incoming.status(), json);
      }
    }
  }

  /** In the words of the model's server; of keys nothing is repeated. */
  private byte[] refusal(Incoming incoming) {
    if (ABOUT_THE_KEY.contains(incoming.status())) {
      throw ProxyException.keyRefused(incoming.status());
    }
    String said = model().withoutKey(new String(incoming.bytes(), StandardCharsets.UTF_8));
    return said.strip().startsWith("{")
        ? said.getBytes(StandardCharsets.UTF_8)
        : Json.bytes(
            ProxyError.of(
                "The model's server answered with status " + incoming.status(), "server_error"));
  }

  private static Completion whole(byte[] json) {
    try {
      JsonNode answer = Json.mapper().readTree(json);
      if (answer.path("choices").path(0).path("message").isObject()) {
        return Completion.whole(answer);
      }
    } catch (JacksonException _) {
      // refused below, without what it holds
    }
    throw ProxyException.invalidAnswer("a chat completion", "something else");
  }

  private void stream(Forward forward, Incoming incoming, Client client) throws IOException {
    Completion completion = new Completion();
    Optional<String> broken = Optional.of("client");
    Optional<String> unrecorded = Optional.empty();
    try {
      client.begin();
      broken = relay(incoming, completion, client);
    } finally {
      Optional<String> by = broken.map(who -> cut ? "server" : who);
      unrecorded = record(forward, completion, completion.isFinished() ? Optional.empty() : by);
    }
    if (unrecorded.isPresent()) { // a comment, which no client takes for a part of the answer
      client.lines(": %s %s\n\n".formatted(UNRECORDED, unrecorded.get()));
    }
    client.lines(broken.map(_ -> interrupted()).orElse("data: [DONE]\n\n"));
  }

  private static String interrupted() {
    return "data: %s\n\n"
        .formatted(Json.text(ProxyError.of("The model's answer broke off", "server_error")));
  }

  /**
   * Passes every event on but the last; says who broke off, if it was not the end. What goes wrong
   * with the client goes up.
   */
  private static Optional<String> relay(Incoming incoming, Completion completion, Client client)
      throws IOException {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(incoming.body(), StandardCharsets.UTF_8));
    StringBuilder event = new StringBuilder();
    for (Optional<String> line = next(lines); line.isPresent(); line = next(lines)) {
      if (line.get().startsWith(DATA)) {
        String data = line.get().substring(DATA.length()).strip();
        if (data.equals(DONE)) {
          return Optional.empty();
        }
        chunk(data).ifPresent(completion::add);
      }
      event.append(line.get()).append('\n');
      if (line.get().isEmpty()) {
        client.lines(event.toString());
        event.setLength(0);
      }
    }
    return completion.isFinished() ? Optional.empty() : Optional.of("model");
  }

  /** Nothing at the end, and where the model's server has broken off. */
  private static Optional<String> next(BufferedReader lines) {
    try {
      return Optional.ofNullable(lines.readLine());
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  private static Optional<JsonNode> chunk(String data) {
    try {
      return Optional.of(Json.mapper().readTree(data));
    } catch (JacksonException _) {
      return Optional.empty(); // passed on as it came; a client makes of it what it can
    }
  }

  /** The code of what kept it from being recorded: it was paid for, and goes on all the same. */
  private Optional<String> record(
      Forward forward, Completion completion, Optional<String> interrupted) {
    if (completion.isEmpty()) {
      return Optional.empty();
    }
    ObjectNode input = Json.mapper().createObjectNode();
    input.put("trajectory", forward.trajectory().toString());
    input.putArray("messages").add(completion.message());
    ObjectNode answer = input.putObject("answer").put("model", forward.model());
    completion.tokens().ifPresent(count -> answer.put("tokens", count));
    interrupted.ifPresent(by -> answer.put("interrupted", by));
    try {
      run(forward.caller(), RECORD, input);
      return Optional.empty();
    } catch (RuntimeException e) {
      LOG.warn(
          "An answer for trajectory {} could not be recorded, request {}: {}",
          forward.trajectory(),
          RequestId.current().orElse("-"),
          FailureText.of(e));
      return Optional.of(
          (e instanceof CaliberException known ? known : ServerException.internal()).code().text());
    }
  }

  /** The models that can be named here: those of the model's server, and the embedder. */
  public byte[] models() {
    ObjectNode list = Json.mapper().createObjectNode().put("object", "list");
    list.putArray("data");
    parts.model().ifPresent(server -> listed(server).forEach(list.withArray("data")::add));
    parts
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

  private static List<JsonNode> listed(ChatServer server) {
    try (Incoming incoming = server.models()) {
      if (ABOUT_THE_KEY.contains(incoming.status())) {
        throw ProxyException.keyRefused(incoming.status());
      }
      if (incoming.status() < SUCCESS || incoming.status() >= REDIRECT) {
        throw ProxyException.invalidAnswer("a list of models", "status " + incoming.status());
      }
      return Json.mapper().readTree(incoming.bytes()).path("data").valueStream().toList();
    } catch (JacksonException _) {
      throw ProxyException.invalidAnswer("a list of models", "something else");
    }
  }

  /** Vectors by the model of this server; the work ends when the client has left. */
  public Embedded embeddings(byte[] body, BooleanSupplier left) {
    Embedder embedder = parts.embedder().orElseThrow(ProxyException::noEmbedder);
    return new Embeddings(embedder, parts.estimate(), config.embeddings())
        .embedded(object(body), left);
  }

  /** An error as OpenAI's clients read it. */
  public static Object error(CaliberException error) {
    return ProxyError.of(error);
  }

  /**
   * Lets answers end, for as long as a stop may take; then breaks them off, and waits until what
   * had come of them is recorded. Again is harmless.
   */
  @Override
  public void close() {
    closing = true;
    boolean idle = isIdle();
    boolean first = !idle && !cut;
    if (first) {
      cut = true;
    }
    parts.model().ifPresent(ChatServer::close);
    if (first && !isIdle()) {
      LOG.warn("Some answers of the model were still passed on after server.limits.stop");
    }
  }

  /** Whether nobody waits for the model, now or soon enough. */
  private boolean isIdle() {
    try {
      if (places.tryAcquire(config.parallel(), limits.stop().toMillis(), TimeUnit.MILLISECONDS)) {
        places.release(config.parallel());
        return true;
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    return false;
  }
}
