package dev.caliber.bench.eval;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code eval}: scores answers on data sets with known answers. */
@Command(
    name = "eval",
    description = "Scores Caliber on data sets whose right answers are known.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND")
public final class EvalCommand implements Runnable {

  @Spec private @Nullable CommandSpec spec;

  public static CommandLine commandLine(Map<String, String> environment) {
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
      throw new ParameterException(spec.commandLine(), "Missing command: the evaluation to run");
    }
  }
}
