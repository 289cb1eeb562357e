package dev.caliber.bench.harness;

import dev.caliber.kernel.KernelException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Command that measures, prints its figures, and stores them where its options say. */
public abstract class MeasuringCommand implements Callable<Integer> {

  private final Optional<Map<String, String>> environment;

  @Spec private @Nullable CommandSpec spec;
  @Mixin private OutputOptions output = new OutputOptions();

  /** Creates a command whose figures are samples, as the environment sets them. */
  public MeasuringCommand(Map<String, String> environment) {
    this.environment = Optional.of(environment);
  }

  /** Creates a command whose figures are not samples. */
  public MeasuringCommand() {
    this.environment = Optional.empty();
  }

  /** Checks the options, and returns those that repeat the measurement, each after a blank. */
  public abstract String checkedArguments();

  public abstract void measure(BenchRun run);

  /** Returns the options that distinguish parts of the documentation, each after a blank. */
  public String partArguments() {
    return "";
  }

  @Override
  public final Integer call() {
    CommandSpec command = Objects.requireNonNull(spec);
    ProgressPrinter progressPrinter = new ProgressPrinter(command.commandLine().getErr());
    MeasurementSettings settings = output.measurementSettings(environment.orElse(Map.of()));
    output.checkTargets();
    String arguments = checkedArguments();
    try (BenchLocations locations = output.createLocations(progressPrinter)) {
      String text = "./caliber bench " + command.name() + arguments;
      BenchReport report =
          new BenchReport(
              environment.map(_ -> settings.environmentAssignments() + " ").orElse("") + text,
              MachineFacts.gather(locations.root()));
      measure(new BenchRun(report, settings, locations, progressPrinter));
      output.publish(command.name() + partArguments(), report, command.commandLine());
    }
    return 0;
  }

  public final boolean isQuick() {
    return output.isQuick();
  }

  public final int chosenSize(String name, Optional<Integer> given, int quick, int full) {
    int chosen = given.orElse(isQuick() ? quick : full);
    if (chosen < 1) {
      throw KernelException.invalidValue(name, "1 or more", Integer.toString(chosen));
    }
    return chosen;
  }

  public final List<Integer> chosenSizes(
      String name, List<Integer> given, List<Integer> quick, List<Integer> full) {
    List<Integer> chosen = given.isEmpty() ? isQuick() ? quick : full : given;
    if (chosen.stream().anyMatch(size -> size < 1)) {
      throw KernelException.invalidValue(name, "numbers of 1 or more", chosen.toString());
    }
    return chosen;
  }

  public static String joined(List<Integer> sizes) {
    return sizes.stream().map(String::valueOf).collect(Collectors.joining(","));
  }
}
