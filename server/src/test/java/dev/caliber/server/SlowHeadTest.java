package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients that open connections and send no request, or one that does not end. */
@Timeout(120)
class SlowHeadTest {
  private static final int PLACES = 12;
  private static final int SHARE = 8;
  private static final String BEGUN = "GET /health/live HTTP/1.1\r\nHost: localhost\r\nA: b";
  private static final String WHOLE = "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n";

  @TempDir Path directory;

  private TestServer limited(Duration head, int all, int perAddress) {
    return TestServer.start(
        TestServer.setup(
            directory,
            TestServer.starter()
                .with(
                    // only the limit of the head closes connections
                    "server.limits.idle-timeout = '10m'",
                    "server.limits.header-timeout = '%s'"
                        .formatted(dev.caliber.kernel.Durations.format(head)),
                    "server.limits.connections = " + all,
                    "server.limits.connections-per-address = " + perAddress)));
  }

  private static Socket open(TestServer server, String text) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.uri("/").getPort());
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private static String rest(Socket socket) throws IOException {
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
  }

  /** Sends a byte now and then until the server has closed the connection. */
  private static String trickle(Socket socket) throws IOException {
    socket.setSoTimeout(50);
    StringBuilder answer = new StringBuilder();
    while (true) {
      try {
        int next = socket.getInputStream().read();
        if (next < 0) {
          return answer.toString();
        }
        answer.append((char) next);
      } catch (java.net.SocketTimeoutException _) {
        write(socket);
      } catch (SocketException _) {
        return answer.toString();
      }
    }
  }

  private static void write(Socket socket) throws IOException {
    try {
      socket.getOutputStream().write('c');
    } catch (SocketException _) {
      return; // closed: the answer may still be readable
    }
  }

  @Test
  @DisplayName("ERR-08: a head that comes byte by byte ends with 408 and problem details")
  void slowHeadsEnd() throws IOException {
    try (TestServer server = limited(Duration.ofMillis(500), 100, 100);
        Socket slow = open(server, BEGUN)) {
      assertThat(trickle(slow))
          .startsWith("HTTP/1.1 408")
          .contains("application/problem+json", "Connection: close", "HEADERS_TOO_SLOW");
    }
  }

  @Test
  @DisplayName(
      "ERR-08: a later head on the same connection has the same limit, silence between has not")
  void laterHeadsEnd() throws IOException {
    try (TestServer server = limited(Duration.ofMillis(500), 100, 100);
        Socket slow = open(server, WHOLE)) {
      StringBuilder first = new StringBuilder();
      while (first.indexOf("}") < 0) {
        first.append((char) slow.getInputStream().read());
      }
      assertThat(first).startsWith("HTTP/1.1 200");
      slow.getOutputStream().write(BEGUN.getBytes(StandardCharsets.US_ASCII));
      assertThat(trickle(slow)).startsWith("HTTP/1.1 408");
    }
  }

  @Test
  @DisplayName("ERR-08: a connection that says nothing ends, without a word")
  void silentConnectionsEnd() throws IOException {
    try (TestServer server = limited(Duration.ofMillis(200), 100, 100);
        Socket silent = open(server, "")) {
      assertThat(rest(silent)).isEmpty();
    }
  }

  @Test
  @DisplayName(
      "ERR-08: connections without a request fill neither all places nor those of an address")
  void othersAreServed() throws IOException {
    for (int[] places : new int[][] {{PLACES, PLACES}, {PLACES, SHARE}}) {
      try (TestServer server = limited(Duration.ofMinutes(10), places[0], places[1])) {
        List<Socket> attack = new ArrayList<>();
        for (int i = 0; i < 5 * PLACES; i++) {
          attack.add(open(server, i % 2 == 0 ? BEGUN : ""));
          if (i % PLACES == 0) {
            try (Socket good =
                open(server, WHOLE.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"))) {
              assertThat(rest(good)).startsWith("HTTP/1.1 200");
            }
          }
        }
        for (Socket socket : attack) {
          socket.close();
        }
        assertThat(server.get("/spaces").status()).isEqualTo(200);
      }
    }
  }
}
