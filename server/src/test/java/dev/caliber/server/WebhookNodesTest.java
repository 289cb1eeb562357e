package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.server.TestServer.Reply;
import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.TestEngines;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two servers on one PostgreSQL follow the same feed. */
@Timeout(180)
@Tag("postgres")
class WebhookNodesTest {
  private static final int COMMITS = 12;
  private static final int KEY_BYTES = 32;

  private static ServerSetup on(ServerSetup plain, StoreConfig.PostgresSettings engine) {
    return new ServerSetup(
        plain.store().withEngine(engine),
        plain.search(),
        plain.models(),
        plain.memory(),
        plain.runtime(),
        plain.agents(),
        plain.server(),
        Map.of("CALIBER_WEBHOOK_KEY", Base64.getEncoder().encodeToString(new byte[KEY_BYTES])),
        plain.clock(),
        plain.chance());
  }

  @Test
  @DisplayName("however many servers follow the feed, each commit becomes one message")
  void tellsOnce(@TempDir Path one, @TempDir Path two) throws InterruptedException {
    StoreConfig.PostgresSettings engine = TestEngines.postgres();
    try (StubReceiver receiver = new StubReceiver();
        TestServer first = TestServer.start(on(WebhookTest.setup(one, 3), engine));
        TestServer second = TestServer.start(on(WebhookTest.setup(two, 3), engine))) {
      Reply made =
          first.post(
              "/webhooks", "{\"url\": \"%s\", \"tables\": [\"turn\"]}".formatted(receiver.url()));
      assertThat(made.status()).as(made.body().toString()).isEqualTo(200);
      for (int i = 0; i < COMMITS; i++) {
        TestServer node = i % 2 == 0 ? first : second;
        node.post("/remember", "{\"text\": \"Turn %d\", \"session\": \"s1\"}".formatted(i));
      }
      List<String> names = new ArrayList<>();
      for (int i = 0; i < COMMITS; i++) {
        names.add(receiver.next().id());
      }
      assertThat(names).doesNotHaveDuplicates();
      first.post("/remember", "{\"text\": \"The last\", \"session\": \"s1\"}");
      assertThat(names).doesNotContain(receiver.next().id());
      assertThat(receiver.waiting()).isZero();
    }
  }
}
