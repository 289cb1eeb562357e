package dev.caliber.app;

import dev.caliber.app.DemoTables.Note;
import dev.caliber.kernel.SpaceId;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * The process that the demo kills: writes notes from several threads without end and prints the
 * name of each one after its commit was acknowledged.
 */
@Command(name = "demo-writer", header = "Writes until it is killed, for the demo.", hidden = true)
final class DemoWriterCommand implements Callable<Integer> {
  private final Workbench workbench;

  @Parameters(paramLabel = "DIR", description = "The store's directory.")
  private Path directory = Path.of("");

  @Parameters(paramLabel = "THREADS", description = "How many write at once.")
  private int writers;

  DemoWriterCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() throws InterruptedException {
    try (OpenStore store = workbench.open(DemoDirectory.config(workbench.resolve(directory)))) {
      List<Thread> threads = new ArrayList<>();
      for (int i = 1; i <= writers; i++) {
        int writer = i;
        threads.add(
            Thread.ofPlatform().name("caliber-writer-" + i).start(() -> write(store, writer)));
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }
    return ExitCode.OK.number();
  }

  /** Ends by itself only when nobody listens any more. */
  private void write(OpenStore store, int writer) {
    for (long number = 1; !workbench.terminal().isGone(); number++) {
      String name = DemoKill.noteName(writer, number);
      store
          .records()
          .write(
              SpaceId.DEFAULT,
              transaction -> {
                transaction.insert(DemoTables.NOTES, new Note(name, "Written under fire."));
                return true;
              });
      workbench.terminal().line(name);
    }
  }
}
