package dev.caliber.bench;

import dev.caliber.kernel.KernelException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The options that every measuring command has, and what they mean in common. */
final class RunOptions {

  @Option(
      names = "--engine",
      paramLabel = "sqlite|postgres|both",
      defaultValue = "both",
      description =
          "What to measure. PostgreSQL is a private server that is started for the run"
              + " (default: ${DEFAULT-VALUE}).")
  private EngineName engine = EngineName.BOTH;

  @Option(
      names = "--quick",
      description =
          "Few records, 3 short samples: shows in a minute that everything works. Its figures say"
              + " little.")
  private boolean quick;

  @Option(
      names = "--work",
      paramLabel = "DIR",
      description =
          "Where the stores are made and removed again: the disk to measure. Not a file system in"
              + " memory. Default: the system's directory for temporary files.")
  private Optional<Path> work = Optional.empty();

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Also write the figures to this file, as JSON.")
  private Optional<Path> json = Optional.empty();

  @Option(
      names = "--write-docs",
      description = "Also put the table into docs/benchmarks.md of this working copy.")
  private boolean writeDocs;

  EngineName engine() {
    return engine;
  }

  boolean isQuick() {
    return quick;
  }

  /** Makes the places of a run, and says so when their disk is none. */
  Places places(Progress progress) {
    Places places = Places.under(work);
    String type = MachineFacts.fileSystem(places.root());
    if (type.equals("tmpfs") || type.equals("ramfs")) {
      progress.say(
          "%s keeps files in memory and flushes nothing; name a disk with --work".formatted(type));
    }
    return places;
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
