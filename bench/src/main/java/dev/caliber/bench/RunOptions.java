package dev.caliber.bench;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of every command that measures stores, and what they mean in common. */
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
      names = "--work",
      paramLabel = "DIR",
      description =
          "Where the stores are made and removed again: the disk to measure. Not a file system in"
              + " memory. Default: the system's directory for temporary files.")
  private Optional<Path> work = Optional.empty();

  @Mixin private OutputOptions output = new OutputOptions();

  EngineName engine() {
    return engine;
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

  boolean isQuick() {
    return output.isQuick();
  }

  void checkTargets() {
    output.checkTargets();
  }

  void publish(String part, Report report, CommandLine commandLine) {
    output.publish(part, report, commandLine);
  }

  Knobs knobs(Map<String, String> environment) {
    return output.knobs(environment);
  }
}
