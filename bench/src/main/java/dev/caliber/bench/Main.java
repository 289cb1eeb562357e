package dev.caliber.bench;

import dev.caliber.bench.eval.EvalCommand;
import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.SystemAccess;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code bench} command: measures, prints a table, and says which targets are met. */
@Command(
    name = "bench",
    description =
        "Measures Caliber on this machine. Tables go to the standard output, progress to the"
            + " standard error.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND")
public final class Main implements Runnable {

  private static final int FAILED = 1;

  @Spec private @Nullable CommandSpec spec;

  private Main() {}

  @SystemAccess("main is where the process begins and ends, with its streams and environment")
  public static void main(String[] arguments) {
    Locale.setDefault(Locale.ROOT);
    System.setProperty("logback.configurationFile", "dev/caliber/bench/logback.xml");
    int status =
        run(
            arguments,
            System.getenv(),
            new PrintWriter(System.out, true, StandardCharsets.UTF_8),
            new PrintWriter(System.err, true, StandardCharsets.UTF_8));
    System.exit(status);
  }

  /** Runs one command line; returns 0 on success, 1 on failure, 2 on wrong usage. */
  public static int run(
      String[] arguments, Map<String, String> environment, PrintWriter out, PrintWriter err) {
    return commandLine(environment).setOut(out).setErr(err).execute(arguments);
  }

  /** Returns the command with its subcommands, for use inside another one. */
  public static CommandLine commandLine(Map<String, String> environment) {
    CommandLine main =
        new CommandLine(new Main())
            .addSubcommand(new StoreCommand(environment))
            .addSubcommand(new ScaleCommand(environment))
            .addSubcommand(new LangCommand(environment))
            .addSubcommand(new EmbedCommand())
            .addSubcommand(new SearchCommand(environment))
            .addSubcommand(new MemoryCommand(environment))
            .addSubcommand(new AgentsBenchCommand(environment))
            .addSubcommand(new AssembleBenchCommand(environment))
            .addSubcommand(new ServerBenchCommand())
            .addSubcommand(new ForgetBenchCommand())
            .addSubcommand(new StudioCommand())
            .addSubcommand(new CrashCommand())
            .addSubcommand(EvalCommand.commandLine(environment));
    return main.setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(
            (failure, command, _) -> {
              if (failure instanceof CaliberException known) {
                command.getErr().println(known.toLine());
                known.advice().ifPresent(command.getErr()::println);
                return FAILED;
              }
              throw failure;
            });
  }

  @Override
  public void run() {
    if (spec != null) {
      throw new ParameterException(spec.commandLine(), "Missing command: the benchmark to run");
    }
  }
}
