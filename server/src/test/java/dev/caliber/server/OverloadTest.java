package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.server.TestServer.Reply;
import dev.caliber.server.settings.ServerConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Too much at a time is refused, and told when to come back. */
@Timeout(120)
class OverloadTest {
  private static final int CLIENTS = 40;

  @TempDir Path directory;

  private static ServerConfig limited(int requests, int burst, double rate) {
    ServerConfig config = TestServer.starter();
    ServerConfig.Limits limits = config.limits();
    return config.withLimits(
        new ServerConfig.Limits(
            limits.body(),
            requests,
            Duration.ZERO,
            limits.idle(),
            limits.stop(),
            limits.page(),
            limits.hits(),
            limits.commit(),
            limits.streams(),
            burst,
            rate));
  }

  @Test
  @DisplayName("a caller over its rate gets 429 and the time to wait")
  void aRateIsKept() {
    try (TestServer server =
        TestServer.start(TestServer.setup(directory, limited(CLIENTS, 2, 0.01)))) {
      assertThat(server.get("/spaces").status()).isEqualTo(200);
      assertThat(server.get("/spaces").status()).isEqualTo(200);
      Reply refused = server.get("/spaces");
      assertThat(refused.status()).isEqualTo(429);
      assertThat(refused.text("code")).endsWith("TOO_MANY_REQUESTS");
      assertThat(Integer.parseInt(refused.header("Retry-After"))).isBetween(1, 100);
    }
  }

  @Test
  @DisplayName("requests over the limit get 503, and those that were taken are answered")
  void moreThanTheLimitIsRefused() throws InterruptedException {
    ConcurrentLinkedQueue<Reply> replies = new ConcurrentLinkedQueue<>();
    try (TestServer server =
        TestServer.start(TestServer.setup(directory, limited(1, 1000, 1000)))) {
      List<Thread> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        String body = "{\"text\": \"Number %d\", \"about\": \"n%d\"}".formatted(i, i);
        clients.add(
            Thread.ofVirtual()
                .name("client-" + i)
                .start(() -> replies.add(server.post("/remember", body))));
      }
      for (Thread client : clients) {
        client.join();
      }
      long answered = replies.stream().filter(reply -> reply.status() == 200).count();
      assertThat(replies)
          .hasSize(CLIENTS)
          .allSatisfy(reply -> assertThat(reply.status()).isIn(200, 503));
      assertThat(replies.stream().filter(reply -> reply.status() == 503))
          .allSatisfy(reply -> assertThat(reply.header("Retry-After")).isNotEmpty());
      assertThat(server.get("/notes").body().path("items")).hasSize((int) answered);
    }
  }
}
