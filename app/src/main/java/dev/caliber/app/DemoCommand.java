package dev.caliber.app;

import dev.caliber.server.Setup;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.store.StoreConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code caliber demo}: what Caliber promises, each promise checked before it is claimed. */
@Command(
    name = "demo",
    header = "See what Caliber promises, in half a minute.",
    description =
        "Runs on the embedded engine in a temporary directory, needs no network, and touches no"
            + " store of yours. Checks everything that it says; exit code 1 if a check fails.")
final class DemoCommand implements Callable<Integer> {
  private final Workbench workbench;

  @Option(
      names = "--keep",
      paramLabel = "DIR",
      description = "Use this new or empty directory and keep it, to look at it afterwards.")
  private Optional<Path> keep = Optional.empty();

  @Option(
      names = "--writes",
      paramLabel = "N",
      defaultValue = "30000",
      description = "Kill the writing process after this many commits (${DEFAULT-VALUE}).")
  private int writes;

  @Option(
      names = "--serve",
      description = "Afterwards, serve the memory that was made, until Ctrl-C.")
  private boolean serve;

  @Option(
      names = "--port",
      paramLabel = "N",
      description = "Where to serve it, instead of server.port; 0 takes a free one.")
  private Optional<Integer> port = Optional.empty();

  DemoCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (writes < 1) {
      throw AppException.usage(
          "--writes %d is no number of commits".formatted(writes), "Name 1 or more.");
    }
    try (DemoDirectory directory = DemoDirectory.make(keep.map(workbench::resolve))) {
      DemoStage stage = new DemoStage(workbench.output());
      introduce(stage, directory.path());
      DemoDirectory.mark(directory.store());
      StoreConfig config = DemoDirectory.config(directory.store());
      try (OpenStore store = workbench.open(config)) {
        DemoCommits commits = new DemoCommits(stage, store);
        commits.together();
        commits.allOrNothing();
        commits.twoWriters();
      }
      new DemoKill(stage, workbench, config).run(directory.store(), writes);
      try (OpenStore store = workbench.open(config)) {
        new DemoJob(stage, store, workbench.surroundings().clock()).run();
        new DemoBackup(stage, workbench, store).run(directory.path());
        new DemoPack(stage, workbench, store).run();
        new DemoAgents(stage, workbench, store).run();
      }
      StoreConfig memory = DemoDirectory.config(directory.path().resolve("memory"));
      try (OpenStore store = workbench.open(memory)) {
        new DemoMemory(stage, workbench).run(store);
        new DemoRecovery(stage, workbench).run(store);
      }
      boolean good = stage.end();
      conclude(stage, directory);
      if (serve) {
        serve(stage, memory);
      }
      return (good ? ExitCode.OK : ExitCode.FAILED).number();
    }
  }

  /** The memory of the story, at the address of any other server. */
  private void serve(DemoStage stage, StoreConfig memory) throws IOException {
    ServerConfig config = workbench.rooms().server();
    Setup setup =
        workbench
            .serverSetup(
                config.listeningAt(
                    config.listening().host(), port.orElse(config.listening().port())))
            .over(memory);
    new Serving(setup, Optional.empty())
        .run(
            server -> {
              stage.listening(server.address());
              workbench.terminal().out().flush();
            });
  }

  private static void introduce(DemoStage stage, Path directory) {
    stage.say(
        """
        Caliber is the memory and coordination runtime for AI agents. Everything durable is a
        record in one store; every commit is an entry of one change feed. This shows, on a store
        in %s, what you can rely on.\
        """
            .formatted(directory));
  }

  private static void conclude(DemoStage stage, DemoDirectory directory) {
    stage.say("");
    stage.say("What to try next:");
    if (directory.isKept()) {
      String data = directory.store().toString();
      stage.say("  caliber stats --data " + data);
      stage.say("  caliber feed tail --data " + data);
    } else {
      stage.say("  caliber demo --keep DIR     the same again, and keep the store to look at");
    }
    stage.say("  caliber remember TEXT       then 'caliber recall QUESTION', and 'caliber forget'");
    stage.say("  caliber init                a caliber.toml of your own, every setting explained");
    stage.say("  caliber --help              every command");
  }
}
