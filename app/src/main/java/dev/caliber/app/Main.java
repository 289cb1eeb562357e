package dev.caliber.app;

import dev.caliber.kernel.Seam;
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

/** The {@code caliber} command: takes what is outside, builds the tree of commands, runs one. */
public final class Main {
  /** How long an interrupted command may take to put its things away. */
  private static final Duration CLOSING_BOUND = Duration.ofMinutes(3);

  private static final String HELP = "help";

  /** Says on every start that Lucene has faster kernels; a short command needs none. */
  private static final Logger KERNELS =
      Logger.getLogger("org.apache.lucene.internal.vectorization.VectorizationProvider");

  private Main() {}

  /** Runs one command line and ends the process with its exit code. */
  @Seam("main ends the process, and is told when somebody else wants it ended")
  public static void main(String[] args) {
    Locale.setDefault(Locale.ROOT);
    KERNELS.setLevel(Level.SEVERE);
    CountDownLatch done = new CountDownLatch(1);
    Thread command = Thread.currentThread();
    Runtime.getRuntime()
        .addShutdownHook(
            Thread.ofPlatform().name("caliber-closing").unstarted(() -> close(command, done)));
    int code = run(Surroundings.ofProcess(), args);
    done.countDown();
    System.exit(code);
  }

  /** Runs one command line and returns its exit code. */
  static int run(Surroundings surroundings, String... args) {
    CaliberCommand options = new CaliberCommand();
    Failures failures = new Failures(surroundings.terminal(), options);
    try {
      return commands(surroundings, options, args)
          .setParameterExceptionHandler(failures)
          .setExecutionExceptionHandler(failures)
          .execute(args);
    } catch (RuntimeException | Error e) {
      return failures.report(e).number();
    } finally {
      surroundings.terminal().out().flush();
    }
  }

  /** The command that the first word names, if it does; else every command there is. */
  static CommandLine commands(Surroundings surroundings, CaliberCommand options, String... args) {
    Map<String, Supplier<Object>> all = byName(new Workbench(surroundings, options));
    if (args.length > 0 && !args[0].equals(HELP) && all.containsKey(args[0])) {
      all.keySet().retainAll(Set.of(args[0]));
    }
    CommandLine commands = new CommandLine(options);
    all.forEach((name, command) -> commands.addSubcommand(name, command.get()));
    return HelpPages.arrange(commands, surroundings.terminal());
  }

  /** Each is made when it is wanted: looking at sixty classes takes longer than most commands. */
  private static Map<String, Supplier<Object>> byName(Workbench workbench) {
    Map<String, Supplier<Object>> all = new LinkedHashMap<>();
    all.put("demo", () -> new DemoCommand(workbench));
    all.put("init", () -> new InitCommand(workbench));
    all.put("serve", () -> new ServeCommand(workbench));
    all.put("mcp", () -> new McpCommand(workbench));
    all.put("connect", () -> new ConnectCommand(workbench));
    all.put("keys", () -> keyCommands(workbench));
    all.put("config", () -> configCommands(workbench));
    all.put("dsl", () -> dslCommands(workbench));
    all.put("remember", () -> new RememberCommand(workbench));
    all.put("recall", () -> new RecallCommand(workbench));
    all.put("notes", () -> new NotesCommand(workbench));
    all.put("history", () -> new HistoryCommand(workbench));
    all.put("forget", () -> new ForgetCommand(workbench));
    all.put("promote", () -> new PromoteCommand(workbench));
    all.put("assemble", () -> new AssembleCommand(workbench));
    all.put("windows", () -> new WindowsCommand(workbench));
    all.put("explain", () -> new ExplainCommand(workbench));
    all.put("annotate", () -> new AnnotateCommand(workbench));
    all.put("validate", () -> new ValidateCommand(workbench));
    all.put("lint", () -> new LintCommand(workbench));
    all.put("checkpoint", () -> checkpointCommands(workbench));
    all.put("recover", () -> new RecoverCommand(workbench));
    all.put("turns", () -> new TurnsCommand(workbench));
    all.put("state", () -> new StateCommand(workbench));
    all.put("lineage", () -> new LineageCommand(workbench));
    all.put("artifacts", () -> new ArtifactsCommand(workbench));
    all.put("trace", () -> new TraceCommand(workbench));
    all.put("cleanup", () -> new CleanupCommand(workbench));
    all.put("pack", () -> packCommands(workbench));
    all.put("stats", () -> new StatsCommand(workbench));
    all.put("spaces", () -> spaceCommands(workbench));
    all.put("feed", () -> feedCommands(workbench));
    all.put("jobs", () -> jobCommands(workbench));
    all.put("agents", () -> agentCommands(workbench));
    all.put("leases", () -> leaseCommands(workbench));
    all.put("mail", () -> mailCommands(workbench));
    all.put("index", () -> indexCommands(workbench));
    all.put("backup", () -> new BackupCommand(workbench));
    all.put("restore", () -> new RestoreCommand(workbench));
    all.put("export", () -> new ExportCommand(workbench));
    all.put("import", () -> new ImportCommand(workbench));
    all.put("doctor", () -> new DoctorCommand(workbench));
    all.put("compact", () -> new CompactCommand(workbench));
    all.put(HELP, HelpCommand::new);
    all.put("version", () -> new VersionCommand(workbench));
    all.put("demo-writer", () -> new DemoWriterCommand(workbench));
    return all;
  }

  private static CommandLine keyCommands(Workbench workbench) {
    return new CommandLine(new KeysCommand())
        .addSubcommand(new KeysCreateCommand(workbench))
        .addSubcommand(new KeysListCommand(workbench))
        .addSubcommand(new KeysRevokeCommand(workbench));
  }

  private static CommandLine configCommands(Workbench workbench) {
    return new CommandLine(new ConfigCommand())
        .addSubcommand(new ConfigCheckCommand(workbench))
        .addSubcommand(new ConfigKeysCommand(workbench));
  }

  private static CommandLine dslCommands(Workbench workbench) {
    return new CommandLine(new DslCommand())
        .addSubcommand(new DslCheckCommand(workbench))
        .addSubcommand(new DslFormatCommand(workbench))
        .addSubcommand(new DslDeployCommand(workbench))
        .addSubcommand(new DslGrammarCommand(workbench));
  }

  private static CommandLine spaceCommands(Workbench workbench) {
    return new CommandLine(new SpacesCommand())
        .addSubcommand(new SpacesListCommand(workbench))
        .addSubcommand(new SpacesCreateCommand(workbench));
  }

  private static CommandLine feedCommands(Workbench workbench) {
    return new CommandLine(new FeedCommand()).addSubcommand(new FeedTailCommand(workbench));
  }

  private static CommandLine jobCommands(Workbench workbench) {
    return new CommandLine(new JobsCommand())
        .addSubcommand(new JobsListCommand(workbench))
        .addSubcommand(new JobsReviveCommand(workbench));
  }

  private static CommandLine agentCommands(Workbench workbench) {
    return new CommandLine(new AgentsCommand())
        .addSubcommand(new AgentsListCommand(workbench))
        .addSubcommand(new AgentsStatusCommand(workbench))
        .addSubcommand(new AgentsRemoveCommand(workbench));
  }

  private static CommandLine leaseCommands(Workbench workbench) {
    return new CommandLine(new LeasesCommand())
        .addSubcommand(new LeasesListCommand(workbench))
        .addSubcommand(new LeasesRevokeCommand(workbench));
  }

  private static CommandLine mailCommands(Workbench workbench) {
    return new CommandLine(new MailCommand())
        .addSubcommand(new MailListCommand(workbench))
        .addSubcommand(new MailReviveCommand(workbench));
  }

  private static CommandLine checkpointCommands(Workbench workbench) {
    return new CommandLine(new CheckpointCommand())
        .addSubcommand(new CheckpointSaveCommand(workbench))
        .addSubcommand(new CheckpointListCommand(workbench))
        .addSubcommand(new CheckpointForkCommand(workbench));
  }

  private static CommandLine indexCommands(Workbench workbench) {
    return new CommandLine(new IndexCommand())
        .addSubcommand(new IndexStatusCommand(workbench))
        .addSubcommand(new IndexEmbedCommand(workbench))
        .addSubcommand(new IndexCheckCommand(workbench))
        .addSubcommand(new IndexRebuildCommand(workbench))
        .addSubcommand(new IndexMigrateCommand(workbench));
  }

  private static CommandLine packCommands(Workbench workbench) {
    return new CommandLine(new PackCommand())
        .addSubcommand(new PackValidateCommand(workbench))
        .addSubcommand(new PackComposeCommand(workbench))
        .addSubcommand(new PackDiffCommand(workbench))
        .addSubcommand(new PackLockCommand(workbench))
        .addSubcommand(new PackDeployCommand(workbench))
        .addSubcommand(new PackListCommand(workbench))
        .addSubcommand(new PackActivateCommand(workbench))
        .addSubcommand(new PackRollbackCommand(workbench))
        .addSubcommand(new PackSchemaCommand(workbench));
  }

  private static void close(Thread command, CountDownLatch done) {
    command.interrupt();
    try {
      boolean closed = done.await(CLOSING_BOUND.toMillis(), TimeUnit.MILLISECONDS);
      if (!closed) {
        Thread.currentThread().interrupt(); // the store recovers by itself when it is opened again
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
