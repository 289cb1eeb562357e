package dev.caliber.app.demo;

import dev.caliber.app.shell.CommandContext;
import dev.caliber.app.shell.OpenStore;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.Memory;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.store.ProgressListener;
import dev.caliber.store.maintenance.BackupReport;
import dev.caliber.store.maintenance.DoctorReport;
import dev.caliber.store.maintenance.Maintenance;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/** A part of the demo: a backup while writes go on, a restore, and the doctor. */
final class DemoBackup {
  private static final SpaceId SPACE = SpaceId.DEFAULT;
  private static final String SESSION = "during the backup";

  private final DemoReporter stage;
  private final CommandContext commandContext;
  private final OpenStore store;
  private final Memory memory;

  DemoBackup(DemoReporter stage, CommandContext commandContext, DemoModules modules) {
    this.stage = stage;
    this.commandContext = commandContext;
    this.store = modules.store();
    this.memory = modules.memory();
  }

  void run(Path directory) throws IOException, InterruptedException {
    stage.beginPart("A backup while agents go on writing, and a check-up");
    stage.printText(
        "One agent appends a message in each commit; meanwhile the store is backed up into one file.");
    long base = store.feed().head(SPACE).sequence();
    Path file = directory.resolve("backup.db");
    BackupReport backup = backupWhileWriting(file);
    long end = store.feed().head(SPACE).sequence();
    stage.printText(
        "  the backup holds %,d records in %,d KiB; the agent made %,d commits from start to end"
            .formatted(backup.records(), backup.bytes() >> 10, end - base));
    Path restored = directory.resolve("restored");
    try (OpenStore copy = commandContext.open(DemoDirectory.config(restored))) {
      Maintenance.of(copy.records()).restore(file, ProgressListener.NONE);
      long head = copy.feed().head(SPACE).sequence();
      stage.printText("  restored into a second store; its last commit is %,d".formatted(head));
      stage.check("that is one of the commits made meanwhile", head > base && head <= end);
      stage.check(
          "it holds every message up to that commit and none after it",
          countMessages(copy) == head - base);
      stage.check("the doctor finds the restored store healthy", isHealthy(copy));
    }
    stage.check("the doctor finds the first store healthy, after the kill, too", isHealthy(store));
  }

  private BackupReport backupWhileWriting(Path file) throws InterruptedException {
    AtomicBoolean stop = new AtomicBoolean();
    CountDownLatch writing = new CountDownLatch(1);
    Thread agent =
        Thread.ofPlatform()
            .name("caliber-demo-agent")
            .start(
                () -> {
                  for (long number = 1; !stop.get(); number++) {
                    appendMessage(number);
                    writing.countDown();
                  }
                });
    try {
      writing.await();
      return Maintenance.of(store.records()).backup(file, ProgressListener.NONE);
    } finally {
      stop.set(true);
      agent.join();
    }
  }

  private void appendMessage(long number) {
    memory.remember(SPACE, SESSION, List.of(NewTurn.user("Message %d.".formatted(number))));
  }

  private long countMessages(OpenStore copy) {
    return DemoModules.openMemory(commandContext, copy)
        .view(
            SPACE,
            view -> view.newestTrajectoryByExternalId(SESSION).orElseThrow().counters().turns());
  }

  private boolean isHealthy(OpenStore examined) {
    DoctorReport report = Maintenance.of(examined.records()).examine(ProgressListener.NONE);
    report
        .findings()
        .forEach(
            doctorFinding ->
                stage.printText(
                    "  %s %s: %s"
                        .formatted(
                            doctorFinding.severity(),
                            doctorFinding.where(),
                            doctorFinding.what())));
    return report.isHealthy();
  }
}
