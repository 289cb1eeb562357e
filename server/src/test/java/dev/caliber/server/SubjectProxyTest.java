package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.server.TestServer.Reply;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The requests to the model for each of two users of the proxy. */
@Timeout(120)
class SubjectProxyTest {
  @TempDir private Path directory;
  private StubModel model;
  private TestServer server;

  @BeforeEach
  void start() {
    model = new StubModel();
    ServerSetup serverSetup =
        TestServer.setup(
            directory,
            TestServer.starter()
                .with(
                    "server.proxy.endpoint = '%s'".formatted(model.endpoint()),
                    "server.proxy.key-variable = 'MODEL_KEY'"));
    server =
        TestServer.start(
            new ServerSetup(
                serverSetup.store(),
                serverSetup.search(),
                serverSetup.models(),
                serverSetup.memory(),
                serverSetup.runtime(),
                serverSetup.agents(),
                serverSetup.server(),
                Map.of("MODEL_KEY", StubModel.KEY),
                serverSetup.clock(),
                serverSetup.chance()));
  }

  @AfterEach
  void stop() {
    server.close();
    model.close();
  }

  private Reply chat(String user, String session, String words) {
    String body =
        "{\"model\": \"m\", \"user\": \"%s\", \"messages\": [{\"role\": \"user\", \"content\": \"%s\"}]}"
            .formatted(user, words);
    HttpRequest.Builder request =
        TestServer.json(HttpRequest.newBuilder(server.uri("/v1/chat/completions")), body);
    model.saying("Noted.");
    return server.send(session.isEmpty() ? request : request.header("Caliber-Session", session));
  }

  /** Returns the last request to the model. */
  private String sent() {
    return model.seen().getLast().toString();
  }

  @Test
  @DisplayName("the model of one user is sent nothing that another user has said")
  void usersStayApart() {
    assertThat(chat("alice", "", "My secret is alicecanary").status()).isEqualTo(200);
    assertThat(chat("bob", "", "My secret is bobcanary").status()).isEqualTo(200);
    assertThat(chat("bob", "", "What is the secret?").status()).isEqualTo(200);
    assertThat(sent()).contains("bobcanary").doesNotContain("alicecanary");
    assertThat(chat("alice", "", "What is the secret?").status()).isEqualTo(200);
    assertThat(sent()).contains("alicecanary").doesNotContain("bobcanary");
  }

  @Test
  @DisplayName("a user is refused in the session of another user")
  void anotherUsersSession() {
    assertThat(chat("alice", "chat-1", "My secret is alicecanary").status()).isEqualTo(200);
    int before = model.seen().size();
    Reply refused = chat("bob", "chat-1", "What is the secret?");
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.body().toString()).doesNotContain("alicecanary");
    assertThat(model.seen()).hasSize(before);
  }

  @Test
  @DisplayName("users of a group chat in one session, and each window holds the user's own words")
  void usersOfAGroup() {
    server.post("/trajectories", "{\"goal\": \"Trip\", \"session\": \"grp\", \"group\": true}");
    assertThat(chat("alice", "grp", "My secret is alicecanary").status()).isEqualTo(200);
    assertThat(chat("bob", "grp", "My secret is bobcanary").status()).isEqualTo(200);
    assertThat(chat("bob", "grp", "What is the secret?").status()).isEqualTo(200);
    assertThat(sent()).contains("bobcanary").doesNotContain("alicecanary");
  }
}
