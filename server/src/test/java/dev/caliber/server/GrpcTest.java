package dev.caliber.server;

import static dev.caliber.testkit.grpc.ReflectionGrpcClient.field;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.ErrorInfo;
import dev.caliber.kernel.DataSize;
import dev.caliber.kernel.Durations;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.testkit.grpc.ReflectionGrpcClient;
import io.grpc.CallOptions;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.protobuf.StatusProto;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The gRPC protocol for a client that knows only what reflection returns. */
@Timeout(120)
class GrpcTest {
  private static final Metadata.Key<String> CODE =
      Metadata.Key.of("caliber-code", Metadata.ASCII_STRING_MARSHALLER);

  @TempDir private Path directory;
  private TestServer server;
  private ReflectionGrpcClient client;

  @BeforeEach
  void start() {
    server = TestServer.start(TestServer.setup(directory, TestServer.starter().withGrpcPort(0)));
    client = new ReflectionGrpcClient(server.server().grpcPort().orElseThrow());
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private static void assertRefused(Runnable call, Status.Code status, String code) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> {
              assertThat(e.getStatus().getCode())
                  .as(String.valueOf(e.getStatus()))
                  .isEqualTo(status);
              assertThat(Objects.requireNonNull(e.getTrailers()).get(CODE)).isEqualTo(code);
              assertThat(info(e).getReason()).isEqualTo(code);
            });
  }

  private static ErrorInfo info(StatusRuntimeException e) {
    try {
      return Objects.requireNonNull(StatusProto.fromThrowable(e))
          .getDetails(0)
          .unpack(ErrorInfo.class);
    } catch (InvalidProtocolBufferException wrong) {
      throw new AssertionError(wrong);
    }
  }

  @Test
  @DisplayName("reflection lists the service, and every one of its methods can be called")
  void everyMethodIsThere() {
    assertThat(client.services())
        .contains(
            "caliber.v1.Caliber", "grpc.health.v1.Health", "grpc.reflection.v1.ServerReflection");
    assertThat(client.methods()).hasSizeGreaterThan(60);
    Set<Status.Code> wrong =
        Set.of(Status.Code.UNIMPLEMENTED, Status.Code.INTERNAL, Status.Code.UNKNOWN);
    List<String> broken = new ArrayList<>();
    for (MethodDescriptor method : client.methods()) {
      if (!method.isServerStreaming()) {
        try {
          client.call(method.getName(), client.request(method.getName()));
        } catch (StatusRuntimeException e) {
          if (wrong.contains(e.getStatus().getCode())) {
            broken.add(method.getName() + ": " + e.getStatus());
          }
        }
      }
    }
    assertThat(broken).isEmpty();
  }

  @Test
  @DisplayName("a text remembered by gRPC is recalled by gRPC, whole and hit by hit")
  void remembersAndRecalls() {
    DynamicMessage remembered =
        client.call("Remember", client.request("Remember", "text", "Alice prefers green tea"));
    DynamicMessage note = (DynamicMessage) field(remembered, "note");
    assertThat(field(note, "content")).isEqualTo("Alice prefers green tea");
    DynamicMessage query = client.request("Recall", "query", "green tea", "limit", 3L);
    List<?> hits = (List<?>) field(client.call("Recall", query), "hits");
    assertThat(hits).hasSize(1);
    Iterator<DynamicMessage> streamed =
        client.callStreaming("StreamRecall", query, CallOptions.DEFAULT);
    assertThat(field(streamed.next(), "id"))
        .isEqualTo(field((DynamicMessage) hits.getFirst(), "id"));
    assertThat(streamed.hasNext()).isFalse();
  }

  @Test
  @DisplayName("commits are streamed from a position until the client leaves")
  void streamsEvents() {
    server.post("/remember", "{\"text\": \"One\"}");
    Iterator<DynamicMessage> events =
        client.callStreaming(
            "StreamEvents",
            client.request("StreamEvents", "after", "0", "tables", "note"),
            CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS));
    DynamicMessage first = events.next();
    server.post("/remember", "{\"text\": \"Two\"}");
    DynamicMessage second = events.next();
    assertThat((long) field(second, "sequence")).isGreaterThan((long) field(first, "sequence"));
    Iterator<DynamicMessage> again =
        client.callStreaming(
            "StreamEvents",
            client.request("StreamEvents", "after", field(first, "id"), "tables", "note"),
            CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS));
    assertThat(again.next()).isEqualTo(second);
    assertRefused(
        () ->
            client
                .callStreaming(
                    "StreamEvents",
                    client.request("StreamEvents", "after", "nonsense"),
                    CallOptions.DEFAULT)
                .next(),
        Status.Code.INVALID_ARGUMENT,
        "CALIBER_VALIDATION_INVALID_INPUT");
  }

  @Test
  @DisplayName("a stream ends with its deadline, and the server answers on")
  void keepsDeadlines() {
    Iterator<DynamicMessage> events =
        client.callStreaming(
            "StreamEvents",
            client.request("StreamEvents"),
            CallOptions.DEFAULT.withDeadlineAfter(200, TimeUnit.MILLISECONDS));
    assertThatThrownBy(events::hasNext)
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED));
    assertThat(client.call("ListSpaces", client.request("ListSpaces"))).isNotNull();
  }

  @Test
  @DisplayName("numbers that JSON has no word for are refused")
  void refusesNumbersThatAreNone() {
    for (double number : new double[] {Double.NaN, Double.POSITIVE_INFINITY}) {
      assertRefused(
          () ->
              client.call(
                  "WriteNote",
                  client.request(
                      "WriteNote",
                      "entity",
                      "sky",
                      "entity_type",
                      "thing",
                      "type",
                      "FACT",
                      "content",
                      "It is blue",
                      "confidence",
                      number)),
          Status.Code.INVALID_ARGUMENT,
          "CALIBER_VALIDATION_INVALID_INPUT");
    }
  }

  @Test
  @DisplayName("health says that it serves")
  void isHealthy() {
    assertThat(
            HealthGrpc.newBlockingStub(client.channel())
                .check(HealthCheckRequest.getDefaultInstance())
                .getStatus())
        .isEqualTo(ServingStatus.SERVING);
  }

  @Test
  @DisplayName("a request with an idempotency key is done once; a revision can be insisted on")
  void keepsPromisesOfHeaders() {
    DynamicMessage wish = client.request("StartTrajectory", "goal", "Ship");
    DynamicMessage one = client.call("StartTrajectory", wish, "idempotency-key", "k1");
    assertThat(client.call("StartTrajectory", wish, "idempotency-key", "k1")).isEqualTo(one);
    DynamicMessage named = client.request("SuspendTrajectory", "id", field(one, "id"));
    assertRefused(
        () -> client.call("SuspendTrajectory", named, "if-match", "999999"),
        Status.Code.FAILED_PRECONDITION,
        "CALIBER_VALIDATION_PRECONDITION_FAILED");
  }

  @Test
  @DisplayName("keys, rights and spaces are those of REST")
  void keepsKeys(@TempDir Path other) {
    ServerConfig strict =
        TestServer.starter().with("server.require-api-key = 'always'").withGrpcPort(0);
    String reading =
        server
            .post("/keys", "{\"name\": \"r\", \"right\": \"READ\", \"spaces\": [\"default\"]}")
            .text("secret");
    DynamicMessage wish = client.request("Remember", "text", "x");
    assertRefused(
        () -> client.call("Remember", wish, "authorization", "Bearer " + reading),
        Status.Code.PERMISSION_DENIED,
        "CALIBER_VALIDATION_RIGHT_MISSING");
    assertRefused(
        () ->
            client.call(
                "ListSpaces",
                client.request("ListSpaces"),
                "authorization",
                "Bearer " + reading,
                "caliber-space",
                "other"),
        Status.Code.PERMISSION_DENIED,
        "CALIBER_VALIDATION_SPACE_DENIED");
    assertRefused(
        () -> client.call("Remember", wish, "authorization", "Bearer cal_no_no"),
        Status.Code.UNAUTHENTICATED,
        "CALIBER_VALIDATION_API_KEY_INVALID");
    try (TestServer closed = TestServer.start(TestServer.setup(other, strict));
        ReflectionGrpcClient stranger = client.forPort(closed.server().grpcPort().orElseThrow())) {
      assertRefused(
          () -> stranger.call("ListSpaces", stranger.request("ListSpaces")),
          Status.Code.UNAUTHENTICATED,
          "CALIBER_VALIDATION_API_KEY_MISSING");
    }
  }

  @Test
  @DisplayName("DEP-02: a client without a key reads the health status, and opens no stream")
  void streamsNeedAKey(@TempDir Path other) {
    ServerConfig strict =
        TestServer.starter().with("server.require-api-key = 'always'").withGrpcPort(0);
    try (TestServer closed = TestServer.start(TestServer.setup(other, strict));
        ReflectionGrpcClient stranger = client.forPort(closed.server().grpcPort().orElseThrow())) {
      HealthGrpc.HealthBlockingStub health = HealthGrpc.newBlockingStub(stranger.channel());
      assertThat(health.check(HealthCheckRequest.getDefaultInstance()).getStatus())
          .isEqualTo(ServingStatus.SERVING);
      assertRefused(
          () -> health.watch(HealthCheckRequest.getDefaultInstance()).next(),
          Status.Code.UNAUTHENTICATED,
          "CALIBER_VALIDATION_API_KEY_MISSING");
      assertThatThrownBy(stranger::services).hasStackTraceContaining("UNAUTHENTICATED");
    }
  }

  private static ServerConfig limited(int requests, int streams, Duration patience, Duration stop) {
    return TestServer.starter()
        .withGrpcPort(0)
        .with(
            "server.limits.concurrent-requests = " + requests,
            "server.limits.queue-timeout = '%s'".formatted(Durations.format(patience)),
            "server.limits.shutdown-timeout = '%s'".formatted(Durations.format(stop)),
            "server.limits.streams = " + streams);
  }

  @Test
  @DisplayName("streams of all protocols share one limit")
  void sharesPlaces(@TempDir Path other) {
    ServerConfig one = limited(8, 1, Duration.ZERO, Duration.ZERO);
    try (TestServer small = TestServer.start(TestServer.setup(other, one));
        ReflectionGrpcClient caller = client.forPort(small.server().grpcPort().orElseThrow())) {
      small.post("/remember", "{\"text\": \"One\"}");
      Iterator<DynamicMessage> events =
          caller.callStreaming(
              "StreamEvents",
              caller.request("StreamEvents", "after", "0"),
              CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS));
      assertThat(events.next()).isNotNull();
      assertRefused(
          () ->
              HealthGrpc.newBlockingStub(caller.channel())
                  .watch(HealthCheckRequest.getDefaultInstance())
                  .next(),
          Status.Code.UNAVAILABLE,
          "CALIBER_VALIDATION_OVERLOADED");
      assertThat(small.get("/events").status()).isEqualTo(503);
      assertThat(caller.call("ListSpaces", caller.request("ListSpaces"))).isNotNull();
    }
  }

  @Test
  @DisplayName("requests of all protocols share the turns that there are")
  void sharesTurns(@TempDir Path other) {
    ServerConfig one = limited(1, 1, Duration.ofMillis(50), Duration.ZERO);
    try (TestServer small = TestServer.start(TestServer.setup(other, one));
        ReflectionGrpcClient caller = client.forPort(small.server().grpcPort().orElseThrow())) {
      small.post("/agents", "{\"agent\": \"anna\", \"type\": \"coder\"}");
      Future<TestServer.Reply> waiting =
          begun(() -> small.post("/agents/anna/await", "{\"at_most\": \"5s\"}"));
      String refused = "";
      while (refused.isEmpty() && !waiting.isDone()) {
        refused = refusal(() -> caller.call("ListSpaces", caller.request("ListSpaces")));
      }
      assertThat(refused).isEqualTo("CALIBER_VALIDATION_OVERLOADED");
    }
  }

  private static <T> Future<T> begun(Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    Thread.ofVirtual().name("waiting").start(task);
    return task;
  }

  /** Returns the code of a refused call, or nothing if it succeeded. */
  private static String refusal(Runnable call) {
    try {
      call.run();
      return "";
    } catch (StatusRuntimeException e) {
      return String.valueOf(Objects.requireNonNull(e.getTrailers()).get(CODE));
    }
  }

  @Test
  @DisplayName("there are no more connections and calls of one than settings say")
  void limitsConnections(@TempDir Path other) {
    ServerConfig one =
        TestServer.starter()
            .withGrpcPort(0)
            .with(
                "server.limits.connections = 1",
                "server.limits.connections-per-address = 1",
                "server.grpc.calls-per-connection = 1");
    try (TestServer small = TestServer.start(TestServer.setup(other, one))) {
      int port = small.server().grpcPort().orElseThrow();
      try (ReflectionGrpcClient first = client.forPort(port);
          ReflectionGrpcClient second = client.forPort(port)) {
        Iterator<DynamicMessage> events =
            first.callStreaming(
                "StreamEvents",
                first.request("StreamEvents", "after", "0"),
                CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS));
        small.post("/remember", "{\"text\": \"One\"}");
        assertThat(events.next()).isNotNull();
        assertThat(refusedBy(() -> second.call("ListSpaces", second.request("ListSpaces"))))
            .as("the reason may come too late for a connection that is closed")
            .isPresent();
        CallOptions soon = CallOptions.DEFAULT.withDeadlineAfter(300, TimeUnit.MILLISECONDS);
        assertThatThrownBy(() -> first.call("ListSpaces", first.request("ListSpaces"), soon))
            .hasMessageContaining("DEADLINE_EXCEEDED");
      }
      try (ReflectionGrpcClient third = client.forPort(port)) {
        boolean answered = false;
        while (!answered) { // the place is free when the first connection has ended
          answered =
              refusedBy(() -> third.call("ListSpaces", third.request("ListSpaces"))).isEmpty();
        }
      }
    }
  }

  private static Optional<Status.Code> refusedBy(Runnable call) {
    try {
      call.run();
      return Optional.empty();
    } catch (StatusRuntimeException e) {
      return Optional.of(e.getStatus().getCode());
    }
  }

  @Test
  @Timeout(25)
  @DisplayName("a stop ends a call that waits for longer than it may take")
  void aStopWakesWhoWaits(@TempDir Path other) throws Exception {
    TestServer stopping =
        TestServer.start(
            TestServer.setup(other, limited(8, 8, Duration.ofSeconds(1), Duration.ofMillis(200))));
    try (ReflectionGrpcClient caller = client.forPort(stopping.server().grpcPort().orElseThrow())) {
      caller.call(
          "RegisterAgent", caller.request("RegisterAgent", "agent", "anna", "type", "coder"));
      Future<Optional<Status.Code>> waiting =
          begun(
              () ->
                  refusedBy(
                      () ->
                          caller.call(
                              "AwaitMessages",
                              caller.request("AwaitMessages", "agent", "anna", "at_most", "30s"))));
      String audited = "";
      while (!audited.contains("await_messages")) { // the call has begun
        audited = stopping.get("/audit").body().toString();
      }
      stopping.close();
      assertThat(waiting.get().orElse(Status.Code.OK))
          .as("answered with what there is, or cut off")
          .isIn(Status.Code.OK, Status.Code.UNAVAILABLE, Status.Code.CANCELLED);
    }
  }

  @Test
  @DisplayName("a stream says how far it has come, although it wants nothing of it")
  void tellsPlaces(@TempDir Path other) {
    ServerConfig eager = TestServer.starter().withGrpcPort(0).with("server.events.batch = 1");
    try (TestServer small = TestServer.start(TestServer.setup(other, eager));
        ReflectionGrpcClient caller = client.forPort(small.server().grpcPort().orElseThrow())) {
      small.post("/remember", "{\"text\": \"One\"}");
      DynamicMessage place =
          caller
              .callStreaming(
                  "StreamEvents",
                  caller.request("StreamEvents", "after", "0", "tables", "turn"),
                  CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS))
              .next();
      assertThat((List<?>) field(place, "changes")).isEmpty();
      assertThat((long) field(place, "sequence")).isPositive();
      small.post("/remember", "{\"text\": \"Hi\", \"session\": \"s1\"}");
      Iterator<DynamicMessage> resumed =
          caller.callStreaming(
              "StreamEvents",
              caller.request("StreamEvents", "after", field(place, "id"), "tables", "turn"),
              CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS));
      DynamicMessage next = resumed.next();
      while (((List<?>) field(next, "changes")).isEmpty()) {
        next = resumed.next();
      }
      assertThat((long) field(next, "sequence")).isGreaterThan((long) field(place, "sequence"));
    }
  }

  @Test
  @DisplayName("an idempotency key without a letter is refused, as by REST")
  void refusesBlankKeys() {
    assertRefused(
        () ->
            client.call(
                "StartTrajectory",
                client.request("StartTrajectory", "goal", "Ship"),
                "idempotency-key",
                ""),
        Status.Code.INVALID_ARGUMENT,
        "CALIBER_VALIDATION_INVALID_INPUT");
  }

  @Test
  @DisplayName("DEP-02: a request forwarded by a proxy of this machine needs a key")
  void forwardedCallsNeedAKey() {
    for (String header : List.of("forwarded", "x-forwarded-for", "x-forwarded-proto", "via")) {
      assertRefused(
          () -> client.call("ListSpaces", client.request("ListSpaces"), header, "10.0.0.1"),
          Status.Code.UNAUTHENTICATED,
          "CALIBER_VALIDATION_API_KEY_MISSING");
    }
  }

  @Test
  @DisplayName("a revoked key ends the streams that it has opened")
  void looksAtKeysAgain() {
    String secret = server.post("/keys", "{\"name\": \"r\", \"right\": \"READ\"}").text("secret");
    Iterator<DynamicMessage> events =
        client.callStreaming(
            "StreamEvents",
            client.request("StreamEvents", "after", "0"),
            CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS),
            "authorization",
            "Bearer " + secret);
    server.post("/remember", "{\"text\": \"One\"}");
    assertThat(events.next()).isNotNull();
    server.post("/keys/%s/revoke".formatted(secret.split("_", -1)[1]), "{}");
    server.post("/remember", "{\"text\": \"Two\"}");
    assertRefused(
        () -> events.forEachRemaining(_ -> {}),
        Status.Code.UNAUTHENTICATED,
        "CALIBER_VALIDATION_API_KEY_INVALID");
  }

  @Test
  @DisplayName("bytes that are no gRPC, and messages that are none, do not break the server")
  void survivesNonsense() throws IOException {
    int port = server.server().grpcPort().orElseThrow();
    for (String nonsense :
        List.of("GET / HTTP/1.1\r\n\r\n", "\0\0\0\0", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\uffff")) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        socket.getOutputStream().write(nonsense.getBytes(StandardCharsets.UTF_8));
        socket.shutdownOutput();
        assertThat(socket.getInputStream().readAllBytes()).isNotNull();
      }
    }
    assertRefused(
        () -> client.callRaw("Remember", new byte[] {0x0f, 0x7f, 1, 2}),
        Status.Code.INVALID_ARGUMENT,
        "CALIBER_VALIDATION_INVALID_INPUT");
    assertThat(client.call("ListSpaces", client.request("ListSpaces"))).isNotNull();
  }

  @Test
  @DisplayName("a message over the limit is refused, and the server answers on")
  void keepsSizes() {
    int most = (int) ServerConfig.starter().limits().bodySize().bytes();
    DynamicMessage large = client.request("Remember", "text", "x".repeat(most + 1));
    assertThatThrownBy(() -> client.call("Remember", large))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e ->
                assertThat(e.getStatus().getCode())
                    .isIn(Status.Code.RESOURCE_EXHAUSTED, Status.Code.CANCELLED));
    assertThat(DataSize.parse("8MiB").bytes()).isEqualTo(most);
    assertThat(client.call("ListSpaces", client.request("ListSpaces"))).isNotNull();
  }
}
