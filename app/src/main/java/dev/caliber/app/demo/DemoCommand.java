package dev.caliber.app.demo;

import dev.caliber.app.serve.ServerRunner;
import dev.caliber.app.shell.AppException;
import dev.caliber.app.shell.CommandContext;
import dev.caliber.app.shell.ExitCode;
import dev.caliber.server.ServerSetup;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.store.StoreConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code caliber demo}: two days of an agent's work, each promise checked while it is shown. */
@Command(
    name = "demo",
    header = "See Caliber at work: two days of an agent, in half a minute.",
    description =
        "An agent talks with a person on two days: memory grows, a process is killed, a context"
            + " window is composed and explained, a contradiction is found, two agents share a file,"
            + " and the person is forgotten. Runs on the embedded engine in a temporary directory,"
            + " needs no network, and touches no store of yours. Everything that it says is checked;"
            + " exit code 1 if a check fails.")
public final class DemoCommand implements Callable<Integer> {
  /** How far the two days of the story are apart. */
  private static final Duration ONE_DAY_BOUND = Duration.ofDays(1);

  private final CommandContext commandContext;

  @Option(
      names = "--check",
      description =
          "Print every check, and check more: atomic commits, jobs, backup and restore, packs.")
  private boolean check;

  @Option(
      names = "--directory",
      paramLabel = "DIR",
      description = "Use this new or empty directory and keep it.")
  private Optional<Path> keep = Optional.empty();

  @Option(
      names = "--writes",
      paramLabel = "N",
      defaultValue = "2000",
      description = "Kill the writing process after this many messages (${DEFAULT-VALUE}).")
  private int writes;

  @Option(names = "--serve", description = "Afterwards, serve the demo's memory until Ctrl-C.")
  private boolean serve;

  @Option(
      names = "--port",
      paramLabel = "N",
      description = "The port of that server, instead of server.port; 0 takes a free one.")
  private Optional<Integer> port = Optional.empty();

  public DemoCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (writes < 1) {
      throw AppException.usage(
          "--writes %d is no number of messages".formatted(writes), "Name 1 or more.");
    }
    try (DemoDirectory directory = DemoDirectory.create(keep.map(commandContext::resolve))) {
      DemoReporter stage = new DemoReporter(commandContext.output(), check);
      StoreConfig config = DemoDirectory.config(directory.store());
      stage.printText("Everything happens in a store of its own, in " + directory.path());
      playFirstDay(stage, config);
      new DemoProcessKill(stage, commandContext, config).run(directory.store(), writes);
      playSecondDay(stage, directory, config);
      boolean good = stage.finish();
      conclude(stage, directory);
      if (serve) {
        serve(stage, config);
      }
      return (good ? ExitCode.OK : ExitCode.FAILED).number();
    }
  }

  private void playFirstDay(DemoReporter stage, StoreConfig config) {
    Clock yesterday = Clock.offset(commandContext.environment().clock(), ONE_DAY_BOUND.negated());
    try (DemoModules modules = DemoModules.open(commandContext.withClock(yesterday), config)) {
      new DemoStory(stage, modules).showConversation();
    }
  }

  private void playSecondDay(DemoReporter stage, DemoDirectory directory, StoreConfig config)
      throws IOException, InterruptedException {
    try (DemoModules modules = DemoModules.open(commandContext, config)) {
      DemoStory story = new DemoStory(stage, modules);
      story.showRecall();
      story.showWindow();
      story.showContradiction();
      new DemoAgents(stage, modules).run();
      new DemoRecovery(stage, modules).run();
      story.showForget();
      if (check) {
        new DemoCommits(stage, modules).run();
        new DemoJob(stage, modules, commandContext.environment().clock()).run();
        new DemoBackup(stage, commandContext, modules).run(directory.path());
        new DemoPack(stage, commandContext, modules.store()).run();
      }
    }
  }

  /** The memory of the story, at the address of any other server. */
  private void serve(DemoReporter stage, StoreConfig memory) throws IOException {
    ServerConfig config = commandContext.configs().server();
    ServerSetup setup =
        commandContext
            .serverSetup(
                config.withAddress(
                    config.listening().host(), port.orElse(config.listening().port())))
            .withStore(memory);
    new ServerRunner(setup, Optional.empty())
        .run(
            server -> {
              stage.showServerAddress(server.address());
              commandContext.terminal().out().flush();
            });
  }

  private static void conclude(DemoReporter stage, DemoDirectory directory) {
    stage.printText("");
    stage.printText("What to try next:");
    if (directory.isKept()) {
      String data = directory.store().toString();
      stage.printText("  caliber stats --data " + data);
      stage.printText("  caliber turns trip --data " + data);
    } else {
      stage.printText(
          "  caliber demo --directory D  the demo again, and keep its store to look at");
      stage.printText(
          "  caliber demo --serve        the demo again, then a server with its memory");
    }
    stage.printText(
        "  caliber remember TEXT       then 'caliber recall QUESTION', and 'caliber forget'");
    stage.printText(
        "  caliber init                write your own caliber.toml, every setting explained");
    stage.printText("  caliber --help              list every command");
  }
}
