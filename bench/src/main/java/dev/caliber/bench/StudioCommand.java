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

/** {@code bench studio}. */
@Command(
    name = "studio",
    description = {
      "Measures Studio in a real Chromium: a server is started with a week of a small company's"
          + " agents, and its pages are opened.",
      "",
      "The first page is of use in less than a second; a long list is scrolled for 240 frames, of"
          + " which 95 % take less than 34 ms.",
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
      description = "The Chromium to use. Default: the one that is installed.")
  private Optional<Path> chromium = Optional.empty();

  @Override
  public Integer call() throws IOException {
    CommandSpec command = Objects.requireNonNull(spec);
    Progress progress = new Progress(command.commandLine().getErr());
    options.checkTargets();
    Path executable = Chromium.find(chromium);
    if (screenshots.isPresent()) {
      Files.createDirectories(screenshots.get());
    }
    try (Places places = Places.under(Optional.empty())) {
      Report report =
          new Report(
              "./caliber bench studio" + (options.isQuick() ? " --quick" : ""),
              MachineFacts.gather(places.root()));
      try (Chromium browser = Chromium.start(executable, places.directory("browser"))) {
        measureWeek(report, places, browser, progress);
        measureLongLists(report, places, browser, progress);
      }
      options.publish("studio", report, command.commandLine());
    }
    return 0;
  }

  private void measureWeek(Report report, Places places, Chromium browser, Progress progress) {
    progress.say("Starting a server, and telling it of a week");
    try (StudioRig rig =
        StudioRig.start(places.directory("server"), StudioData.PAST, ModelsConfig.starter())) {
      new StudioData(rig).make();
      rig.awaitVectors();
      StudioBench bench = new StudioBench(browser, rig, progress);
      bench.measureFirstPage(report);
      screenshots.ifPresent(bench::takePictures);
    }
  }

  /** What is measured is the browser: vectors of a model would take turns with it. */
  private void measureLongLists(Report report, Places places, Chromium browser, Progress progress) {
    ModelsConfig hashed = ModelsConfig.starter().withProvider(ModelsConfig.Provider.HASH);
    try (StudioRig rig = StudioRig.start(places.directory("server"), Duration.ZERO, hashed)) {
      new StudioBench(browser, rig, progress)
          .measureLongLists(
              report,
              options.isQuick() ? QUICK_TASKS : TASKS,
              options.isQuick() ? QUICK_TURNS : TURNS);
    }
  }
}
