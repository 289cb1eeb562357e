package dev.caliber.bench;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import dev.caliber.bench.harness.BenchException;
import dev.caliber.bench.harness.BenchRun;
import dev.caliber.bench.harness.MeasuringCommand;
import dev.caliber.bench.server.BenchServer;
import dev.caliber.bench.server.BenchStudioServer;
import dev.caliber.bench.server.StudioBench;
import dev.caliber.bench.server.StudioDataGenerator;
import dev.caliber.models.ModelsConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench studio}: measures Studio. */
@Command(
    name = "studio",
    description = {
      "Measures Studio in a real Chromium: a server is started with a week of a small company's"
          + " agents, and its pages are opened.",
      "",
      "Targets: the first page is usable in less than a second; a long list is scrolled for 240"
          + " frames, of which 95 % take less than 34 ms.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  bench studio --quick",
      "  bench studio --screenshots target/studio"
    },
    sortOptions = false,
    mixinStandardHelpOptions = true)
final class StudioCommand extends MeasuringCommand {
  private static final int TASKS = 10_000;
  private static final int QUICK_TASKS = 500;
  private static final int TURNS = 2_000;
  private static final int QUICK_TURNS = 200;

  private static final List<String> BROWSERS =
      List.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome");

  @Option(
      names = "--screenshots",
      paramLabel = "DIR",
      description = "Also write a picture of each page: laptop and phone, light and dark.")
  private Optional<Path> screenshots = Optional.empty();

  @Option(
      names = "--chromium",
      paramLabel = "FILE",
      description = "The Chromium to use. Default: the installed one.")
  private Optional<Path> chromium = Optional.empty();

  @Override
  public String checkedArguments() {
    executable();
    return isQuick() ? " --quick" : "";
  }

  @Override
  public void measure(BenchRun run) {
    var withoutDownload =
        new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1"));
    var launch =
        new BrowserType.LaunchOptions()
            .setExecutablePath(executable())
            .setArgs(List.of("--no-sandbox", "--hide-scrollbars"));
    try (Playwright playwright = Playwright.create(withoutDownload);
        Browser browser = playwright.chromium().launch(launch)) {
      measureWeek(run, browser);
      measureLongLists(run, browser);
    }
  }

  /** Returns the named browser, or the first one installed. */
  private Path executable() {
    return Stream.concat(chromium.stream(), BROWSERS.stream().map(Path::of))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(
            () ->
                BenchException.preparationFailed(
                    "Finding Chromium",
                    new IOException("none is installed; name one with --chromium")));
  }

  private void measureWeek(BenchRun run, Browser browser) {
    run.progressPrinter().printLine("Starting a server, and writing a week of data");
    try (BenchStudioServer rig =
        BenchStudioServer.start(
            run.locations().directory("server"),
            StudioDataGenerator.PAST,
            ModelsConfig.starter())) {
      new StudioDataGenerator(rig).generateAll();
      rig.awaitVectors();
      StudioBench bench = new StudioBench(browser, rig, run.progressPrinter());
      bench.measureFirstPage(run.report());
      screenshots.ifPresent(bench::takePictures);
    }
  }

  /** Measures long lists, without model vectors, whose embedding would compete with the browser. */
  private void measureLongLists(BenchRun run, Browser browser) {
    try (BenchStudioServer rig =
        BenchStudioServer.start(
            run.locations().directory("server"), Duration.ZERO, BenchServer.HASHES)) {
      new StudioBench(browser, rig, run.progressPrinter())
          .measureLongLists(
              run.report(), isQuick() ? QUICK_TASKS : TASKS, isQuick() ? QUICK_TURNS : TURNS);
    }
  }
}
