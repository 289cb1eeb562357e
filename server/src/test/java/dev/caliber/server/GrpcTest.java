package dev.caliber.server;

import static dev.caliber.server.GrpcCaller.field;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.ErrorInfo;
import dev.caliber.kernel.DataSize;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.server.settings.ServerConfig.KeyPolicy;
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
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** gRPC, as a client sees it that knows only what reflection says. */
@Timeout(120)
class GrpcTest {
  private static final Metadata.Key<String> CODE =
      Metadata.Key.of("caliber-code", Metadata.ASCII_STRING_MARSHALLER);

  @TempDir private Path directory;
  private TestServer server;
  private GrpcCaller client;

  @BeforeEach
  void start() {
    server = TestServer.start(TestServer.setup(directory, TestServer.starter().withGrpcAt(0)));
    client = new GrpcCaller(server.server().grpcPort().orElseThrow());
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
  @DisplayName("what is remembered by gRPC is recalled by gRPC, whole and hit by hit")
  void remembersAndRecalls() {
    DynamicMessage remembered =
        client.call("Remember", client.request("Remember", "text", "Alice prefers green tea"));
    DynamicMessage note = (DynamicMessage) field(remembered, "note");
    assertThat(field(note, "content")).isEqualTo("Alice prefers green tea");
    DynamicMessage query = client.request("Recall", "query", "green tea", "limit", 3L);
    List<?> hits = (List<?>) field(client.call("Recall", query), "hits");
    assertThat(hits).hasSize(1);
    Iterator<DynamicMessage> streamed = client.stream("StreamRecall", query, CallOptions.DEFAULT);
    assertThat(field(streamed.next(), "id"))
        .isEqualTo(field((DynamicMessage) hits.getFirst(), "id"));
    assertThat(streamed.hasNext()).isFalse();
  }

  @Test
  @DisplayName("commits are streamed from a place on, until the client leaves")
  void streamsEvents() {
    server.post("/remember", "{\"text\": \"One\"}");
    Iterator<DynamicMessage> events =
        client.stream(
            "Events",
            client.request("Events", "after", "0", "tables", "note"),
            CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS));
    DynamicMessage first = events.next();
    server.post("/remember", "{\"text\": \"Two\"}");
    DynamicMessage second = events.next();
    assertThat((long) field(second, "sequence")).isGreaterThan((long) field(first, "sequence"));
    Iterator<DynamicMessage> again =
        client.stream(
            "Events",
            client.request("Events", "after", field(first, "id"), "tables", "note"),
            CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS));
    assertThat(again.next()).isEqualTo(second);
    assertRefused(
        () ->
            client.stream(
                    "Events", client.request("Events", "after", "nonsense"), CallOptions.DEFAULT)
                .next(),
        Status.Code.INVALID_ARGUMENT,
        "CALIBER_VALIDATION_INVALID_INPUT");
  }

  @Test
  @DisplayName("a stream ends with its deadline, and the server answers on")
  void keepsDeadlines() {
    Iterator<DynamicMessage> events =
        client.stream(
            "Events",
            client.request("Events"),
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
    ServerConfig strict = TestServer.starter().asking(KeyPolicy.ALWAYS).withGrpcAt(0);
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
        "CALIBER_VALIDATION_KEY_REFUSED");
    try (TestServer closed = TestServer.start(TestServer.setup(other, strict));
        GrpcCaller stranger = new GrpcCaller(closed.server().grpcPort().orElseThrow())) {
      assertRefused(
          () -> stranger.call("ListSpaces", stranger.request("ListSpaces")),
          Status.Code.UNAUTHENTICATED,
          "CALIBER_VALIDATION_KEY_MISSING");
    }
  }

  @Test
  @DisplayName("DEP-02: what a proxy of this machine hands on needs a key")
  void forwardedCallsNeedAKey() {
    for (String header : List.of("forwarded", "x-forwarded-for", "x-forwarded-proto", "via")) {
      assertRefused(
          () -> client.call("ListSpaces", client.request("ListSpaces"), header, "10.0.0.1"),
          Status.Code.UNAUTHENTICATED,
          "CALIBER_VALIDATION_KEY_MISSING");
    }
  }

  @Test
  @DisplayName("a revoked key ends the streams that it has opened")
  void looksAtKeysAgain() {
    String secret = server.post("/keys", "{\"name\": \"r\", \"right\": \"READ\"}").text("secret");
    Iterator<DynamicMessage> events =
        client.stream(
            "Events",
            client.request("Events", "after", "0"),
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
        "CALIBER_VALIDATION_KEY_REFUSED");
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
    assertThatThrownBy(() -> client.raw("Remember", new byte[] {0x0f, 0x7f, 1, 2}))
        .isInstanceOf(StatusRuntimeException.class);
    assertThat(client.call("ListSpaces", client.request("ListSpaces"))).isNotNull();
  }

  @Test
  @DisplayName("a message over the limit is refused, and the server answers on")
  void keepsSizes() {
    int most = (int) ServerConfig.starter().limits().body().bytes();
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
