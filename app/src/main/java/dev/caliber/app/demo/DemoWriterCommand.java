package dev.caliber.app.demo;

import dev.caliber.app.shell.CommandContext;
import dev.caliber.app.shell.ExitCode;
import dev.caliber.app.shell.OpenStore;
import dev.caliber.memory.Memory;
import dev.caliber.memory.command.NewTurn;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * The process that the demo kills. Its threads append turns without end, each to a session of its
 * own, and print each turn after its commit was acknowledged.
 */
@Command(name = "demo-writer", header = "Writes until it is killed, for the demo.", hidden = true)
public final class DemoWriterCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  @Parameters(paramLabel = "DIR", description = "The store's directory.")
  private Path directory = Path.of("");

  @Parameters(paramLabel = "THREADS", description = "The number of writer threads.")
  private int writers;

  public DemoWriterCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  @Override
  public Integer call() throws InterruptedException {
    try (OpenStore store =
        commandContext.open(DemoDirectory.config(commandContext.resolve(directory)))) {
      store.records().createSpace(DemoProcessKill.SPACE);
      Memory memory = DemoModules.openMemory(commandContext, store);
      List<Thread> threads = new ArrayList<>();
      for (int i = 1; i <= writers; i++) {
        int writer = i;
        threads.add(
            Thread.ofPlatform()
                .name("caliber-writer-" + i)
                .start(() -> appendTurns(memory, writer)));
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }
    return ExitCode.OK.number();
  }

  /** Ends by itself only when its output is closed. */
  private void appendTurns(Memory memory, int writer) {
    for (long number = 1; !commandContext.terminal().isClosed(); number++) {
      String text = DemoProcessKill.turnText(writer, number);
      memory.remember(DemoProcessKill.SPACE, "thread-" + writer, List.of(NewTurn.user(text)));
      commandContext.terminal().printLine(text);
    }
  }
}
