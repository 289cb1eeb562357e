package dev.caliber.bench;

import dev.caliber.kernel.KernelException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** How long a command measures, and where its figures go. */
final class OutputOptions {

  @Option(
      names = "--quick",
      description =
          "Few records, 3 short samples: shows in a minute that everything works. Its figures say"
              + " little.")
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

  boolean isQuick() {
    return quick;
  }

  /** Refuses what could not be written in the end, before anything is measured. */
  void checkTargets() {
    if (writeDocs) {
      BenchmarksPage.near(Path.of(""));
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
  void publish(String part, Report report, CommandLine commandLine) {
    commandLine.getOut().print(ReportText.terminal(report));
    commandLine.getOut().flush();
    if (json.isPresent()) {
      try {
        Files.writeString(json.get(), ReportText.json(report) + "\n");
      } catch (IOException e) {
        throw BenchException.preparing("Writing the JSON file", e);
      }
    }
    if (writeDocs) {
      BenchmarksPage.near(Path.of("")).replace(part, ReportText.markdown(report));
    }
  }

  Knobs knobs(Map<String, String> environment) {
    return Knobs.from(environment, quick);
  }
}
