package dev.caliber.bench;

import dev.caliber.bench.ChromiumPage.PageAppearance;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/**
 * Measures Studio in a browser: the load time of pages, the smoothness of a long list, and pictures
 * of each page.
 */
final class StudioBench {
  private static final PageAppearance LAPTOP = new PageAppearance("laptop", 1280, 800, false);
  private static final List<PageAppearance> LOOKS =
      List.of(
          LAPTOP,
          new PageAppearance("laptop-dark", 1280, 800, true),
          new PageAppearance("phone", 390, 844, false),
          new PageAppearance("phone-dark", 390, 844, true));
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

  private final ChromiumBrowser browser;
  private final BenchStudioServer rig;
  private final ProgressPrinter progressPrinter;

  StudioBench(ChromiumBrowser browser, BenchStudioServer rig, ProgressPrinter progressPrinter) {
    this.browser = browser;
    this.rig = rig;
    this.progressPrinter = progressPrinter;
  }

  private String addressOf(String route) {
    return rig.address() + "/#" + route;
  }

  /** Takes one picture of each page in each size and colour scheme. */
  void takePictures(Path directory) {
    Map<String, StudioPage> places = pages();
    for (PageAppearance pageAppearance : LOOKS) {
      progressPrinter.printLine("Taking pictures: " + pageAppearance.name());
      try (ChromiumPage page = ChromiumPage.open(browser, pageAppearance)) {
        places.forEach(
            (name, studioPage) -> {
              page.measureLoad(addressOf("/"), ".tile");
              page.measureLoad(addressOf(studioPage.route()), studioPage.selector());
              if (!studioPage.first().isEmpty()) {
                page.evaluate(studioPage.first());
              }
              page.saveScreenshot(
                  directory.resolve("%s-%s.png".formatted(name, pageAppearance.name())));
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

  void measureFirstPage(BenchReport benchReport) {
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
    try (ChromiumPage page = ChromiumPage.open(browser, LAPTOP)) {
      return page.measureLoad(addressOf(route), selector);
    }
  }

  void measureLongLists(BenchReport benchReport, int tasks, int turns) {
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
    try (ChromiumPage page = ChromiumPage.open(browser, LAPTOP)) {
      reportSection.add(
          "until rows show",
          page.measureLoad(addressOf(route), selector),
          Figure.FigureUnit.MILLIS);
      JsonNode frames = page.evaluate(SCROLLING);
      reportSection.add(
          "rows on the page", frames.path("rows").asDouble(), Figure.FigureUnit.COUNT);
      reportSection.add(
          "frame while scrolling, p50", frames.path("median").asDouble(), Figure.FigureUnit.MILLIS);
      reportSection.add(
          "frame while scrolling, p95",
          frames.path("late").asDouble(),
          Figure.FigureUnit.MILLIS,
          Figure.FigureTarget.below(SMOOTH));
    }
  }
}
