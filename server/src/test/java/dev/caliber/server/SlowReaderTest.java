package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DynamicMessage;
import dev.caliber.kernel.Json;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.testkit.grpc.ReflectionGrpcClient;
import io.grpc.ClientCall;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/**
 * A client that opens a stream and does not read it loses it, and another client gets the place.
 * There is one place, and the events fill every buffer on the way. Event streams of REST and
 * subscriptions of MCP share the code.
 */
@Timeout(180)
class SlowReaderTest {
  private static final int ROUNDS = 400;
  private static final int TURNS = 200;
  private static final int NOTES = 50;
  private static final int BUFFER = 4096;
  private static final String LONG_ID = "i".repeat(1000);

  @TempDir Path directory;
  private final HttpClient client = HttpClient.newHttpClient();
  private TestServer server;

  @BeforeEach
  void start() {
    server = TestServer.start(TestServer.setup(directory, impatient()));
    assertThat(server.post("/remember", "{\"text\": \"One\"}").status()).isEqualTo(200);
  }

  @AfterEach
  void stop() {
    client.shutdownNow();
    server.close();
  }

  private static ServerConfig impatient() {
    return TestServer.starter()
        .withGrpcPort(0)
        .with(
            "server.limits.idle-timeout = '2s'",
            "server.limits.streams = 1",
            "server.events.heartbeat-interval = '100ms'",
            "server.events.batch = 1");
  }

  @Test
  @DisplayName(
      "ERR-08: a subscription of MCP that its client does not read ends, and frees its place")
  void subscriptionsEnd() throws IOException, InterruptedException {
    ObjectNode params = Json.mapper().createObjectNode();
    ObjectNode wanted = params.putObject("notifications").put("resourcesListChanged", true);
    wanted.putArray("resourceSubscriptions").add("memory://knowledge-graph");
    ObjectNode message =
        McpCaller.message("subscriptions/listen", McpCaller.declaring(params, McpCaller.MODERN));
    String body = message.put("id", LONG_ID).toString();
    String head =
        """
        POST /mcp HTTP/1.1\r
        Host: %%s\r
        Content-Type: application/json\r
        Accept: application/json, text/event-stream\r
        MCP-Protocol-Version: %s\r
        Mcp-Method: subscriptions/listen\r
        Content-Length: %d\r
        \r
        """
            .formatted(McpCaller.MODERN, body.length());
    try (Socket deaf = begun(head + body)) {
      happensUntilThereIsAPlace(this::notes);
      assertThat(deaf.isConnected()).isTrue();
    }
  }

  @Test
  @DisplayName("ERR-08: a stream of gRPC that its client does not read ends, and frees its place")
  void streamsOfGrpcEnd() throws IOException, InterruptedException {
    int port = server.server().grpcPort().orElseThrow();
    try (ReflectionGrpcClient caller =
        new ReflectionGrpcClient(
            NettyChannelBuilder.forAddress("127.0.0.1", port)
                .usePlaintext()
                .flowControlWindow(BUFFER)
                .build())) {
      ClientCall<DynamicMessage, DynamicMessage> deaf =
          caller.readOneMessage("StreamEvents", caller.request("StreamEvents", "after", "0"));
      happensUntilThereIsAPlace(this::turns);
      deaf.cancel("the test is over", null);
    }
  }

  /** Opens a client that reads the start of the answer, and nothing more. */
  private Socket begun(String request) throws IOException {
    int port = server.uri("/").getPort();
    Socket socket = new Socket();
    socket.setReceiveBufferSize(BUFFER);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    socket
        .getOutputStream()
        .write(request.formatted("127.0.0.1:" + port).getBytes(StandardCharsets.US_ASCII));
    String served = "HTTP/1.1 200";
    byte[] head = socket.getInputStream().readNBytes(served.length());
    assertThat(new String(head, StandardCharsets.US_ASCII)).isEqualTo(served);
    return socket;
  }

  /** The work of one round. */
  private interface Happening {
    void happen(int round);
  }

  private void happensUntilThereIsAPlace(Happening happening)
      throws IOException, InterruptedException {
    assertThat(opened()).isEqualTo(503);
    int status = 503;
    for (int round = 0; round < ROUNDS && status == 503; round++) {
      happening.happen(round);
      status = opened();
    }
    assertThat(status).isEqualTo(200);
  }

  /** Returns the status for another client that opens a stream. */
  private int opened() throws IOException, InterruptedException {
    HttpResponse<InputStream> answer =
        client.send(server.request("/events").build(), BodyHandlers.ofInputStream());
    answer.body().close();
    return answer.statusCode();
  }

  private void turns(int round) {
    Map<String, String> turn = Map.of("role", "USER", "text", "Round " + round);
    List<Map<String, String>> all = Collections.nCopies(TURNS, turn);
    StudioSample.post(server, "/sessions/s1/turns", Map.of("turns", all));
  }

  private void notes(int round) {
    for (int i = 0; i < NOTES; i++) {
      String text = "Note %d of round %d".formatted(i, round);
      StudioSample.post(server, "/remember", Map.of("text", text, "about", text));
    }
  }
}
