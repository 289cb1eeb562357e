package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.server.TestServer.Reply;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A key with a subject can use its own records in ways that the walk of requests does not cover.
 */
@Timeout(120)
class SubjectOwnRecordsTest {
  @TempDir private Path directory;
  private SubjectServer app;
  private SubjectWorld bob;
  private String trajectory;
  private String scope;

  @BeforeEach
  void start() {
    app = SubjectServer.of(TestServer.start(directory));
    SubjectWorld.of(app.server(), "alice");
    bob = SubjectWorld.of(app.server(), "bob");
    trajectory = first("/trajectories?session=" + bob.session());
    scope = first("/trajectories/%s/scopes".formatted(trajectory));
  }

  @AfterEach
  void stop() {
    app.close();
  }

  private String first(String path) {
    return app.getAs("bob", path).body().at("/items/0/id").asString();
  }

  private Reply done(String path, String json) {
    Reply reply =
        app.as("bob", path.replace("TRAJECTORY", trajectory).replace("SCOPE", scope), json);
    assertThat(reply.status()).as(path + " " + reply.body()).isEqualTo(200);
    return reply;
  }

  @Test
  @DisplayName("a key with a subject writes into its own session, and moves and ends it")
  void ownTrajectory() {
    String turns = "{'turns': [{'role': 'USER', 'text': 'I like figs'}]}";
    assertThat(done("/scopes/SCOPE/turns", turns).body().at("/items/0/labels/subject").asString())
        .isEqualTo("bob");
    done("/sessions/%s/turns".formatted(bob.session()), turns);
    String artifact =
        done("/scopes/SCOPE/artifacts", "{'artifacts': [{'type': 'FACT', 'text': 'Figs'}]}")
            .body()
            .at("/items/0/id")
            .asString();
    Reply better =
        done(
            "/artifacts/%s/supersede".formatted(artifact),
            "{'scope': '%s', 'artifact': {'type': 'FACT', 'text': 'Dates'}}".formatted(scope));
    assertThat(better.text("labels", "subject")).isEqualTo("bob");
    done("/trajectories/TRAJECTORY/checkpoints", "{}");
    done("/trajectories/TRAJECTORY/scopes", "{}");
    String step = "{'operation': '%s', 'input': %s}";
    String turn = turns.replace("{'turns'", "{'scope': '%s', 'turns'".formatted(scope));
    String open = "{'trajectory': '%s'}".formatted(trajectory);
    done(
        "/commit",
        "{'operations': [%s, %s]}"
            .formatted(step.formatted("append_turns", turn), step.formatted("open_scope", open)));
    done("/trajectories/TRAJECTORY/suspend", "{}");
    done("/trajectories/TRAJECTORY/resume", "{}");
    done("/trajectories/TRAJECTORY/fail", "{}");
  }

  @Test
  @DisplayName("a key with a subject replaces its own note and reads the versions of it")
  void ownNote() {
    String note =
        done(
                "/notes",
                "{'entity': 'car', 'entity_type': 'thing', 'type': 'FACT', 'content': 'It is red'}")
            .text("id");
    Reply next =
        done(
            "/notes/%s/supersede".formatted(note),
            "{'note': {'entity': 'car', 'entity_type': 'thing', 'type': 'FACT', 'content': 'It is blue'}}");
    assertThat(next.text("labels", "subject")).isEqualTo("bob");
    done("/notes/%s/end".formatted(next.text("id")), "{'end': '2100-01-01T00:00:00Z'}");
    Reply history = app.getAs("bob", "/notes/%s/history".formatted(next.text("id")));
    assertThat(history.body().at("/items/0/note/content").asString()).isEqualTo("It is blue");
  }

  @Test
  @DisplayName("a key with a subject compares and annotates its own windows")
  void ownWindows() {
    String one = window();
    String other = window();
    Reply diff = app.getAs("bob", "/windows/%s/diff/%s".formatted(one, other));
    assertThat(diff.status()).as(diff.body().toString()).isEqualTo(200);
    done("/windows/%s/annotate".formatted(one), "{'answer': 'The secret is out. [1]'}");
  }

  private String window() {
    return done(
            "/context/assemble",
            "{'session': '%s', 'query': 'secret', 'keep': 'PERMANENT'}".formatted(bob.session()))
        .text("window", "id");
  }
}
