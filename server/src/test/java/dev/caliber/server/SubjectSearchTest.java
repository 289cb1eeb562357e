package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.server.TestServer.Reply;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The search index after calls with a subject, and the subjects that a recall names. */
@Timeout(300)
class SubjectSearchTest {
  private static final int ROUNDS = 40;

  @TempDir private Path directory;
  private SubjectServer app;

  @BeforeEach
  void start() {
    app = SubjectServer.of(TestServer.start(directory));
  }

  @AfterEach
  void stop() {
    app.close();
  }

  @Test
  @DisplayName("a recall limited to one subject leaves the records of others in the search index")
  void recallLeavesOthersInTheIndex() {
    List<String> lost = new ArrayList<>();
    for (int i = 0; i < ROUNDS; i++) {
      app.post(
          "/remember",
          "{'text': 'The locker number %d holds item %d', 'subject': 'alice', 'about': 'locker-%d'}"
              .formatted(i, i * 37, i));
      app.recalledBy("bob", "locker");
    }
    for (int i = 0; i < ROUNDS; i++) {
      Reply found =
          app.post(
              "/recall",
              "{'query': 'locker number %d holds item %d', 'subject': 'alice', 'about': 'locker-%d'}"
                  .formatted(i, i * 37, i));
      if (SubjectServer.texts(found).isEmpty()) {
        lost.add("locker-" + i);
      }
    }
    assertThat(lost).isEmpty();
  }

  @Test
  @DisplayName("a recall of a session that names subjects finds those of its own subject as well")
  void namedSubjectsBesideTheSession() {
    app.post(
        "/remember", "{'text': 'I collect stamps from Peru', 'session': 'bobs', 'subject': 'bob'}");
    Reply found =
        app.post("/recall", "{'query': 'stamps', 'session': 'bobs', 'subjects': ['alice']}");
    assertThat(SubjectServer.texts(found)).contains("I collect stamps from Peru");
  }

  @Test
  @DisplayName("every subject at once is read by operators only")
  void everySubjectNeedsAnOperator() {
    String secret = app.post("/keys", "{'name': 'reader', 'right': 'READ'}").text("secret");
    String every = "{'query': 'x', 'subjects': ['*']}".replace('\'', '"');
    Reply refused =
        app.server()
            .send(
                TestServer.json(app.server().request("/recall"), every)
                    .header("Authorization", "Bearer " + secret));
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.text("detail")).contains("subjects *").contains("admin");
    assertThat(app.server().post("/recall", every).status()).isEqualTo(200);
  }
}
