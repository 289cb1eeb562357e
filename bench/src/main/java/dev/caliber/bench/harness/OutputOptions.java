package dev.caliber.bench.harness;

import dev.caliber.kernel.KernelException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** Options for the length of a measurement and the output of its figures. */
final class OutputOptions {

  @Option(
      names = "--quick",
      description =
          "Few records, 3 short samples: shows within a minute that everything works. Its figures"
              + " are not reliable.")
  private boolean quick;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Also write the figures to this file, as JSON.")
  private Optional<Path> json = Optional.empty();

  @Option(
      names = "--write-docs",
      description = "Also put the table into docs/benchmarks.md of this working copy.")
  private boolean writeDocs;

  @Option(
      names = "--work",
      paramLabel = "DIR",
      description =
          "The directory to create the stores in and remove them from: on the disk to measure, not"
              + " on a file system in memory. Default: the system's directory for temporary files.")
  private Optional<Path> work = Optional.empty();

  boolean isQuick() {
    return quick;
  }

  /** Creates the locations of a run, and warns if they are not on a disk. */
  BenchLocations createLocations(ProgressPrinter progressPrinter) {
    BenchLocations benchLocations = BenchLocations.createIn(work);
    String type = MachineFacts.fileSystem(benchLocations.root());
    if (type.equals("tmpfs") || type.equals("ramfs")) {
      progressPrinter.printLine(
          "%s keeps files in memory and flushes nothing; name a disk with --work".formatted(type));
    }
    return benchLocations;
  }

  /** Checks before the measurement that the output files can be written. */
  void checkTargets() {
    if (writeDocs) {
      BenchmarksPage.find(Path.of(""));
    }
    json.map(file -> file.toAbsolutePath().getParent())
        .filter(parent -> !Files.isDirectory(parent))
        .ifPresent(
            parent -> {
              throw KernelException.invalidValue(
                  "--json", "a file in a directory that exists", parent.toString());
            });
  }

  /** Prints the report, and stores it where the options say. */
  void publish(String part, BenchReport benchReport, CommandLine commandLine) {
    commandLine.getOut().print(ReportRenderer.terminalText(benchReport));
    commandLine.getOut().flush();
    if (json.isPresent()) {
      try {
        Files.writeString(json.get(), ReportRenderer.json(benchReport) + "\n");
      } catch (IOException e) {
        throw BenchException.preparationFailed("Writing the JSON file", e);
      }
    }
    if (writeDocs) {
      BenchmarksPage.find(Path.of("")).replace(part, ReportRenderer.markdown(benchReport));
    }
  }

  MeasurementSettings measurementSettings(Map<String, String> environment) {
    return MeasurementSettings.from(environment, quick);
  }
}
