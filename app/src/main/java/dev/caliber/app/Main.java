package dev.caliber.app;

import dev.caliber.app.command.CheckCommands;
import dev.caliber.app.command.ContextCommands;
import dev.caliber.app.command.CoordinationCommands;
import dev.caliber.app.command.ExplainCommand;
import dev.caliber.app.command.ExportCommand;
import dev.caliber.app.command.FeedTailCommand;
import dev.caliber.app.command.ImportCommand;
import dev.caliber.app.command.IndexCommands;
import dev.caliber.app.command.MemoryCommands;
import dev.caliber.app.command.ServerCommands;
import dev.caliber.app.command.StatsCommand;
import dev.caliber.app.command.StoreCommands;
import dev.caliber.app.command.TrajectoryCommands;
import dev.caliber.app.demo.DemoCommand;
import dev.caliber.app.demo.DemoWriterCommand;
import dev.caliber.app.pack.DeploymentCommands;
import dev.caliber.app.serve.ConfigCheckCommand;
import dev.caliber.app.serve.ConfigCommand;
import dev.caliber.app.serve.ConfigListCommand;
import dev.caliber.app.serve.ConfigShowCommand;
import dev.caliber.app.serve.ConnectCommand;
import dev.caliber.app.serve.InitCommand;
import dev.caliber.app.serve.McpCommand;
import dev.caliber.app.serve.ServeCommand;
import dev.caliber.app.shell.AppVersionProvider;
import dev.caliber.app.shell.CaliberCommand;
import dev.caliber.app.shell.CommandContext;
import dev.caliber.app.shell.CommandGroup;
import dev.caliber.app.shell.ExitCode;
import dev.caliber.app.shell.OperationCommand;
import dev.caliber.app.shell.ProcessEnvironment;
import dev.caliber.kernel.SystemAccess;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine;

/** The {@code caliber} command: builds the tree of commands and runs one. */
public final class Main {
  /** Time limit for an interrupted command to close its resources. */
  private static final Duration CLOSING_BOUND = Duration.ofMinutes(3);

  private static final String HELP = "help";

  /** Logger of Lucene's advice to use faster kernels, which a short command does not need. */
  private static final Logger KERNELS =
      Logger.getLogger("org.apache.lucene.internal.vectorization.VectorizationProvider");

  private Main() {}

  /** Runs one command line and ends the process with its exit code. */
  @SystemAccess("main ends the process, and handles its interruption")
  public static void main(String[] args) {
    Locale.setDefault(Locale.ROOT);
    KERNELS.setLevel(Level.SEVERE);
    CountDownLatch done = new CountDownLatch(1);
    Thread command = Thread.currentThread();
    Runtime.getRuntime()
        .addShutdownHook(
            Thread.ofPlatform()
                .name("caliber-closing")
                .unstarted(() -> interruptAndAwait(command, done)));
    int code = run(ProcessEnvironment.ofProcess(), args);
    done.countDown();
    System.exit(code);
  }

  /** Runs one command line and returns its exit code. */
  public static int run(ProcessEnvironment processEnvironment, String... args) {
    CaliberCommand options = new CaliberCommand();
    FailureReporter failureReporter = new FailureReporter(processEnvironment.terminal(), options);
    try {
      return commands(processEnvironment, options, args)
          .setParameterExceptionHandler(failureReporter)
          .setExecutionExceptionHandler(failureReporter)
          .execute(args);
    } catch (RuntimeException | Error e) {
      return failureReporter.report(e).number();
    } finally {
      processEnvironment.terminal().out().flush();
    }
  }

  /** Returns the tree of the command that the first word names, else of all commands. */
  public static CommandLine commands(
      ProcessEnvironment processEnvironment, CaliberCommand options, String... args) {
    Map<String, Supplier<Object>> all =
        commandsByName(new CommandContext(processEnvironment, options));
    if (args.length > 0 && !args[0].equals(HELP) && all.containsKey(args[0])) {
      all.keySet().retainAll(Set.of(args[0]));
    }
    CommandLine commands = new CommandLine(options);
    all.forEach((name, command) -> commands.addSubcommand(name, command.get()));
    return HelpPages.arrange(commands, processEnvironment.terminal());
  }

  /** Returns suppliers, because creating all sixty commands would take too long. */
  private static Map<String, Supplier<Object>> commandsByName(CommandContext commandContext) {
    MemoryCommands memory = new MemoryCommands(commandContext);
    TrajectoryCommands trajectories = new TrajectoryCommands(commandContext);
    ContextCommands context = new ContextCommands(commandContext);
    CheckCommands checks = new CheckCommands(commandContext);
    DeploymentCommands deployments = new DeploymentCommands(commandContext);
    StoreCommands store = new StoreCommands(commandContext);
    ServerCommands server = new ServerCommands(commandContext);
    CoordinationCommands coordination = new CoordinationCommands(commandContext);
    Map<String, Supplier<Object>> all = new LinkedHashMap<>();
    all.put("demo", () -> new DemoCommand(commandContext));
    all.put("init", () -> new InitCommand(commandContext));
    all.put("serve", () -> new ServeCommand(commandContext));
    all.put("mcp", () -> new McpCommand(commandContext));
    all.put("connect", () -> new ConnectCommand(commandContext));
    all.put("keys", server::keys);
    all.put("config", () -> configCommands(commandContext));
    all.put("dsl", deployments::sources);
    all.put("remember", memory::remember);
    all.put("recall", memory::recall);
    all.put("notes", memory::listNotes);
    all.put("history", memory::showHistory);
    all.put("forget", memory::forget);
    all.put("promote", memory::promoteRecord);
    all.put("assemble", context::assemble);
    all.put("windows", trajectories::listWindows);
    all.put("explain", new ExplainCommand(commandContext)::explain);
    all.put("annotate", context::annotate);
    all.put("validate", checks::validate);
    all.put("lint", checks::lint);
    all.put("checkpoint", checks::checkpoints);
    all.put("recover", checks::recover);
    all.put("turns", trajectories::listTurns);
    all.put("state", trajectories::showState);
    all.put("lineage", trajectories::showLineage);
    all.put("artifacts", trajectories::listArtifacts);
    all.put("trace", trajectories::showTrace);
    all.put("cleanup", checks::cleanUp);
    all.put("pack", deployments::packs);
    all.put("stats", () -> new StatsCommand(commandContext));
    all.put("spaces", server::spaces);
    all.put("feed", () -> feedCommands(commandContext));
    all.put("jobs", store::jobs);
    all.put("agents", coordination::agents);
    all.put("leases", coordination::leases);
    all.put("messages", coordination::messages);
    all.put("index", () -> new IndexCommands(commandContext).index());
    all.put("backup", store::backUp);
    all.put("restore", store::restore);
    all.put("export", () -> new ExportCommand(commandContext));
    all.put("import", () -> new ImportCommand(commandContext));
    all.put("doctor", store::examine);
    all.put("compact", store::compact);
    all.put(HELP, HelpCommand::new);
    all.put("version", () -> version(commandContext));
    all.put("demo-writer", () -> new DemoWriterCommand(commandContext));
    return all;
  }

  private static CommandLine configCommands(CommandContext commandContext) {
    return new CommandLine(new ConfigCommand())
        .addSubcommand(new ConfigCheckCommand(commandContext))
        .addSubcommand(new ConfigShowCommand(commandContext))
        .addSubcommand(new ConfigListCommand(commandContext));
  }

  private static CommandLine feedCommands(CommandContext commandContext) {
    return CommandGroup.of(
        "feed", "Read the commits of a space, in order.", new FeedTailCommand(commandContext));
  }

  private record VersionOutput(String version, String runtime) {}

  private static CommandLine version(CommandContext commandContext) {
    return OperationCommand.named(
            commandContext, "version", "Show the version, and the Java it runs on.")
        .runsAlone(
            _ -> {
              String[] lines = new AppVersionProvider().getVersion();
              commandContext
                  .output()
                  .printResult(new VersionOutput(lines[0], lines[1]), String.join("\n", lines));
              return ExitCode.OK;
            });
  }

  private static void interruptAndAwait(Thread command, CountDownLatch done) {
    command.interrupt();
    try {
      boolean closed = done.await(CLOSING_BOUND.toMillis(), TimeUnit.MILLISECONDS);
      if (!closed) {
        Thread.currentThread().interrupt(); // the store recovers when it is opened again
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
