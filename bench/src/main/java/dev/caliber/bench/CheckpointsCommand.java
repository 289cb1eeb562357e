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

/** {@code bench checkpoints}: measures the cost of checkpoints. */
@Command(
    name = "checkpoints",
    description = {
      "Measures the cost of a checkpoint after each turn of a conversation, on the embedded engine:"
          + " the point alone, and with its ledger whole or as changes, deflated or not.",
      ""
    },
    footer = {"", "Example:", "  bench checkpoints --turns 200"},
    sortOptions = false,
    mixinStandardHelpOptions = true)
final class CheckpointsCommand implements Callable<Integer> {
  private static final int FULL = 200;
  private static final int QUICK = 20;

  @Spec private @Nullable CommandSpec spec;
  @Mixin private OutputOptions options = new OutputOptions();

  @Option(
      names = "--turns",
      paramLabel = "N",
      description = "Turns of the conversation (default: 200; 20 with --quick).")
  private Optional<Integer> turns = Optional.empty();

  @Override
  public Integer call() {
    CommandSpec command = Objects.requireNonNull(spec);
    ProgressPrinter progressPrinter = new ProgressPrinter(command.commandLine().getErr());
    options.checkTargets();
    int count = turns.orElse(options.isQuick() ? QUICK : FULL);
    if (count < 1) {
      throw KernelException.invalidValue("--turns", "1 or more", Integer.toString(count));
    }
    try (BenchLocations benchLocations = BenchLocations.createIn(Optional.empty())) {
      BenchReport benchReport =
          new BenchReport(
              "./caliber bench checkpoints --turns " + count,
              MachineFacts.gather(benchLocations.root()));
      new CheckpointsBench(benchLocations, count, progressPrinter).measure(benchReport);
      options.publish("checkpoints", benchReport, command.commandLine());
    }
    return 0;
  }
}
