package dev.caliber.app;

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
  static int run(ProcessEnvironment processEnvironment, String... args) {
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
  static CommandLine commands(
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
    NoteCommands notes = new NoteCommands(commandContext);
    TrajectoryCommands trajectories = new TrajectoryCommands(commandContext);
    CheckpointCommands checkpoints = new CheckpointCommands(commandContext);
    DeploymentCommands deployments = new DeploymentCommands(commandContext);
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
    all.put("remember", () -> new RememberCommand(commandContext));
    all.put("recall", () -> new RecallCommand(commandContext));
    all.put("notes", notes::listNotes);
    all.put("history", notes::showHistory);
    all.put("forget", () -> new ForgetCommand(commandContext));
    all.put("promote", notes::promoteRecord);
    all.put("assemble", () -> new AssembleCommand(commandContext));
    all.put("windows", trajectories::listWindows);
    all.put("explain", () -> new ExplainCommand(commandContext));
    all.put("annotate", () -> new AnnotateCommand(commandContext));
    all.put("validate", () -> new ValidateCommand(commandContext));
    all.put("lint", () -> new LintCommand(commandContext));
    all.put("checkpoint", checkpoints::checkpoints);
    all.put("recover", () -> new RecoverCommand(commandContext));
    all.put("turns", trajectories::listTurns);
    all.put("state", trajectories::showState);
    all.put("lineage", trajectories::showLineage);
    all.put("artifacts", trajectories::listArtifacts);
    all.put("trace", trajectories::showTrace);
    all.put("cleanup", checkpoints::cleanUp);
    all.put("pack", deployments::packs);
    all.put("stats", () -> new StatsCommand(commandContext));
    all.put("spaces", server::spaces);
    all.put("feed", () -> feedCommands(commandContext));
    all.put("jobs", () -> jobCommands(commandContext));
    all.put("agents", coordination::agents);
    all.put("leases", coordination::leases);
    all.put("messages", coordination::messages);
    all.put("index", () -> indexCommands(commandContext));
    all.put("backup", () -> new BackupCommand(commandContext));
    all.put("restore", () -> new RestoreCommand(commandContext));
    all.put("export", () -> new ExportCommand(commandContext));
    all.put("import", () -> new ImportCommand(commandContext));
    all.put("doctor", () -> new DoctorCommand(commandContext));
    all.put("compact", () -> new CompactCommand(commandContext));
    all.put(HELP, HelpCommand::new);
    all.put("version", () -> new VersionCommand(commandContext));
    all.put("demo-writer", () -> new DemoWriterCommand(commandContext));
    return all;
  }

  private static CommandLine configCommands(CommandContext commandContext) {
    return new CommandLine(new ConfigCommand())
        .addSubcommand(new ConfigCheckCommand(commandContext))
        .addSubcommand(new ConfigListCommand(commandContext));
  }

  private static CommandLine feedCommands(CommandContext commandContext) {
    return GroupCommand.of(
        "feed", "Read the commits of a space, in order.", new FeedTailCommand(commandContext));
  }

  private static CommandLine jobCommands(CommandContext commandContext) {
    return GroupCommand.of(
        "jobs",
        "List background jobs, and retry dead ones.",
        new JobsListCommand(commandContext),
        new JobsRetryCommand(commandContext));
  }

  private static CommandLine indexCommands(CommandContext commandContext) {
    return GroupCommand.of(
        "index",
        "Show, check and rebuild search indexes.",
        new IndexStatusCommand(commandContext),
        new IndexEmbedCommand(commandContext),
        new IndexCheckCommand(commandContext),
        new IndexRebuildCommand(commandContext),
        new IndexMigrateCommand(commandContext));
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
