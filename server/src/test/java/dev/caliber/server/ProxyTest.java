package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.Json;
import dev.caliber.server.TestServer.Reply;
import dev.caliber.server.settings.ServerConfig;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.exception.ModelNotFoundException;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.model.openai.OpenAiEmbeddingModel;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A model with memory for LangChain4j's OpenAI client. */
@Timeout(120)
class ProxyTest {
  @TempDir private Path directory;
  private StubModel model;
  private TestServer server;

  @BeforeEach
  void start() {
    model = new StubModel();
    server = TestServer.start(setup(directory, Optional.of(model.endpoint())));
  }

  @AfterEach
  void stop() {
    server.close();
    model.close();
  }

  private static ServerSetup setup(Path directory, Optional<URI> endpoint) {
    return setup(directory, endpoint, TestServer.starter());
  }

  private static ServerSetup setup(Path directory, Optional<URI> endpoint, ServerConfig starter) {
    ServerSetup serverSetup =
        TestServer.setup(
            directory,
            starter.with(
                "server.proxy.endpoint = '%s'".formatted(endpoint.map(URI::toString).orElse("")),
                "server.proxy.key-variable = '%s'"
                    .formatted(endpoint.isEmpty() ? "" : "MODEL_KEY")));
    return new ServerSetup(
        serverSetup.store(),
        serverSetup.search(),
        serverSetup.models(),
        serverSetup.memory(),
        serverSetup.runtime(),
        serverSetup.agents(),
        serverSetup.server(),
        Map.of("MODEL_KEY", StubModel.KEY),
        serverSetup.clock(),
        serverSetup.chance());
  }

  private String key() {
    return server.post("/keys", "{\"name\": \"shop\", \"right\": \"WRITE\"}").text("secret");
  }

  private OpenAiChatModel chat(String session) {
    return OpenAiChatModel.builder()
        .baseUrl(server.uri("/v1").toString())
        .apiKey(key())
        .modelName("m")
        .customHeaders(Map.of("Caliber-Session", session))
        .maxRetries(0)
        .build();
  }

  private OpenAiStreamingChatModel streaming(String session) {
    return OpenAiStreamingChatModel.builder()
        .baseUrl(server.uri("/v1").toString())
        .apiKey(key())
        .modelName("m")
        .customHeaders(Map.of("Caliber-Session", session))
        .build();
  }

  private static CompletableFuture<ChatResponse> asked(
      OpenAiStreamingChatModel model, List<String> pieces, ChatMessage... messages) {
    CompletableFuture<ChatResponse> answer = new CompletableFuture<>();
    model.chat(
        List.of(messages),
        new StreamingChatResponseHandler() {
          @Override
          public void onPartialResponse(String piece) {
            pieces.add(piece);
          }

          @Override
          public void onCompleteResponse(ChatResponse whole) {
            answer.complete(whole);
          }

          @Override
          public void onError(Throwable error) {
            answer.completeExceptionally(error);
          }
        });
    return answer;
  }

  /** Returns the turns of a session, each as role and text. */
  private List<String> turns(String session) {
    List<String> turns = new ArrayList<>();
    for (JsonNode turn : raw(session)) {
      StringBuilder words = new StringBuilder(turn.path("role").asString());
      turn.path("parts")
          .forEach(
              part ->
                  words
                      .append(' ')
                      .append(
                          part.path("text")
                              .asString(
                                  part.path("tool")
                                      .asString("result " + part.path("content").asString("")))));
      turns.add(words.toString());
    }
    return turns;
  }

  private JsonNode raw(String session) {
    String trajectory = "";
    for (JsonNode each : server.get("/trajectories").body().path("items")) {
      if (each.path("labels").path("external_id").asString("").equals(session)) {
        trajectory = each.path("id").asString();
      }
    }
    return server.get("/trajectories/%s/turns".formatted(trajectory)).body().path("items");
  }

  private Reply complete(String json, String... headers) {
    HttpRequest.Builder request = HttpRequest.newBuilder(server.uri("/v1/chat/completions"));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return server.send(TestServer.json(request, json));
  }

  private static String hello(String text) {
    return "{\"model\": \"m\", \"user\": \"alice\", \"messages\": [{\"role\": \"user\", \"content\": %s}]}"
        .formatted(Json.text(text));
  }

  @Test
  @DisplayName("AGT-03: of an agent that may not read a window nothing is recorded")
  void agentsThatDoNotRead() {
    String agent = "{\"agent\": \"%s\", \"type\": \"coder\", \"access\": %s}";
    server.post("/agents", agent.formatted("writer", "{\"write\": [\"*\"]}"));
    server.post("/agents", agent.formatted("both", "{\"read\": [\"*\"], \"write\": [\"*\"]}"));
    assertThat(complete(hello("Hi"), "Caliber-Agent", "writer").status()).isEqualTo(403);
    assertThat(server.get("/trajectories").body().path("items")).isEmpty();
    model.saying("Hello");
    assertThat(complete(hello("Hi"), "Caliber-Agent", "both").status()).isEqualTo(200);
    assertThat(server.get("/trajectories").body().path("items")).hasSize(1);
  }

  @Test
  @DisplayName(
      "a program gets memory by changing its base URL: what is known goes with its request")
  void remembers() {
    server.post("/remember", "{\"text\": \"The customer Alice prefers green tea\"}");
    model.saying("Green tea, of course.");
    String said =
        chat("s1")
            .chat(
                SystemMessage.from("You sell tea."),
                UserMessage.from("Which tea does Alice prefer?"))
            .aiMessage()
            .text();
    assertThat(said).isEqualTo("Green tea, of course.");
    JsonNode sent = model.seen().getFirst().path("messages");
    assertThat(sent.path(0).path("content").asString()).isEqualTo("You sell tea.");
    assertThat(sent.path(1).path("role").asString()).isEqualTo("system");
    assertThat(sent.path(1).path("content").asString())
        .startsWith(ServerConfig.starter().proxy().memoryIntroduction())
        .contains("green tea")
        .doesNotContain("Which tea does Alice prefer?");
    assertThat(sent.path(2).path("content").asString()).isEqualTo("Which tea does Alice prefer?");
    assertThat(sent.size()).isEqualTo(3);
    assertThat(turns("s1"))
        .containsExactly("USER Which tea does Alice prefer?", "ASSISTANT Green tea, of course.");
  }

  @Test
  @DisplayName("repeated history of a client, whole or shortened, is not recorded twice")
  void doublesNothing() {
    model.saying("A1").saying("A2").saying("A3").saying("A4");
    OpenAiChatModel chat = chat("s1");
    UserMessage first = UserMessage.from("Q1");
    UserMessage second = UserMessage.from("Q2");
    chat.chat(first);
    chat.chat(first, AiMessage.from("A1"), second);
    chat.chat(second, AiMessage.from("A2"), UserMessage.from("Q3"));
    chat.chat(UserMessage.from("Q1"));
    assertThat(turns("s1"))
        .containsExactly(
            "USER Q1",
            "ASSISTANT A1",
            "USER Q2",
            "ASSISTANT A2",
            "USER Q3",
            "ASSISTANT A3",
            "USER Q1",
            "ASSISTANT A4");
  }

  @Test
  @DisplayName("a request that failed and is sent again is one turn")
  void asksAgain() {
    OpenAiChatModel chat = chat("s1");
    assertThatThrownBy(() -> chat.chat(UserMessage.from("Q1")))
        .hasMessageContaining("Nothing to say")
        .hasMessageNotContaining(StubModel.KEY);
    model.saying("A1");
    chat.chat(UserMessage.from("Q1"));
    assertThat(turns("s1")).containsExactly("USER Q1", "ASSISTANT A1");
  }

  @Test
  @DisplayName("messages that the client removed from its history come back from memory")
  void givesBackWhatWasCut() {
    model.saying("Noted.").saying("Violet.");
    OpenAiChatModel chat = chat("s1");
    chat.chat(UserMessage.from("My favourite colour is violet"));
    chat.chat(UserMessage.from("What is my favourite colour?"));
    String memory = model.seen().get(1).path("messages").path(0).path("content").asString();
    assertThat(memory).contains("<turn role=\"user\">My favourite colour is violet</turn>");
  }

  @Test
  @DisplayName("tool calls and their results are recorded, also when a model uses an id again")
  void recordsTools() {
    model.calling("call_1", "weather", "{\"in\":\"Kyiv\"}").saying("Sunny.");
    model.calling("call_1", "weather", "{\"in\":\"Lviv\"}").saying("Rainy.");
    OpenAiChatModel chat = chat("s1");
    ToolSpecification tool = ToolSpecification.builder().name("weather").build();
    List<ChatMessage> said = new ArrayList<>();
    for (String city : List.of("Kyiv", "Lviv")) {
      said.add(UserMessage.from("Weather in " + city + "?"));
      AiMessage call =
          chat.chat(ChatRequest.builder().messages(said).toolSpecifications(tool).build())
              .aiMessage();
      assertThat(call.toolExecutionRequests()).hasSize(1);
      said.add(call);
      said.add(
          ToolExecutionResultMessage.from(
              call.toolExecutionRequests().getFirst(), "It is fine in " + city));
      said.add(
          chat.chat(ChatRequest.builder().messages(said).toolSpecifications(tool).build())
              .aiMessage());
    }
    assertThat(turns("s1"))
        .containsExactly(
            "USER Weather in Kyiv?",
            "ASSISTANT weather",
            "TOOL result It is fine in Kyiv",
            "ASSISTANT Sunny.",
            "USER Weather in Lviv?",
            "ASSISTANT weather",
            "TOOL result It is fine in Lviv",
            "ASSISTANT Rainy.");
  }

  @Test
  @DisplayName("a streamed answer comes piece by piece and is one turn")
  void streams() {
    model.saying("Gre", "en ", "tea");
    List<String> pieces = new ArrayList<>();
    ChatResponse answer = asked(streaming("s1"), pieces, UserMessage.from("Tea?")).join();
    assertThat(answer.aiMessage().text()).isEqualTo("Green tea");
    assertThat(pieces).containsExactly("Gre", "en ", "tea");
    assertThat(turns("s1")).containsExactly("USER Tea?", "ASSISTANT Green tea");
    assertThat(raw("s1").path(1).path("labels").path("metadata").isEmpty()).isTrue();
  }

  @Test
  @DisplayName("a model that dies in mid-stream leaves a recorded turn that says so")
  void survivesTheModelsDeath() {
    model.then(
        (exchange, _) -> {
          StubModel.begin(exchange);
          StubModel.event(exchange, StubModel.delta("{\"content\":\"Half an\"}", "null"));
          throw new java.io.IOException("killed");
        });
    List<String> pieces = new ArrayList<>();
    CompletableFuture<ChatResponse> answer =
        asked(streaming("s1"), pieces, UserMessage.from("Tea?"));
    assertThat(
            answer
                .handle((whole, error) -> whole == null ? "broken" : whole.aiMessage().text())
                .join())
        .isIn("broken", "Half an");
    assertThat(turns("s1")).containsExactly("USER Tea?", "ASSISTANT Half an");
    assertThat(raw("s1").path(1).path("labels").path("metadata").path("interrupted").asString())
        .isEqualTo("model");
    model.saying("Green");
    assertThat(asked(streaming("s1"), pieces, UserMessage.from("Tea?")).join().aiMessage().text())
        .isEqualTo("Green");
    assertThat(turns("s1")).containsExactly("USER Tea?", "ASSISTANT Half an", "ASSISTANT Green");
  }

  /** Returns settings with a short stop and one concurrent request to the model. */
  private static ServerConfig hasty() {
    return TestServer.starter()
        .with("server.limits.shutdown-timeout = '300ms'", "server.proxy.concurrency = 1");
  }

  /** Returns a step that begins an answer and continues until it is stopped. */
  private static StubModel.Step endless(CountDownLatch begun, CountDownLatch end) {
    return (exchange, _) -> {
      StubModel.begin(exchange);
      StubModel.event(exchange, StubModel.delta("{\"content\":\"Half an\"}", "null"));
      begun.countDown();
      try {
        end.await();
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
      throw new IOException("killed");
    };
  }

  @Test
  @DisplayName("a stop in mid-stream leaves a recorded turn that says so")
  void survivesAStop() throws InterruptedException {
    server.close();
    server = TestServer.start(setup(directory, Optional.of(model.endpoint()), hasty()));
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    model.then(endless(begun, end));
    List<String> pieces = new CopyOnWriteArrayList<>();
    CompletableFuture<ChatResponse> answer =
        asked(streaming("s1"), pieces, UserMessage.from("Tea?"));
    begun.await();
    while (pieces.isEmpty()) {
      Thread.onSpinWait();
    }
    server.close();
    end.countDown();
    assertThat(answer.handle((_, _) -> true).join()).isTrue();
    server = TestServer.start(setup(directory, Optional.of(model.endpoint())));
    assertThat(turns("s1")).containsExactly("USER Tea?", "ASSISTANT Half an");
    assertThat(raw("s1").path(1).path("labels").path("metadata").path("interrupted").asString())
        .isEqualTo("server");
  }

  @Test
  @DisplayName("a wrong key is refused as such, even if the model's limit is reached")
  void looksAtKeysFirst() throws InterruptedException {
    server.close();
    server = TestServer.start(setup(directory, Optional.of(model.endpoint()), hasty()));
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    model.then(endless(begun, end));
    CompletableFuture<ChatResponse> answer =
        asked(streaming("s1"), new ArrayList<>(), UserMessage.from("Tea?"));
    begun.await();
    assertThat(complete(hello("Hi"), "Authorization", "Bearer cal_no_no").status()).isEqualTo(401);
    Reply full = complete(hello("Hi"));
    assertThat(full.status()).isEqualTo(503);
    assertThat(full.text("error", "message")).contains("server.proxy.concurrency");
    assertThat(server.send(HttpRequest.newBuilder(server.uri("/v1/models")).GET()).status())
        .isEqualTo(503);
    end.countDown();
    assertThat(answer.handle((_, _) -> true).join()).isTrue();
  }

  /** Returns a step that ends the task before the answer, which then cannot be recorded. */
  private StubModel.Step ending(StubModel.Step then) {
    return (exchange, request) -> {
      for (JsonNode task : server.get("/trajectories").body().path("items")) {
        server.post("/trajectories/%s/complete".formatted(task.path("id").asString()), "{}");
      }
      then.answer(exchange, request);
    };
  }

  @Test
  @DisplayName(
      "an answer that cannot be recorded reaches its client, whole or streamed, and says so")
  void losesNoAnswer() {
    model.then(
        ending(
            (exchange, _) ->
                StubModel.send(
                    exchange,
                    200,
                    StubModel.whole("{\"role\":\"assistant\",\"content\":\"Green.\"}"))));
    Reply whole = complete(hello("Tea?"));
    assertThat(whole.status()).as(whole.body().toString()).isEqualTo(200);
    assertThat(whole.body().at("/choices/0/message/content").asString()).isEqualTo("Green.");
    assertThat(whole.header("Caliber-Recording-Error")).startsWith("CALIBER_");
    model.then(
        ending(
            (exchange, _) -> {
              StubModel.begin(exchange);
              StubModel.event(exchange, StubModel.delta("{\"content\":\"Black.\"}", "null"));
              StubModel.event(exchange, StubModel.delta("{}", "\"stop\""));
              StubModel.event(exchange, "[DONE]");
              exchange.close();
            }));
    Reply streamed = complete(hello("Tea?").replace("\"model\"", "\"stream\": true, \"model\""));
    String events = new String(streamed.raw().body(), StandardCharsets.UTF_8);
    assertThat(events)
        .contains("Black.", ": Caliber-Recording-Error CALIBER_")
        .endsWith("data: [DONE]\n\n");
    model.then(
        ending(
            (exchange, _) -> {
              StubModel.begin(exchange);
              StubModel.event(exchange, StubModel.delta("{\"content\":\"Red.\"}", "null"));
              StubModel.event(exchange, StubModel.delta("{}", "\"stop\""));
              StubModel.event(exchange, "[DONE]");
              exchange.close();
            }));
    assertThat(
            asked(streaming("s2"), new ArrayList<>(), UserMessage.from("Tea?"))
                .join()
                .aiMessage()
                .text())
        .isEqualTo("Red.");
  }

  @Test
  @DisplayName("a picture that is too large to be kept is named, and the model sees it")
  void namesLargePictures() {
    model.saying("A cat.").saying("Still a cat.");
    String picture = "data:image/png;base64," + "A".repeat(2 << 20);
    String first =
        "{\"role\": \"user\", \"content\": [{\"type\": \"text\", \"text\": \"What is it?\"},"
            + " {\"type\": \"image_url\", \"image_url\": {\"url\": \"%s\"}}]}".formatted(picture);
    String one = "{\"model\": \"m\", \"user\": \"alice\", \"messages\": [%s]}".formatted(first);
    Reply reply = complete(one);
    assertThat(reply.status()).as(reply.body().toString()).isEqualTo(200);
    assertThat(model.seen().getFirst().toString()).contains(picture);
    JsonNode part = raw("user:alice").path(0).path("parts").path(1);
    assertThat(part.path("media_type").asString())
        .isEqualTo("application/vnd.caliber.omitted+json");
    JsonNode named =
        Json.mapper().readTree(Base64.getDecoder().decode(part.path("content").asString()));
    assertThat(named.path("type").asString()).isEqualTo("image_url");
    assertThat(named.path("bytes").asLong()).isGreaterThan(2 << 20);
    assertThat(named.path("sha256").asString()).hasSize(64);
    String two =
        "{\"model\": \"m\", \"user\": \"alice\", \"messages\": [%s, {\"role\": \"assistant\", \"content\": \"A cat.\"}, {\"role\": \"user\", \"content\": \"And now?\"}]}"
            .formatted(first);
    assertThat(complete(two).status()).isEqualTo(200);
    assertThat(raw("user:alice")).hasSize(4);
  }

  @Test
  @DisplayName("an answer that is too long to be kept does not end its conversation")
  void goesOnAfterALongAnswer() {
    String words = "w".repeat(2 << 20);
    model.saying(words).saying("In short: no.");
    Reply tooMuch = complete(hello("Tell me everything"));
    assertThat(tooMuch.header("Caliber-Recording-Error")).startsWith("CALIBER_");
    Reply next =
        complete(
            ("{\"model\": \"m\", \"user\": \"alice\", \"messages\": ["
                    + "{\"role\": \"user\", \"content\": \"Tell me everything\"},"
                    + " {\"role\": \"assistant\", \"content\": \"%s\"},"
                    + " {\"role\": \"user\", \"content\": \"In short?\"}]}")
                .formatted(words));
    assertThat(next.status()).as(next.body().toString()).isEqualTo(200);
    assertThat(model.seen().getLast().toString()).contains(words);
    JsonNode named = raw("user:alice").path(1).path("parts").path(0);
    assertThat(named.path("media_type").asString())
        .isEqualTo("application/vnd.caliber.omitted+json");
    assertThat(raw("user:alice")).hasSize(4);
  }

  @Test
  @DisplayName("a failure of the model's server is not reported as the client's error")
  void tellsWhoIsWrong() {
    model.listing(500, "<html>Down</html>");
    Reply down = server.send(HttpRequest.newBuilder(server.uri("/v1/models")).GET());
    assertThat(down.status()).isEqualTo(500);
    assertThat(down.text("error", "code")).endsWith("INVALID_RESPONSE");
    model.listing(200, "<html>Hello</html>");
    assertThat(server.send(HttpRequest.newBuilder(server.uri("/v1/models")).GET()).status())
        .isEqualTo(500);
    model.then(
        (exchange, _) -> {
          exchange.getResponseHeaders().add("Retry-After", "17");
          StubModel.send(exchange, 429, "{\"error\": {\"message\": \"Slow down\"}}");
        });
    Reply busy = complete(hello("Hi"));
    assertThat(busy.status()).isEqualTo(429);
    assertThat(busy.header("Retry-After")).isEqualTo("17");
  }

  @Test
  @DisplayName("the window that a request was given is linked in its answer")
  void linksTheWindow() {
    model.saying("Hello.");
    Reply reply = complete(hello("Hi"));
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.text("choices", "0")).isEmpty();
    String window = reply.header("Caliber-Window");
    assertThat(reply.header("Link"))
        .isEqualTo("</api/v1/windows/%s/explain>; rel=\"describedby\"".formatted(window));
    assertThat(server.get("/windows/%s/explain".formatted(window)).status()).isEqualTo(200);
    assertThat(turns("user:alice")).containsExactly("USER Hi", "ASSISTANT Hello.");
    assertThat(raw("user:alice").path(0).path("labels").path("subject").asString())
        .isEqualTo("alice");
    model.saying("Again.");
    assertThat(
            complete(hello("Ho"), "Caliber-Trajectory", reply.header("Caliber-Trajectory"))
                .status())
        .isEqualTo(200);
    assertThat(turns("user:alice")).hasSize(4);
  }

  @Test
  @DisplayName("errors have OpenAI's JSON")
  void tellsMistakes() {
    for (String wrong :
        List.of(
            "nonsense",
            "[]",
            "{\"model\": \"m\"}",
            "{\"messages\": [{\"role\": \"user\"}]}",
            "{\"model\": \"m\", \"messages\": [{\"role\": \"king\"}]}")) {
      Reply reply = complete(wrong);
      assertThat(reply.status()).as(wrong).isEqualTo(400);
      assertThat(reply.text("error", "type")).isEqualTo("invalid_request_error");
      assertThat(reply.text("error", "code")).isEqualTo("CALIBER_VALIDATION_INVALID_INPUT");
    }
    Reply refused = complete(hello("Hi"), "Authorization", "Bearer cal_no_no");
    assertThat(refused.status()).isEqualTo(401);
    assertThat(refused.text("error", "code")).isEqualTo("CALIBER_VALIDATION_API_KEY_INVALID");
    String reading = server.post("/keys", "{\"name\": \"r\", \"right\": \"READ\"}").text("secret");
    assertThat(complete(hello("Hi"), "Authorization", "Bearer " + reading).status()).isEqualTo(403);
    assertThat(model.seen()).isEmpty();
  }

  @Test
  @DisplayName("a body over the limit is refused in OpenAI's shape")
  void refusesLargeBodies() {
    int most = (int) ServerConfig.starter().limits().bodySize().bytes();
    Reply reply = complete(hello("x".repeat(most)));
    assertThat(reply.status()).isEqualTo(413);
    assertThat(reply.text("error", "code")).isEqualTo("CALIBER_VALIDATION_BODY_TOO_LARGE");
  }

  @Test
  @DisplayName("a client that leaves in mid-stream leaves a recorded turn that says so")
  void survivesTheClientsDeath() throws IOException {
    CountDownLatch left = new CountDownLatch(1);
    model.then(
        (exchange, _) -> {
          StubModel.begin(exchange);
          StubModel.event(exchange, StubModel.delta("{\"content\":\"Half an\"}", "null"));
          try {
            left.await();
          } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
          }
          for (int i = 0; i < 1000; i++) {
            StubModel.event(exchange, StubModel.delta("{\"content\":\" answer\"}", "null"));
          }
        });
    String body = hello("Tea?").replace("\"model\"", "\"stream\": true, \"model\"");
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.uri("/").getPort())) {
      socket
          .getOutputStream()
          .write(
              ("POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                      + "Content-Type: application/json\r\nContent-Length: "
                      + body.length()
                      + "\r\n\r\n"
                      + body)
                  .getBytes(StandardCharsets.US_ASCII));
      BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      String line = lines.readLine();
      while (!line.contains("Half an")) {
        line = lines.readLine();
      }
      socket.setSoLinger(true, 0);
    }
    left.countDown();
    while (turns("user:alice").size() < 2) {
      assertThat(turns("user:alice")).isNotEmpty();
    }
    assertThat(turns("user:alice").getLast()).startsWith("ASSISTANT Half an");
    assertThat(
            raw("user:alice")
                .path(1)
                .path("labels")
                .path("metadata")
                .path("interrupted")
                .asString())
        .isEqualTo("client");
  }

  @Test
  @DisplayName("without a model the answer says how to configure one")
  void saysHowToConfigureAModel(@TempDir Path other) {
    try (TestServer bare = TestServer.start(setup(other, Optional.empty()))) {
      OpenAiChatModel chat =
          OpenAiChatModel.builder()
              .baseUrl(bare.uri("/v1").toString())
              .apiKey(bare.post("/keys", "{\"name\": \"a\", \"right\": \"WRITE\"}").text("secret"))
              .modelName("m")
              .maxRetries(0)
              .build();
      assertThatThrownBy(() -> chat.chat("Hi"))
          .isInstanceOf(ModelNotFoundException.class)
          .hasMessageContaining("server.proxy.endpoint");
    }
  }

  @Test
  @DisplayName("the models are those of the model's server and the embedder of this one")
  void listsModels() {
    Reply reply = server.send(HttpRequest.newBuilder(server.uri("/v1/models")).GET());
    assertThat(reply.body().path("data").valueStream().map(each -> each.path("id").asString()))
        .hasSize(2)
        .contains("m");
  }

  @Test
  @DisplayName("vectors come from the model of this server, as numbers and as bytes")
  void embeds() {
    String name =
        server
            .send(HttpRequest.newBuilder(server.uri("/v1/models")).GET())
            .body()
            .path("data")
            .path(1)
            .path("id")
            .asString();
    OpenAiEmbeddingModel embedder =
        OpenAiEmbeddingModel.builder()
            .baseUrl(server.uri("/v1").toString())
            .apiKey(key())
            .modelName(name)
            .maxRetries(0)
            .build();
    float[] vector = embedder.embed("green tea").content().vector();
    assertThat(vector).hasSize(384);
    Reply bytes = embeddings(name, "\"green tea\"", "\"encoding_format\": \"base64\"");
    float[] decoded = new float[384];
    ByteBuffer.wrap(
            Base64.getDecoder()
                .decode(bytes.body().path("data").path(0).path("embedding").asString()))
        .order(ByteOrder.LITTLE_ENDIAN)
        .asFloatBuffer()
        .get(decoded);
    assertThat(decoded).isEqualTo(vector);
    assertThat(embeddings("text-embedding-3-small", "\"x\"", "\"user\": \"a\"").status())
        .isEqualTo(404);
    assertThat(embeddings(name, "[[1, 2]]", "\"user\": \"a\"").status()).isEqualTo(400);
    assertThat(embeddings(name, "\"x\"", "\"dimensions\": 7").status()).isEqualTo(400);
  }

  private Reply embeddings(String name, String input, String more) {
    return server.send(
        TestServer.json(
            HttpRequest.newBuilder(server.uri("/v1/embeddings")),
            "{\"model\": \"%s\", \"input\": %s, %s}".formatted(name, input, more)));
  }

  private void say(String user, String words) {
    String body =
        "{\"model\": \"m\", %s\"messages\": [{\"role\": \"user\", \"content\": \"%s\"}]}"
            .formatted(user.isEmpty() ? "" : "\"user\": \"%s\", ".formatted(user), words);
    Reply reply =
        server.send(
            TestServer.json(HttpRequest.newBuilder(server.uri("/v1/chat/completions")), body));
    assertThat(reply.status()).as(reply.body().toString()).isEqualTo(200);
  }

  @Test
  @DisplayName("a user's statement in one conversation is known in the next one")
  void knownInTheNextConversation() {
    model.saying("Noted.").saying("You live in Lyon.");
    Reply first = converse("monday", "Hello! I live in Lyon near the old town.");
    String note = first.header("Caliber-Notes");
    assertThat(server.get("/notes/" + note).text("content"))
        .isEqualTo("I live in Lyon near the old town.");
    converse("friday", "In which city do I live?");
    assertThat(model.seen().getLast().toString()).contains("I live in Lyon near the old town.");
  }

  private Reply converse(String session, String words) {
    String body =
        "{\"model\": \"m\", \"user\": \"alice\", \"messages\": [{\"role\": \"user\", \"content\": \"%s\"}]}"
            .formatted(words);
    return server.send(
        TestServer.json(HttpRequest.newBuilder(server.uri("/v1/chat/completions")), body)
            .header("Caliber-Session", session));
  }

  @Test
  @DisplayName("one user's text never reaches the model with another user's request")
  void usersNeverMeet() {
    model.saying("Noted.").saying("I do not know.").saying("Nor here.");
    say("alice", "My PIN is alicecanary4711");
    say("bob", "What is the PIN?");
    say("", "What is the PIN?");
    assertThat(model.seen().getFirst().toString()).contains("alicecanary4711");
    assertThat(model.seen().subList(1, model.seen().size()).toString())
        .doesNotContain("alicecanary");
  }

  @Test
  @DisplayName("a session of one user is refused to another, and a bound key to another user")
  void sessionsBelongToTheirUser() {
    model.saying("Noted.");
    HttpRequest.Builder first = chatOf("alice").header("Caliber-Session", "shared-name");
    assertThat(server.send(first).status()).isEqualTo(200);
    Reply second = server.send(chatOf("bob").header("Caliber-Session", "shared-name"));
    assertThat(second.status()).isEqualTo(403);
    Reply named = server.send(chatOf("alice").header("Caliber-Subject", "bob"));
    assertThat(named.status()).isEqualTo(403);
    assertThat(second.body().toString() + named.body()).doesNotContain("canary");
  }

  private HttpRequest.Builder chatOf(String user) {
    String body =
        "{\"model\": \"m\", \"user\": \"%s\", \"messages\": [{\"role\": \"user\", \"content\": \"canary of %s\"}]}"
            .formatted(user, user);
    return TestServer.json(HttpRequest.newBuilder(server.uri("/v1/chat/completions")), body);
  }
}
