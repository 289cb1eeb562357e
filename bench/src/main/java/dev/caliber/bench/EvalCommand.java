package dev.caliber.bench;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code eval}: how good answers are, on data sets with known ones. */
@Command(
    name = "eval",
    description = "Scores Caliber on data sets whose right answers are known.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND")
final class EvalCommand implements Runnable {

  @Spec private @Nullable CommandSpec spec;

  static CommandLine with(Map<String, String> environment) {
    return new CommandLine(new EvalCommand())
        .addSubcommand(new RetrievalCommand(environment))
        .addSubcommand(new ContradictionsCommand())
        .addSubcommand(new AssembleEvalCommand(environment))
        .addSubcommand(new MixedCommand(environment))
        .addSubcommand(new TrustCommand(environment))
        .addSubcommand(new FreshCommand(environment));
  }

  @Override
  public void run() {
    if (spec != null) {
      throw new ParameterException(spec.commandLine(), "A command is missing: what to score");
    }
  }
}
