package dev.caliber.app;

import dev.caliber.app.DemoTables.Note;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.BackupReport;
import dev.caliber.store.DoctorReport;
import dev.caliber.store.Maintenance;
import dev.caliber.store.Progress;
import dev.caliber.store.Query;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/** The demo's last part: a backup while writes go on, a restore, and the doctor. */
final class DemoBackup {
  private static final SpaceId SPACE = SpaceId.DEFAULT;
  private static final String PREFIX = "during-backup-";
  private static final String AFTER_PREFIX = "during-backup.";

  private final DemoStage stage;
  private final Workbench workbench;
  private final OpenStore store;

  DemoBackup(DemoStage stage, Workbench workbench, OpenStore store) {
    this.stage = stage;
    this.workbench = workbench;
    this.store = store;
  }

  void run(Path directory) throws IOException, InterruptedException {
    stage.part("A backup while agents go on writing, and a check-up");
    stage.say("One agent writes a note a commit; meanwhile the store is backed up into one file.");
    long base = store.feed().head(SPACE).sequence();
    Path file = directory.resolve("backup.db");
    BackupReport backup = backupWhileWriting(file);
    long end = store.feed().head(SPACE).sequence();
    stage.say(
        "  the backup holds %,d records in %,d KiB; the agent made %,d commits from start to end"
            .formatted(backup.records(), backup.bytes() >> 10, end - base));
    Path restored = directory.resolve("restored");
    DemoDirectory.mark(restored);
    try (OpenStore copy = workbench.open(DemoDirectory.config(restored))) {
      Maintenance.of(copy.records()).restore(file, Progress.NONE);
      long head = copy.feed().head(SPACE).sequence();
      stage.say("  restored into a second store, it ends with commit %,d".formatted(head));
      stage.check("that is one of the commits made meanwhile", head > base && head <= end);
      stage.check(
          "it holds every note up to that commit and none after it",
          writtenMeanwhile(copy) == head - base);
      stage.check("the doctor finds the restored store healthy", isHealthy(copy));
    }
    stage.check("the doctor finds the first store healthy, kill and all", isHealthy(store));
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
                    note(PREFIX + number);
                    writing.countDown();
                  }
                });
    try {
      writing.await();
      return Maintenance.of(store.records()).backup(file, Progress.NONE);
    } finally {
      stop.set(true);
      agent.join();
    }
  }

  private void note(String name) {
    store
        .records()
        .write(
            SPACE,
            transaction -> {
              transaction.insert(DemoTables.NOTES, new Note(name, "Written meanwhile."));
              return true;
            });
  }

  private static long writtenMeanwhile(OpenStore copy) {
    return copy.records()
        .read(
            SPACE,
            snapshot ->
                snapshot.count(Query.over(DemoTables.NOTES).from(PREFIX).until(AFTER_PREFIX)));
  }

  private boolean isHealthy(OpenStore examined) {
    DoctorReport report = Maintenance.of(examined.records()).examine(Progress.NONE);
    report
        .findings()
        .forEach(
            finding ->
                stage.say(
                    "  %s %s: %s".formatted(finding.severity(), finding.where(), finding.what())));
    return report.isHealthy();
  }
}
