package dev.caliber.server;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.caliber.server.settings.ServerConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Studio with missing, deleted, locked or hostile data. */
@Tag("browser")
@Timeout(240)
class StudioTroubleTest {
  private static final String HOSTILE =
      "<img src=x onerror=\"window.hacked=1\"><script>window.hacked=1;alert(1)</script>\"'`${1}";

  @TempDir Path directory;
  private static StudioBrowser browser;

  @BeforeAll
  static void start() {
    browser = new StudioBrowser();
  }

  @AfterAll
  static void stop() {
    browser.close();
  }

  @Test
  @DisplayName("every view with nothing in it teaches how to fill it")
  void emptyViewsTeach() {
    try (TestServer server = TestServer.start(directory);
        var visit = browser.visit(server.server().address())) {
      for (String route :
          List.of("/", "/trajectories", "/windows", "/memory", "/coordination", "/metrics")) {
        Page page = visit.open(route);
        assertThat(page.locator(".empty .command")).isVisible();
      }
      Page page = visit.open("/nowhere");
      assertThat(page.getByRole(AriaRole.ALERT)).containsText("There is no such page");
      visit.open("/trajectories/01ARZ3NDEKTSV4RRFFQ69G5FAV");
      assertThat(page.getByRole(AriaRole.ALERT)).isVisible();
    }
  }

  @Test
  @DisplayName("a server that restarts is found again, and what happened meanwhile is shown")
  void aRestartIsSurvived() {
    TestServer first = TestServer.start(directory);
    int port = first.server().address().getPort();
    try (var visit = browser.visit(first.server().address())) {
      StudioSample.in(first);
      Page page = visit.open("/");
      assertThat(page.locator(".connection")).hasText("connected");
      first.close();
      assertThat(page.locator(".connection")).hasText("reconnecting");
      ServerConfig samePort = ServerConfig.starter().withAddress("127.0.0.1", port);
      try (TestServer second = TestServer.start(TestServer.setup(directory, samePort))) {
        StudioSample.post(second, "/trajectories", Map.of("goal", "Begun after the restart"));
        assertThat(page.locator(".connection")).hasText("connected");
        assertThat(page.getByText("Begun after the restart")).isVisible();
      }
    }
  }

  @Test
  @DisplayName("markup in any stored text is shown as text and never runs")
  void hostileTextIsHarmless() {
    try (TestServer server = TestServer.start(directory);
        var visit = browser.visit(server.server().address())) {
      StudioSample sample = StudioSample.in(server, HOSTILE);
      for (Map.Entry<String, String> place : StudioPlaces.of(sample).entrySet()) {
        Page page = visit.open(place.getKey());
        assertThat(page.locator(place.getValue()).first()).isVisible();
        harmless(page);
      }
      Page page = visit.open("/trajectories/" + sample.trajectory());
      for (int i = 0; i < page.locator(".beat").count(); i++) {
        page.locator(".beat").nth(i).click();
        harmless(page);
      }
      visit.open("/coordination");
      for (String said :
          List.of(
              "Work on",
              "Report of",
              "Handed over:",
              "Because of",
              "Then",
              "Blocked by",
              "Why",
              "Dispute about",
              "Decided for")) {
        unfold(page);
        assertThat(page.getByText(said + " " + HOSTILE).first()).isVisible();
      }
      harmless(page);
      visit.open("/memory/note/" + sample.note());
      page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Forget…")).click();
      assertThat(page.locator("dialog")).isVisible();
      harmless(page);
    }
  }

  private static void unfold(Page page) {
    assertThat(page.locator("li.folded").first()).isVisible();
    Locator folded = page.locator("li.folded details:not([open]) > summary");
    while (folded.count() > 0) {
      folded.first().click(new Locator.ClickOptions().setPosition(2, 2));
    }
  }

  private static void harmless(Page page) {
    assertThat(page.getByText("onerror").or(page.locator("h1")).first()).isVisible();
    assertThat(page.evaluate("window.hacked === undefined")).isEqualTo(true);
    assertThat(page.locator("main script, main img[src='x']").count()).isZero();
  }

  @Test
  @DisplayName(
      "where a key is needed Studio asks for it, whatever it is called; the stream uses the login")
  void aKeyIsAskedFor() {
    String key;
    try (TestServer open = TestServer.start(directory)) {
      StudioSample.in(open);
      key =
          StudioSample.post(open, "/keys", Map.of("name", HOSTILE, "right", "ADMIN"))
              .path("secret")
              .asString();
    }
    ServerConfig locked = TestServer.starter().with("server.require-api-key = 'always'");
    try (TestServer server = TestServer.start(TestServer.setup(directory, locked));
        var visit = browser.visit(server.server().address())) {
      Page page = visit.open("/trajectories");
      page.getByLabel("API key").fill("cal_wrong");
      page.keyboard().press("Enter");
      assertThat(page.getByRole(AriaRole.ALERT)).not().isEmpty();
      assertThat(visit.violations()).isEmpty();
      page.getByLabel("API key").fill(key);
      page.keyboard().press("Enter");
      assertThat(page.locator("a.task").first()).isVisible();
      assertThat(page.locator(".connection")).hasText("connected");
      visit.open("/memory?q=large");
      assertThat(page.locator("article").first()).isVisible();
      harmless(page);
      page.getByText(HOSTILE + ": log out").click();
      assertThat(page.getByLabel("API key")).isVisible();
    }
  }
}
