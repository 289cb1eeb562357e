package dev.caliber.bench;

import dev.caliber.bench.harness.BenchReport;
import dev.caliber.bench.harness.MachineFacts;
import dev.caliber.bench.harness.ProgressPrinter;
import dev.caliber.bench.harness.ReportRenderer;
import dev.caliber.bench.search.EmbedBench;
import dev.caliber.bench.search.LocomoTurns;
import dev.caliber.models.ModelsConfig;
import dev.caliber.models.ModelsConfig.ModelWeights;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bench embed}: measures the embedding model. */
@Command(
    name = "embed",
    description = {
      "Measures the embedding model in this process: rate, and R@10 of dense search alone.",
      "",
      "The unit is one turn (speaker, text, image caption), the corpus its conversation; the figure"
          + " is the share of evidence turns in the top ten, mean over all questions; a question"
          + " without evidence counts 1.",
      ""
    },
    footer = {"", "Example:", "  bench embed --locomo locomo-dev5.json"},
    sortOptions = false,
    mixinStandardHelpOptions = true)
final class EmbedCommand implements Callable<Integer> {

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--locomo",
      required = true,
      paramLabel = "FILE",
      description = "Conversations in LoCoMo's format.")
  private @Nullable Path file;

  @Option(
      names = "--weights",
      split = ",",
      defaultValue = "full,quantised",
      paramLabel = "full|quantised",
      description = "The builds of the model to measure (default: ${DEFAULT-VALUE}).")
  private List<ModelWeights> weights = List.of();

  @Override
  public Integer call() {
    CommandSpec command = Objects.requireNonNull(spec);
    Path source = Objects.requireNonNull(file);
    var progressPrinter = new ProgressPrinter(command.commandLine().getErr());
    var benchReport =
        new BenchReport("./caliber bench embed --locomo FILE", MachineFacts.gather(Path.of("")));
    var bench = new EmbedBench(LocomoTurns.read(source), benchReport);
    for (ModelWeights each : weights) {
      progressPrinter.startPart("weights " + each);
      bench.measure(config(each));
    }
    command.commandLine().getOut().print(ReportRenderer.terminalText(benchReport));
    command.commandLine().getOut().flush();
    return 0;
  }

  private static ModelsConfig config(ModelWeights modelWeights) {
    return ModelsConfig.starter()
        .with(
            "models.in-process.model = '%s'"
                .formatted(modelWeights.name().toLowerCase(Locale.ROOT)));
  }
}
