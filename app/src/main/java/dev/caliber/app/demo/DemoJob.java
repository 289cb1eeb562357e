package dev.caliber.app.demo;

import dev.caliber.app.shell.OpenStore;
import dev.caliber.kernel.Durations;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.Memory;
import dev.caliber.memory.command.NewNote;
import dev.caliber.memory.record.Note;
import dev.caliber.store.ChangeKind;
import dev.caliber.store.Commit;
import dev.caliber.store.FeedCursor;
import dev.caliber.store.RecordChange;
import dev.caliber.store.job.JobEffect;
import dev.caliber.store.job.JobRequest;
import dev.caliber.store.job.JobRun;
import dev.caliber.store.job.Jobs;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** A part of the demo: a job is tried again, and its end and its effect are one commit. */
final class DemoJob {
  private static final SpaceId SPACE = SpaceId.DEFAULT;
  private static final String KIND = "demo-reminder";
  private static final Duration PATIENCE_BOUND = Duration.ofMinutes(1);

  private final DemoReporter stage;
  private final OpenStore store;
  private final Memory memory;
  private final Clock clock;
  private final AtomicInteger attempts = new AtomicInteger();

  DemoJob(DemoReporter stage, DemoModules modules, Clock clock) {
    this.stage = stage;
    this.store = modules.store();
    this.memory = modules.memory();
    this.clock = clock;
  }

  void run() throws InterruptedException {
    stage.beginPart("A job is tried again, and takes effect once");
    stage.printText(
        """
        A job is scheduled to write a reminder. Its first attempt fails on purpose (with a warning
        in the log); the runner waits %s and tries again."""
            .formatted(Durations.format(store.config().jobs().backoff())));
    FeedCursor before = store.feed().head(SPACE);
    try (Jobs jobs = Jobs.of(store.records(), store.config().jobs(), clock)) {
      jobs.registerHandler(KIND, this::runAttempt);
      jobs.start();
      store
          .records()
          .write(
              SPACE,
              transaction ->
                  Jobs.schedule(transaction, JobRequest.of(KIND, "{}", transaction.now())));
      Optional<Commit> end = awaitReminder(before);
      end.ifPresent(stage::showCommit);
      stage.check("the reminder was written", end.isPresent());
      stage.check(
          "the job ended in the same commit: its effect cannot happen twice, or by half",
          end.filter(commit -> touches(commit, Jobs.TABLE.name(), ChangeKind.DELETED)).isPresent());
      stage.check("it took two attempts", attempts.get() == 2);
    }
  }

  private JobEffect runAttempt(JobRun run) {
    if (attempts.incrementAndGet() == 1) {
      throw new IllegalStateException("part of the demo, not a fault");
    }
    return transaction -> memory.remember(transaction, NewNote.of("The report is due."));
  }

  private Optional<Commit> awaitReminder(FeedCursor before) throws InterruptedException {
    FeedCursor cursor = before;
    while (true) {
      List<Commit> commits =
          store.feed().await(SPACE, cursor, store.config().feed().pageLimit(), PATIENCE_BOUND);
      if (commits.isEmpty()) {
        return Optional.empty();
      }
      for (Commit commit : commits) {
        if (touches(commit, Note.TABLE.name(), ChangeKind.CREATED)) {
          return Optional.of(commit);
        }
      }
      cursor = new FeedCursor(cursor.epoch(), commits.getLast().sequence());
    }
  }

  private static boolean touches(Commit commit, String table, ChangeKind kind) {
    for (RecordChange recordChange : commit.changes()) {
      if (recordChange.table().equals(table) && recordChange.kind() == kind) {
        return true;
      }
    }
    return false;
  }
}
