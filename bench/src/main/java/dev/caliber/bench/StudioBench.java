package dev.caliber.bench;

import dev.caliber.bench.ChromiumPage.Look;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/**
 * Studio as a person has it: how soon a page is of use, how smooth a long list is, how it looks.
 */
final class StudioBench {
  private static final Look LAPTOP = new Look("laptop", 1280, 800, false);
  private static final List<Look> LOOKS =
      List.of(
          LAPTOP,
          new Look("laptop-dark", 1280, 800, true),
          new Look("phone", 390, 844, false),
          new Look("phone-dark", 390, 844, true));
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

  private final Chromium browser;
  private final StudioRig rig;
  private final Progress progress;

  StudioBench(Chromium browser, StudioRig rig, Progress progress) {
    this.browser = browser;
    this.rig = rig;
    this.progress = progress;
  }

  private String at(String route) {
    return rig.address() + "/#" + route;
  }

  /** One picture of each page in each look. */
  void takePictures(Path directory) {
    Map<String, Place> places = places();
    for (Look look : LOOKS) {
      progress.say("Taking pictures: " + look.name());
      try (ChromiumPage page = ChromiumPage.open(browser, look)) {
        places.forEach(
            (name, place) -> {
              page.load(at("/"), ".tile");
              page.load(at(place.route()), place.selector());
              if (!place.first().isEmpty()) {
                page.evaluate(place.first());
              }
              page.picture(directory.resolve("%s-%s.png".formatted(name, look.name())));
            });
      }
    }
  }

  /** A page, what is there once it is complete, and what is done to it first. */
  private record Place(String route, String selector, String first) {}

  private Map<String, Place> places() {
    JsonNode window = newest("/windows?limit=40", "query", "slow");
    String task = window.path("trajectory").asString();
    Map<String, Place> places = new LinkedHashMap<>();
    places.put("overview", new Place("/", ".chart", ""));
    places.put("trajectories", new Place("/trajectories", "a.task", ""));
    places.put("trajectory", new Place("/trajectories/" + task, ".beat", ""));
    places.put("windows", new Place("/windows", "a.card", ""));
    places.put(
        "window",
        new Place(
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
    places.put("memory", new Place("/memory", "a.note", ""));
    places.put(
        "search",
        new Place(
            "/memory?q=why%20is%20checkout%20slow",
            "article", "document.querySelector('article details').open = true"));
    places.put("entity", new Place("/memory/entity/payments-db", "rect.believed", ""));
    places.put("coordination", new Place("/coordination", ".box", ""));
    places.put("charts", new Place("/charts", "figure:last-child svg", ""));
    return places;
  }

  private JsonNode newest(String path, String input, String word) {
    for (JsonNode item : rig.get(path).path("items")) {
      if (item.path("inputs").path(input).asString("").contains(word)) {
        return item;
      }
    }
    throw BenchException.preparing(path, new java.io.IOException("nothing of '" + word + "'"));
  }

  void measureFirstPage(Report report) {
    progress.say("Opening the first page");
    Report.Section section = report.section("studio", "a week of demo data");
    double[] loads = IntStream.range(0, LOADS).mapToDouble(_ -> fresh("/", ".chart")).toArray();
    section.add(
        "first page of use, first time", loads[0], Figure.Unit.MILLIS, Figure.Bar.below(USEFUL));
    java.util.Arrays.sort(loads);
    section.add(
        "first page of use, median of " + LOADS,
        loads[LOADS / 2],
        Figure.Unit.MILLIS,
        Figure.Bar.below(USEFUL));
  }

  private double fresh(String route, String selector) {
    try (ChromiumPage page = ChromiumPage.open(browser, LAPTOP)) {
      return page.load(at(route), selector);
    }
  }

  void measureLongLists(Report report, int tasks, int turns) {
    progress.say("Making %,d tasks and a task of %,d turns".formatted(tasks, turns));
    StudioData data = new StudioData(rig);
    data.makeTasks(tasks);
    String longest = data.makeLongTask(turns);
    rig.awaitVectors();
    progress.say("Scrolling");
    scroll(
        report.section("studio", "%,d trajectories".formatted(tasks)), "/trajectories", "a.task");
    scroll(
        report.section("studio", "a trajectory of %,d turns".formatted(turns)),
        "/trajectories/" + longest,
        ".beat");
  }

  private void scroll(Report.Section section, String route, String selector) {
    try (ChromiumPage page = ChromiumPage.open(browser, LAPTOP)) {
      section.add("until rows show", page.load(at(route), selector), Figure.Unit.MILLIS);
      JsonNode frames = page.evaluate(SCROLLING);
      section.add("rows on the page", frames.path("rows").asDouble(), Figure.Unit.COUNT);
      section.add(
          "frame while scrolling, p50", frames.path("median").asDouble(), Figure.Unit.MILLIS);
      section.add(
          "frame while scrolling, p95",
          frames.path("late").asDouble(),
          Figure.Unit.MILLIS,
          Figure.Bar.below(SMOOTH));
    }
  }
}
