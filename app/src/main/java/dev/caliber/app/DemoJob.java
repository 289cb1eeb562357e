package dev.caliber.app;

import dev.caliber.app.DemoTables.Note;
import dev.caliber.kernel.Durations;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Change;
import dev.caliber.store.ChangeKind;
import dev.caliber.store.Commit;
import dev.caliber.store.FeedCursor;
import dev.caliber.store.JobEffect;
import dev.caliber.store.JobRequest;
import dev.caliber.store.JobRun;
import dev.caliber.store.Jobs;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The demo's fifth part: work for later, tried again, whose end and effect are one commit. */
final class DemoJob {
  private static final SpaceId SPACE = SpaceId.DEFAULT;
  private static final String KIND = "demo-reminder";
  private static final String REMINDER = "reminder";
  private static final Duration PATIENCE_BOUND = Duration.ofMinutes(1);

  private final DemoStage stage;
  private final OpenStore store;
  private final Clock clock;

  DemoJob(DemoStage stage, OpenStore store, Clock clock) {
    this.stage = stage;
    this.store = store;
    this.clock = clock;
  }

  void run() throws InterruptedException {
    stage.part("Work for later, done once");
    stage.say(
        """
        A job is scheduled to write a reminder. Its first attempt fails on purpose (a warning in
        the log says so); the runner waits %s and tries again."""
            .formatted(Durations.format(store.config().jobs().backoff())));
    FeedCursor before = store.feed().head(SPACE);
    try (Jobs jobs = Jobs.of(store.records(), store.config().jobs(), clock)) {
      jobs.handle(KIND, DemoJob::attempt);
      jobs.start();
      store
          .records()
          .write(
              SPACE,
              transaction ->
                  Jobs.schedule(transaction, JobRequest.of(KIND, "{}", transaction.now())));
      Optional<Commit> end = awaitReminder(before);
      end.ifPresent(stage::show);
      stage.check("the reminder was written", end.isPresent());
      stage.check(
          "in the same commit the job ended: it cannot be done twice, or half",
          end.filter(commit -> touches(commit, Jobs.TABLE.name(), ChangeKind.DELETED)).isPresent());
      Optional<Note> reminder =
          store.records().read(SPACE, snapshot -> snapshot.find(DemoTables.NOTES, REMINDER));
      stage.check(
          "it took two attempts",
          reminder.filter(note -> note.text().endsWith("attempt 2")).isPresent());
    }
  }

  private static JobEffect attempt(JobRun run) {
    if (run.job().attempts() == 1) {
      throw new IllegalStateException("part of the demo, not a fault");
    }
    Note reminder =
        new Note(REMINDER, "The report is due. Written by attempt " + run.job().attempts());
    return transaction -> transaction.put(DemoTables.NOTES, reminder);
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
        if (touches(commit, DemoTables.NOTES.name(), ChangeKind.CREATED)) {
          return Optional.of(commit);
        }
      }
      cursor = new FeedCursor(cursor.epoch(), commits.getLast().sequence());
    }
  }

  private static boolean touches(Commit commit, String table, ChangeKind kind) {
    for (Change change : commit.changes()) {
      if (change.table().equals(table) && change.kind() == kind) {
        return true;
      }
    }
    return false;
  }
}
