package dev.caliber.app;

import dev.caliber.kernel.Seam;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine;

/** The {@code caliber} command: takes what is outside, builds the tree of commands, runs one. */
public final class Main {
  /** How long an interrupted command may take to put its things away. */
  private static final Duration CLOSING_BOUND = Duration.ofMinutes(3);

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
      return commands(surroundings, options)
          .setParameterExceptionHandler(failures)
          .setExecutionExceptionHandler(failures)
          .execute(args);
    } catch (RuntimeException | Error e) {
      return failures.report(e).number();
    } finally {
      surroundings.terminal().out().flush();
    }
  }

  /** Every command there is. */
  static CommandLine commands(Surroundings surroundings, CaliberCommand options) {
    Workbench workbench = new Workbench(surroundings, options);
    CommandLine commands =
        new CommandLine(options)
            .addSubcommand(new DemoCommand(workbench))
            .addSubcommand(new InitCommand(workbench))
            .addSubcommand(new ServeCommand(workbench))
            .addSubcommand(new McpCommand(workbench))
            .addSubcommand(new ConnectCommand(workbench))
            .addSubcommand(
                new CommandLine(new KeysCommand())
                    .addSubcommand(new KeysCreateCommand(workbench))
                    .addSubcommand(new KeysListCommand(workbench))
                    .addSubcommand(new KeysRevokeCommand(workbench)))
            .addSubcommand(
                new CommandLine(new ConfigCommand())
                    .addSubcommand(new ConfigCheckCommand(workbench))
                    .addSubcommand(new ConfigKeysCommand(workbench)))
            .addSubcommand(
                new CommandLine(new DslCommand())
                    .addSubcommand(new DslCheckCommand(workbench))
                    .addSubcommand(new DslFormatCommand(workbench))
                    .addSubcommand(new DslDeployCommand(workbench)))
            .addSubcommand(new RememberCommand(workbench))
            .addSubcommand(new RecallCommand(workbench))
            .addSubcommand(new ForgetCommand(workbench))
            .addSubcommand(new AssembleCommand(workbench))
            .addSubcommand(new ExplainCommand(workbench))
            .addSubcommand(new ValidateCommand(workbench))
            .addSubcommand(new LintCommand(workbench))
            .addSubcommand(checkpointCommands(workbench))
            .addSubcommand(new RecoverCommand(workbench))
            .addSubcommand(new TurnsCommand(workbench))
            .addSubcommand(new TraceCommand(workbench))
            .addSubcommand(packCommands(workbench))
            .addSubcommand(new StatsCommand(workbench))
            .addSubcommand(
                new CommandLine(new SpacesCommand())
                    .addSubcommand(new SpacesListCommand(workbench))
                    .addSubcommand(new SpacesCreateCommand(workbench)))
            .addSubcommand(
                new CommandLine(new FeedCommand()).addSubcommand(new FeedTailCommand(workbench)))
            .addSubcommand(
                new CommandLine(new JobsCommand())
                    .addSubcommand(new JobsListCommand(workbench))
                    .addSubcommand(new JobsReviveCommand(workbench)))
            .addSubcommand(agentCommands(workbench))
            .addSubcommand(leaseCommands(workbench))
            .addSubcommand(mailCommands(workbench))
            .addSubcommand(indexCommands(workbench))
            .addSubcommand(new BackupCommand(workbench))
            .addSubcommand(new RestoreCommand(workbench))
            .addSubcommand(new ExportCommand(workbench))
            .addSubcommand(new ImportCommand(workbench))
            .addSubcommand(new DoctorCommand(workbench))
            .addSubcommand(new HelpCommand())
            .addSubcommand(new VersionCommand(workbench))
            .addSubcommand(new DemoWriterCommand(workbench));
    return HelpPages.arrange(commands, surroundings.terminal());
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
        .addSubcommand(new PackRollbackCommand(workbench));
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
