package dev.caliber.server;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Studio with more of everything than a page of the API holds. */
@Tag("browser")
@Timeout(240)
class StudioMuchTest {
  private static final int MANY = 120;
  private static final String TOLD_AT_THE_START =
      """
      caliber: "0.1.0" {
        memory note { type: semantic schema: { note_id: uuid } retention: persistent }
        policy begin { on task_start: [notify("ops")] }
      }
      """;

  @TempDir static Path directory;
  private static TestServer server;
  private static StudioBrowser browser;

  @BeforeAll
  static void start() {
    server = TestServer.start(directory);
    browser = new StudioBrowser();
  }

  @AfterAll
  static void stop() {
    browser.close();
    server.close();
  }

  private static List<Map<String, Object>> many(IntFunction<Map<String, Object>> one) {
    return IntStream.range(0, MANY).mapToObj(one).toList();
  }

  /** Creates a task with many turns and artifacts, and a policy and a note at its beginning. */
  private static String longTask() {
    StudioSample.post(server, "/dsl/deploy", Map.of("name", "p", "source", TOLD_AT_THE_START));
    String id =
        StudioSample.post(server, "/trajectories", Map.of("goal", "A long way"))
            .path("id")
            .asString();
    StudioSample.post(server, "/notes", note("road", "The road is closed.", List.of(id)));
    String scope =
        server.get("/trajectories/" + id + "/scopes").body().at("/items/0/id").asString();
    StudioSample.post(
        server,
        "/scopes/" + scope + "/turns",
        Map.of("turns", many(i -> Map.of("role", "USER", "text", "Step " + i))));
    StudioSample.post(
        server,
        "/scopes/" + scope + "/artifacts",
        Map.of("artifacts", many(i -> Map.of("type", "FACT", "text", "Stone " + i))));
    return id;
  }

  private static Map<String, Object> note(String entity, String content, List<String> sources) {
    return Map.of(
        "entity",
        entity,
        "entity_type",
        "place",
        "type",
        "FACT",
        "content",
        content,
        "sources",
        sources);
  }

  private static void press(Page page, String name) {
    page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true))
        .click();
  }

  @Test
  @DisplayName("a long task shows all that was made, learned and done by policies, from its start")
  void aLongTaskIsWhole() {
    String id = longTask();
    try (var visit = browser.visit(server.server().address())) {
      Page page = visit.open("/trajectories/" + id);
      press(page, "Turns");
      assertThat(page.getByText(MANY + " entries")).isVisible();
      press(page, "Artifacts");
      assertThat(page.getByText(MANY + " entries")).isVisible();
      press(page, "Notes");
      assertThat(page.locator(".beat.note")).hasCount(1);
      page.locator(".beat.note").click();
      assertThat(page.locator(".detail")).containsText("The road is closed.");
      press(page, "Scopes, checkpoints");
      assertThat(page.locator(".beat.policy")).hasCount(1);
    }
  }

  @Test
  @DisplayName("a list that is not whole says so, and how to see the rest")
  void whatIsCutSaysSo() {
    for (int i = 0; i < 60; i++) {
      String agent = "agent-%03d".formatted(i);
      StudioSample.post(server, "/agents", Map.of("agent", agent, "type", "walker"));
      StudioSample.post(
          server,
          "/leases",
          Map.of("agent", agent, "resource", Map.of("type", "path", "id", agent), "length", "1h"));
    }
    try (var visit = browser.visit(server.server().address())) {
      Page page = visit.open("/coordination");
      assertThat(page.locator(".heading")).containsText("50 agents or more, 60 leases");
      assertThat(page.locator("[data-lease]")).hasCount(50);
      assertThat(page.getByText("./caliber agents list")).isVisible();
      assertThat(page.getByText("./caliber leases list")).isVisible();
      assertThat(page.getByText("./caliber messages list")).hasCount(0);
    }
  }

  @Test
  @DisplayName("a note is not merged with similar ones about another entity")
  void nearDuplicatesAreShown() {
    String one =
        StudioSample.post(
                server, "/notes", note("tower", "The lamp of the tower burns at night.", List.of()))
            .path("id")
            .asString();
    StudioSample.post(
        server, "/notes", note("beacon", "The lamp of the tower burns every night.", List.of()));
    boolean embedded = false;
    while (!embedded) {
      JsonNode index = server.get("/overview").body().path("index");
      long documents = index.path("documents").asLong();
      embedded = documents > 1 && index.path("vectors").asLong() == documents;
    }
    try (var visit = browser.visit(server.server().address())) {
      Page page = visit.open("/memory/note/" + one);
      Locator near =
          page.locator("section", new Page.LocatorOptions().setHasText("Near duplicates")).last();
      assertThat(near).containsText("burns every night");
    }
  }
}
