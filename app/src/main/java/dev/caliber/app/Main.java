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
    Map<String, Supplier<Object>> all = new LinkedHashMap<>();
    all.put("demo", () -> new DemoCommand(commandContext));
    all.put("init", () -> new InitCommand(commandContext));
    all.put("serve", () -> new ServeCommand(commandContext));
    all.put("mcp", () -> new McpCommand(commandContext));
    all.put("connect", () -> new ConnectCommand(commandContext));
    all.put("keys", () -> keyCommands(commandContext));
    all.put("config", () -> configCommands(commandContext));
    all.put("dsl", () -> dslCommands(commandContext));
    all.put("remember", () -> new RememberCommand(commandContext));
    all.put("recall", () -> new RecallCommand(commandContext));
    all.put("notes", () -> new NotesCommand(commandContext));
    all.put("history", () -> new HistoryCommand(commandContext));
    all.put("forget", () -> new ForgetCommand(commandContext));
    all.put("promote", () -> new PromoteCommand(commandContext));
    all.put("assemble", () -> new AssembleCommand(commandContext));
    all.put("windows", () -> new WindowsCommand(commandContext));
    all.put("explain", () -> new ExplainCommand(commandContext));
    all.put("annotate", () -> new AnnotateCommand(commandContext));
    all.put("validate", () -> new ValidateCommand(commandContext));
    all.put("lint", () -> new LintCommand(commandContext));
    all.put("checkpoint", () -> checkpointCommands(commandContext));
    all.put("recover", () -> new RecoverCommand(commandContext));
    all.put("turns", () -> new TurnsCommand(commandContext));
    all.put("state", () -> new StateCommand(commandContext));
    all.put("lineage", () -> new LineageCommand(commandContext));
    all.put("artifacts", () -> new ArtifactsCommand(commandContext));
    all.put("trace", () -> new TraceCommand(commandContext));
    all.put("cleanup", () -> new CleanupCommand(commandContext));
    all.put("pack", () -> packCommands(commandContext));
    all.put("stats", () -> new StatsCommand(commandContext));
    all.put("spaces", () -> spaceCommands(commandContext));
    all.put("feed", () -> feedCommands(commandContext));
    all.put("jobs", () -> jobCommands(commandContext));
    all.put("agents", () -> agentCommands(commandContext));
    all.put("leases", () -> leaseCommands(commandContext));
    all.put("messages", () -> mailCommands(commandContext));
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

  private static CommandLine keyCommands(CommandContext commandContext) {
    return new CommandLine(new KeysCommand())
        .addSubcommand(new KeysCreateCommand(commandContext))
        .addSubcommand(new KeysListCommand(commandContext))
        .addSubcommand(new KeysRevokeCommand(commandContext));
  }

  private static CommandLine configCommands(CommandContext commandContext) {
    return new CommandLine(new ConfigCommand())
        .addSubcommand(new ConfigCheckCommand(commandContext))
        .addSubcommand(new ConfigShowCommand(commandContext))
        .addSubcommand(new ConfigListCommand(commandContext));
  }

  private static CommandLine dslCommands(CommandContext commandContext) {
    return new CommandLine(new DslCommand())
        .addSubcommand(new DslCheckCommand(commandContext))
        .addSubcommand(new DslFormatCommand(commandContext))
        .addSubcommand(new DslDeployCommand(commandContext))
        .addSubcommand(new DslGrammarCommand(commandContext));
  }

  private static CommandLine spaceCommands(CommandContext commandContext) {
    return new CommandLine(new SpacesCommand())
        .addSubcommand(new SpacesListCommand(commandContext))
        .addSubcommand(new SpacesCreateCommand(commandContext));
  }

  private static CommandLine feedCommands(CommandContext commandContext) {
    return new CommandLine(new FeedCommand()).addSubcommand(new FeedTailCommand(commandContext));
  }

  private static CommandLine jobCommands(CommandContext commandContext) {
    return new CommandLine(new JobsCommand())
        .addSubcommand(new JobsListCommand(commandContext))
        .addSubcommand(new JobsRetryCommand(commandContext));
  }

  private static CommandLine agentCommands(CommandContext commandContext) {
    return new CommandLine(new AgentsCommand())
        .addSubcommand(new AgentsListCommand(commandContext))
        .addSubcommand(new AgentsStatusCommand(commandContext))
        .addSubcommand(new AgentsUnregisterCommand(commandContext));
  }

  private static CommandLine leaseCommands(CommandContext commandContext) {
    return new CommandLine(new LeasesCommand())
        .addSubcommand(new LeasesListCommand(commandContext))
        .addSubcommand(new LeasesRevokeCommand(commandContext));
  }

  private static CommandLine mailCommands(CommandContext commandContext) {
    return new CommandLine(new MessagesCommand())
        .addSubcommand(new MessagesListCommand(commandContext))
        .addSubcommand(new MessagesRequeueCommand(commandContext));
  }

  private static CommandLine checkpointCommands(CommandContext commandContext) {
    return new CommandLine(new CheckpointCommand())
        .addSubcommand(new CheckpointSaveCommand(commandContext))
        .addSubcommand(new CheckpointListCommand(commandContext))
        .addSubcommand(new CheckpointForkCommand(commandContext));
  }

  private static CommandLine indexCommands(CommandContext commandContext) {
    return new CommandLine(new IndexCommand())
        .addSubcommand(new IndexStatusCommand(commandContext))
        .addSubcommand(new IndexEmbedCommand(commandContext))
        .addSubcommand(new IndexCheckCommand(commandContext))
        .addSubcommand(new IndexRebuildCommand(commandContext))
        .addSubcommand(new IndexMigrateCommand(commandContext));
  }

  private static CommandLine packCommands(CommandContext commandContext) {
    return new CommandLine(new PackCommand())
        .addSubcommand(new PackValidateCommand(commandContext))
        .addSubcommand(new PackComposeCommand(commandContext))
        .addSubcommand(new PackDiffCommand(commandContext))
        .addSubcommand(new PackLockCommand(commandContext))
        .addSubcommand(new PackDeployCommand(commandContext))
        .addSubcommand(new PackListCommand(commandContext))
        .addSubcommand(new PackActivateCommand(commandContext))
        .addSubcommand(new PackRollbackCommand(commandContext))
        .addSubcommand(new PackSchemaCommand(commandContext));
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
