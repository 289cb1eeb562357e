package dev.caliber.server;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every page of Studio in a real Chromium. */
@Tag("browser")
@Timeout(240)
class StudioTest {
  @TempDir static Path directory;
  private static TestServer server;
  private static StudioBrowser browser;
  private static StudioSample sample;

  @BeforeAll
  static void start() {
    server = TestServer.start(directory);
    sample = StudioSample.in(server);
    browser = new StudioBrowser();
  }

  @AfterAll
  static void stop() {
    browser.close();
    server.close();
  }

  private static StudioBrowser.Visit visit() {
    return browser.visit(server.server().address());
  }

  @Test
  @DisplayName("the overview says what is there, and shows a turn as soon as it is said")
  void theOverviewIsLive() {
    try (var visit = visit()) {
      Page page = visit.open("/");
      assertThat(page.locator("[data-tile='turns'] b")).not().hasText("0");
      assertThat(page.locator(".connection")).hasText("connected");
      StudioSample.post(
          server,
          "/sessions/live/turns",
          Map.of("turns", List.of(Map.of("role", "USER", "text", "Hello from elsewhere"))));
      assertThat(page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("live")).first())
          .isVisible();
    }
  }

  @Test
  @DisplayName("a list of many tasks has few rows on the page, is filtered and walked by keys")
  void theListIsWindowed() {
    StudioSample.post(
        server,
        "/commit",
        Map.of(
            "operations",
            IntStream.range(0, 100)
                .mapToObj(
                    i ->
                        Map.of(
                            "operation",
                            "start_trajectory",
                            "input",
                            Map.of("goal", "Errand " + i)))
                .toList()));
    try (var visit = visit()) {
      Page page = visit.open("/trajectories");
      assertThat(page.locator("text=Errand 99").first()).isVisible();
      assertThat(page.locator(".long-row").count()).isLessThan(60);
      page.keyboard().press("/");
      page.keyboard().type("harbour");
      assertThat(page.locator("a.task")).hasCount(2);
      page.keyboard().press("Escape");
      page.keyboard().press("j");
      page.keyboard().press("j");
      page.keyboard().press("Enter");
      assertThat(page.locator("h1")).hasText("Goal of the harbour");
    }
  }

  @Test
  @DisplayName("a trajectory is one line of time; a sentence of a summary leads to its turn")
  void aTrajectoryIsATimeline() {
    try (var visit = visit()) {
      Page page = visit.open("/trajectories/" + sample.trajectory());
      assertThat(page.locator("h1")).hasText("Goal of the harbour");
      assertThat(page.locator(".crumbs")).containsText("Child of the harbour");
      for (String kind : List.of("turn", "artifact", "checkpoint", "scope")) {
        assertThat(page.locator(".beat." + kind).first()).isVisible();
      }
      page.locator(".beat.scope").first().click();
      page.locator(".sentences button").first().click();
      assertThat(page.locator(".chosen .beat")).hasClass(Pattern.compile(".*\\bturn\\b.*"));
      press(page, "Tools");
      assertThat(page.locator(".beat")).hasCount(2);
      page.locator(".beat").first().click();
      assertThat(page.locator(".detail")).containsText("calls tool the harbour");
    }
  }

  @Test
  @DisplayName(
      "OBS-06: a window stands beside its ledger; another budget shows what enters and leaves")
  void aWindowIsExplained() {
    try (var visit = visit()) {
      Page page = visit.open("/windows");
      assertThat(page.locator("a.card").first()).isVisible();
      visit.open("/windows/" + sample.window());
      assertThat(page.locator(".window-text")).containsText("harbour");
      assertThat(page.locator("main .bar span[title*='tokens']").first()).isVisible();
      assertThat(page.locator(".ledger").first()).isVisible();
      page.locator(".ledger").first().click();
      assertThat(page.locator(".window-text .found")).isVisible();
      Locator budget = page.locator("#budget");
      budget.fill("150");
      assertThat(page.locator(".changes .minus").first()).isVisible();
      page.getByLabel("compare with").selectOption(sample.smaller());
      assertThat(page.getByText("What the other window has differently")).isVisible();
      assertThat(page.locator(".facts").first()).containsText("4000 → 400");
    }
  }

  @Test
  @DisplayName("a window can be composed without keeping it")
  void aWindowIsTried() {
    try (var visit = visit()) {
      Page page = visit.open("/windows?trajectory=" + sample.trajectory());
      page.getByLabel("Question").fill("What is large?");
      page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Compose")).click();
      assertThat(page.locator("h1")).hasText("What is large?");
      assertThat(page.getByText("not kept")).isVisible();
    }
  }

  @Test
  @DisplayName("memory answers a question and says how each score came about")
  void memoryIsSearched() {
    try (var visit = visit()) {
      Page page = visit.open("/memory");
      assertThat(page.locator("a.note").first()).isVisible();
      page.keyboard().press("/");
      page.keyboard().type("large harbour");
      assertThat(page.locator("article").first()).containsText("harbour");
      page.locator("article details summary").first().click();
      assertThat(page.locator("article .channels li").first()).isVisible();
      assertThat(page).hasURL(Pattern.compile(".*q=large.harbour.*"));
    }
  }

  @Test
  @DisplayName("the notes about an entity have a time axis and a graph, and can be forgotten")
  void anEntityIsShownAndForgotten() {
    StudioSample other = StudioSample.in(server, "the lighthouse");
    try (var visit = visit()) {
      Page page = visit.open("/memory/entity/" + other.entity().replace(" ", "%20"));
      assertThat(page.locator("svg rect.believed")).hasCount(2);
      assertThat(page.locator("svg rect.retired")).hasCount(1);
      assertThat(page.locator("svg path.link")).hasCount(1);
      visit.open("/memory/note/" + other.note());
      assertThat(page.locator("h1")).containsText("closed on Saturday");
      page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Forget…")).click();
      assertThat(page.locator("dialog")).containsText("1 note");
      page.locator("dialog button.danger").click();
      assertThat(page.locator("h1")).hasText(other.entity());
      assertThat(page.locator("svg rect.believed")).hasCount(1);
    }
    assertThat(server.get("/notes/" + other.note()).status()).isEqualTo(404);
  }

  @Test
  @DisplayName("an operator sees who holds what, takes a lease away and requeues a letter")
  void anOperatorStepsIn() {
    try (var visit = visit()) {
      Page page = visit.open("/coordination");
      assertThat(page.locator("svg path.against").first()).isAttached();
      Locator lease = page.locator("[data-lease='" + sample.lease() + "']");
      assertThat(lease).containsText("anna");
      lease.getByRole(AriaRole.BUTTON).click();
      press(page, "Cancel");
      assertThat(lease).isVisible();
      lease.getByRole(AriaRole.BUTTON).click();
      press(page, "Revoke the lease");
      assertThat(lease).hasCount(0);
      Locator letter = page.locator("[data-message='" + sample.letter() + "']");
      assertThat(letter).containsText("dead");
      letter.getByRole(AriaRole.BUTTON).click();
      press(page, "Requeue the message");
      assertThat(letter).containsText("pending");
    }
    assertThat(server.get("/audit?limit=10").body().toString())
        .contains("revoke_lease", "requeue_message");
  }

  @Test
  @DisplayName(
      "reports of work, what was handed over and what is disputed unfold, and stay unfolded")
  void workUnfolds() {
    try (var visit = visit()) {
      Page page = visit.open("/coordination");
      Locator handoff =
          page.locator("li.folded", new Page.LocatorOptions().setHasText("hands over")).first();
      assertThat(handoff.getByText("Because of the harbour")).isHidden();
      handoff.locator("summary").click(new Locator.ClickOptions().setPosition(2, 2));
      assertThat(handoff.getByText("Because of the harbour")).isVisible();
      assertThat(handoff.getByText("Blocked by the harbour")).isVisible();
      StudioSample.post(
          server,
          "/messages",
          Map.of(
              "from",
              "anna",
              "to",
              Map.of("agent", "ben"),
              "type",
              "hint",
              "payload",
              Map.of("text", "news")));
      assertThat(page.getByText("news").first()).isVisible();
      assertThat(handoff.getByText("Because of the harbour")).isVisible();
      Locator dispute =
          page.locator("li.folded", new Page.LocatorOptions().setHasText("Dispute about")).first();
      dispute.locator("summary").click(new Locator.ClickOptions().setPosition(2, 2));
      assertThat(dispute.getByText("merged, by anna")).isVisible();
    }
  }

  @Test
  @DisplayName("charts are drawn: tokens, windows, growth and latency")
  void chartsAreDrawn() {
    try (var visit = visit()) {
      Page page = visit.open("/metrics");
      assertThat(page.locator("figure svg")).hasCount(5);
      assertThat(page.locator("figure").first().locator("rect").first()).isVisible();
      assertThat(page.locator("figure a circle").first()).isVisible();
      press(page, "1 hour");
      assertThat(page.locator("figure svg")).hasCount(5);
    }
  }

  private static void press(Page page, String name) {
    page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true))
        .click();
  }

  @Test
  @DisplayName("light and dark are switched, and the choice is kept")
  void theLightIsKept() {
    try (var visit = visit()) {
      Page page = visit.open("/");
      page.getByLabel("Switch between light and dark").click();
      assertThat(page.locator("html")).hasAttribute("data-theme", "dark");
      page.reload();
      assertThat(page.locator("html")).hasAttribute("data-theme", "dark");
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = ColorScheme.class,
      names = {"LIGHT", "DARK"})
  @DisplayName("no page breaks a rule of accessibility, in light and in dark")
  void everyPageIsAccessible(ColorScheme scheme) {
    try (var visit = browser.visit(server.server().address(), StudioBrowser.LAPTOP, scheme)) {
      for (Map.Entry<String, String> place : StudioPlaces.of(sample).entrySet()) {
        Page page = visit.open(place.getKey());
        assertThat(page.locator(place.getValue()).first()).isVisible();
        assertThat(page.locator(".loading")).hasCount(0);
        assertThat(visit.violations()).as(place.getKey()).isEmpty();
      }
    }
  }

  @Test
  @DisplayName("on a phone no page is wider than the screen")
  void everyPageFitsAPhone() {
    try (var visit =
        browser.visit(server.server().address(), StudioBrowser.PHONE, ColorScheme.LIGHT)) {
      for (Map.Entry<String, String> place : StudioPlaces.of(sample).entrySet()) {
        Page page = visit.open(place.getKey());
        assertThat(page.locator(place.getValue()).first()).isVisible();
        Object width = page.evaluate("document.documentElement.scrollWidth");
        assertThat(((Number) width).intValue())
            .as(place.getKey())
            .isLessThanOrEqualTo(StudioBrowser.PHONE);
      }
    }
  }
}
