package dev.caliber.bench;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of every command that measures stores. */
final class RunOptions {

  @Option(
      names = "--engine",
      paramLabel = "sqlite|postgres|both",
      defaultValue = "both",
      description =
          "What to measure. PostgreSQL is a private server that is started for the run"
              + " (default: ${DEFAULT-VALUE}).")
  private BenchEngine engine = BenchEngine.BOTH;

  @Option(
      names = "--work",
      paramLabel = "DIR",
      description =
          "The directory to create the stores in and remove them from: on the disk to measure, not"
              + " on a file system in memory. Default: the system's directory for temporary files.")
  private Optional<Path> work = Optional.empty();

  @Mixin private OutputOptions output = new OutputOptions();

  BenchEngine engine() {
    return engine;
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

  boolean isQuick() {
    return output.isQuick();
  }

  void checkTargets() {
    output.checkTargets();
  }

  void publish(String part, BenchReport benchReport, CommandLine commandLine) {
    output.publish(part, benchReport, commandLine);
  }

  MeasurementSettings measurementSettings(Map<String, String> environment) {
    return output.measurementSettings(environment);
  }
}
