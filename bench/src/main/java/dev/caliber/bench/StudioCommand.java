package dev.caliber.bench;

import dev.caliber.models.ModelsConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

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
final class StudioCommand implements Callable<Integer> {
  private static final int TASKS = 10_000;
  private static final int QUICK_TASKS = 500;
  private static final int TURNS = 2_000;
  private static final int QUICK_TURNS = 200;

  @Spec private @Nullable CommandSpec spec;
  @Mixin private OutputOptions options = new OutputOptions();

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
  public Integer call() throws IOException {
    CommandSpec command = Objects.requireNonNull(spec);
    ProgressPrinter progressPrinter = new ProgressPrinter(command.commandLine().getErr());
    options.checkTargets();
    Path executable = ChromiumBrowser.findExecutable(chromium);
    if (screenshots.isPresent()) {
      Files.createDirectories(screenshots.get());
    }
    try (BenchLocations benchLocations = BenchLocations.createIn(Optional.empty())) {
      BenchReport benchReport =
          new BenchReport(
              "./caliber bench studio" + (options.isQuick() ? " --quick" : ""),
              MachineFacts.gather(benchLocations.root()));
      try (ChromiumBrowser browser =
          ChromiumBrowser.start(executable, benchLocations.directory("browser"))) {
        measureWeek(benchReport, benchLocations, browser, progressPrinter);
        measureLongLists(benchReport, benchLocations, browser, progressPrinter);
      }
      options.publish("studio", benchReport, command.commandLine());
    }
    return 0;
  }

  private void measureWeek(
      BenchReport benchReport,
      BenchLocations benchLocations,
      ChromiumBrowser browser,
      ProgressPrinter progressPrinter) {
    progressPrinter.printLine("Starting a server, and writing a week of data");
    try (BenchStudioServer rig =
        BenchStudioServer.start(
            benchLocations.directory("server"), StudioDataGenerator.PAST, ModelsConfig.starter())) {
      new StudioDataGenerator(rig).generateAll();
      rig.awaitVectors();
      StudioBench bench = new StudioBench(browser, rig, progressPrinter);
      bench.measureFirstPage(benchReport);
      screenshots.ifPresent(bench::takePictures);
    }
  }

  /** Measures long lists, without model vectors, whose embedding would compete with the browser. */
  private void measureLongLists(
      BenchReport benchReport,
      BenchLocations benchLocations,
      ChromiumBrowser browser,
      ProgressPrinter progressPrinter) {
    ModelsConfig hashed = ModelsConfig.starter().withProvider(ModelsConfig.EmbeddingProvider.HASH);
    try (BenchStudioServer rig =
        BenchStudioServer.start(benchLocations.directory("server"), Duration.ZERO, hashed)) {
      new StudioBench(browser, rig, progressPrinter)
          .measureLongLists(
              benchReport,
              options.isQuick() ? QUICK_TASKS : TASKS,
              options.isQuick() ? QUICK_TURNS : TURNS);
    }
  }
}
