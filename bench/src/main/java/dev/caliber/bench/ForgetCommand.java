package dev.caliber.bench;

import dev.caliber.kernel.KernelException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bench forget}. */
@Command(
    name = "forget",
    description = {
      "Measures how long it takes to forget a subject, how long another write waits meanwhile, how"
          + " much heap is in use, and how often a forgotten word is left in the store's files.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  bench forget --quick --engine sqlite",
      "  bench forget --engine both --records 100000 --artifacts 100"
    },
    sortOptions = false,
    mixinStandardHelpOptions = true)
final class ForgetCommand implements Callable<Integer> {
  private static final int RECORDS = 100_000;
  private static final int QUICK_RECORDS = 1000;
  private static final int ARTIFACTS = 100;
  private static final int QUICK_ARTIFACTS = 5;

  @Spec private @Nullable CommandSpec spec;
  @Mixin private RunOptions options = new RunOptions();

  @Option(
      names = "--records",
      paramLabel = "N",
      description = "Turns of the subject (default: 1000 and 100000; 1000 with --quick).")
  private Optional<Integer> records = Optional.empty();

  @Option(
      names = "--artifacts",
      paramLabel = "N",
      description = "Artifacts of 1 MB of the subject (default: 100; 5 with --quick).")
  private Optional<Integer> artifacts = Optional.empty();

  @Override
  public Integer call() {
    CommandSpec command = Objects.requireNonNull(spec);
    Progress progress = new Progress(command.commandLine().getErr());
    options.checkTargets();
    int most = chosen("--records", records, options.isQuick() ? QUICK_RECORDS : RECORDS);
    int large = chosen("--artifacts", artifacts, options.isQuick() ? QUICK_ARTIFACTS : ARTIFACTS);
    try (Places places = options.places(progress)) {
      Report report =
          new Report(
              "./caliber bench forget --engine %s --records %d --artifacts %d"
                  .formatted(options.engine(), most, large),
              MachineFacts.gather(places.root()));
      for (EngineName engine : options.engine().each()) {
        ForgetBench bench = new ForgetBench(places, engine, progress);
        if (most > QUICK_RECORDS) {
          bench.turns(report, QUICK_RECORDS);
        }
        bench.turns(report, most);
        bench.artifacts(report, large);
      }
      options.publish("forget --engine " + options.engine(), report, command.commandLine());
    }
    return 0;
  }

  private static int chosen(String name, Optional<Integer> given, int otherwise) {
    int count = given.orElse(otherwise);
    if (count < 1) {
      throw KernelException.invalidValue(name, "1 or more", Integer.toString(count));
    }
    return count;
  }
}
