package dev.caliber.bench.server;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import dev.caliber.bench.harness.BenchException;
import dev.caliber.bench.harness.BenchReport;
import dev.caliber.bench.harness.Figure;
import dev.caliber.bench.harness.ProgressPrinter;
import dev.caliber.kernel.Json;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Measures Studio in a browser: the load time of pages, the smoothness of a long list, and pictures
 * of each page.
 */
public final class StudioBench {
  private static final PageAppearance LAPTOP =
      new PageAppearance("laptop", 1280, 800, ColorScheme.LIGHT);
  private static final List<PageAppearance> LOOKS =
      List.of(
          LAPTOP,
          new PageAppearance("laptop-dark", 1280, 800, ColorScheme.DARK),
          new PageAppearance("phone", 390, 844, ColorScheme.LIGHT),
          new PageAppearance("phone-dark", 390, 844, ColorScheme.DARK));
  private static final double USEFUL = 1000;
  private static final double SMOOTH = 34;
  private static final int LOADS = 5;
  private static final String SCROLLING =
      """
      new Promise((resolve) => {
        const list = document.querySelector('.long-list');
        const times = [];
        let last = performance.now();
        const step = (now) => {
          times.push(now - last);
          last = now;
          list.scrollTop += 180;
          if (times.length < 240) requestAnimationFrame(step);
          else {
            times.sort((one, other) => one - other);
            resolve({median: times[120], late: times[228], rows: document.querySelectorAll('.long-row').length});
          }
        };
        requestAnimationFrame(step);
      })""";

  private final Browser browser;
  private final BenchStudioServer rig;
  private final ProgressPrinter progressPrinter;

  public StudioBench(Browser browser, BenchStudioServer rig, ProgressPrinter progressPrinter) {
    this.browser = browser;
    this.rig = rig;
    this.progressPrinter = progressPrinter;
  }

  /** The size and colour scheme of a page. */
  private record PageAppearance(String name, int width, int height, ColorScheme scheme) {}

  private BrowserContext open(PageAppearance appearance) {
    return browser.newContext(
        new Browser.NewContextOptions()
            .setViewportSize(appearance.width, appearance.height)
            .setColorScheme(appearance.scheme));
  }

  /**
   * Opens a page; returns the milliseconds until this selector was on it, no request was open, and
   * it was painted.
   */
  private double measureLoad(Page page, String route, String selector) {
    page.navigate(rig.address() + "/#" + route);
    return number(
        page.evaluate(
            """
            new Promise((resolve) => {
              const look = () => document.querySelector(%s) && !document.querySelector('.loading')
                ? requestAnimationFrame(() => setTimeout(() => resolve(performance.now())))
                : requestAnimationFrame(look);
              look();
            })"""
                .formatted(Json.text(selector))));
  }

  private static double number(@Nullable Object value) {
    return ((Number) Objects.requireNonNull(value)).doubleValue();
  }

  /** Takes one picture of each page in each size and colour scheme. */
  public void takePictures(Path directory) {
    Map<String, StudioPage> places = pages();
    for (PageAppearance pageAppearance : LOOKS) {
      progressPrinter.printLine("Taking pictures: " + pageAppearance.name());
      try (BrowserContext context = open(pageAppearance)) {
        Page page = context.newPage();
        places.forEach(
            (name, studioPage) -> {
              measureLoad(page, "/", ".tile");
              measureLoad(page, studioPage.route(), studioPage.selector());
              if (!studioPage.first().isEmpty()) {
                page.evaluate(studioPage.first());
              }
              page.screenshot(
                  new Page.ScreenshotOptions()
                      .setPath(
                          directory.resolve("%s-%s.png".formatted(name, pageAppearance.name()))));
            });
      }
    }
  }

  /** A page, a selector that is present once it is complete, and a script to run first. */
  private record StudioPage(String route, String selector, String first) {}

  private Map<String, StudioPage> pages() {
    JsonNode window = newestId("/windows?limit=40", "query", "slow");
    String task = window.path("trajectory").asString();
    Map<String, StudioPage> places = new LinkedHashMap<>();
    places.put("overview", new StudioPage("/", ".chart", ""));
    places.put("trajectories", new StudioPage("/trajectories", "a.task", ""));
    places.put("trajectory", new StudioPage("/trajectories/" + task, ".beat", ""));
    places.put("windows", new StudioPage("/windows", "a.card", ""));
    places.put(
        "window",
        new StudioPage(
            "/windows/" + window.path("id").asString(),
            ".ledger",
            """
            new Promise((resolve) => {
              document.querySelectorAll('.ledger')[1].click();
              const budget = document.getElementById('budget');
              budget.value = 1200;
              budget.dispatchEvent(new Event('input'));
              const look = () => document.querySelector('.changes') ? requestAnimationFrame(() => resolve(1)) : requestAnimationFrame(look);
              look();
            })"""));
    places.put("memory", new StudioPage("/memory", "a.note", ""));
    places.put(
        "search",
        new StudioPage(
            "/memory?q=why%20is%20checkout%20slow",
            "article", "document.querySelector('article details').open = true"));
    places.put("entity", new StudioPage("/memory/entity/payments-db", "rect.believed", ""));
    places.put("coordination", new StudioPage("/coordination", ".box", ""));
    places.put("metrics", new StudioPage("/metrics", "figure:last-child svg", ""));
    return places;
  }

  private JsonNode newestId(String path, String input, String word) {
    for (JsonNode item : rig.get(path).path("items")) {
      if (item.path("inputs").path(input).asString("").contains(word)) {
        return item;
      }
    }
    throw BenchException.preparationFailed(
        path, new java.io.IOException("nothing of '" + word + "'"));
  }

  public void measureFirstPage(BenchReport benchReport) {
    progressPrinter.printLine("Opening the first page");
    BenchReport.ReportSection reportSection = benchReport.section("studio", "a week of demo data");
    double[] loads =
        IntStream.range(0, LOADS).mapToDouble(_ -> measureFreshPage("/", ".chart")).toArray();
    reportSection.add(
        "first page is usable, first load",
        loads[0],
        Figure.FigureUnit.MILLIS,
        Figure.FigureTarget.below(USEFUL));
    java.util.Arrays.sort(loads);
    reportSection.add(
        "first page is usable, median of " + LOADS,
        loads[LOADS / 2],
        Figure.FigureUnit.MILLIS,
        Figure.FigureTarget.below(USEFUL));
  }

  private double measureFreshPage(String route, String selector) {
    try (BrowserContext context = open(LAPTOP)) {
      return measureLoad(context.newPage(), route, selector);
    }
  }

  public void measureLongLists(BenchReport benchReport, int tasks, int turns) {
    progressPrinter.printLine("Making %,d tasks and a task of %,d turns".formatted(tasks, turns));
    StudioDataGenerator data = new StudioDataGenerator(rig);
    data.generateTasks(tasks);
    String longest = data.generateLongTask(turns);
    rig.awaitVectors();
    progressPrinter.printLine("Scrolling");
    measureScroll(
        benchReport.section("studio", "%,d trajectories".formatted(tasks)),
        "/trajectories",
        "a.task");
    measureScroll(
        benchReport.section("studio", "a trajectory of %,d turns".formatted(turns)),
        "/trajectories/" + longest,
        ".beat");
  }

  private void measureScroll(
      BenchReport.ReportSection reportSection, String route, String selector) {
    try (BrowserContext context = open(LAPTOP)) {
      Page page = context.newPage();
      reportSection.add(
          "until rows show", measureLoad(page, route, selector), Figure.FigureUnit.MILLIS);
      Map<?, ?> frames = (Map<?, ?>) Objects.requireNonNull(page.evaluate(SCROLLING));
      reportSection.add("rows on the page", number(frames.get("rows")), Figure.FigureUnit.COUNT);
      reportSection.add(
          "frame while scrolling, p50", number(frames.get("median")), Figure.FigureUnit.MILLIS);
      reportSection.add(
          "frame while scrolling, p95",
          number(frames.get("late")),
          Figure.FigureUnit.MILLIS,
          Figure.FigureTarget.below(SMOOTH));
    }
  }
}
