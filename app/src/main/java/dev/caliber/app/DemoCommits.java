package dev.caliber.app;

import dev.caliber.app.DemoTables.Checkpoint;
import dev.caliber.app.DemoTables.Lock;
import dev.caliber.app.DemoTables.Message;
import dev.caliber.app.DemoTables.Note;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Commit;
import dev.caliber.store.FeedCursor;
import dev.caliber.store.Row;
import dev.caliber.store.StoreErrorCode;
import dev.caliber.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

/** The demo's first three parts: what one commit is. */
final class DemoCommits {
  private static final SpaceId SPACE = SpaceId.DEFAULT;
  private static final String RESOURCE = "report.md";
  private static final String NOTE = "deadline";

  private final DemoStage stage;
  private final OpenStore store;

  DemoCommits(DemoStage stage, OpenStore store) {
    this.stage = stage;
    this.store = store;
  }

  void together() {
    stage.part("Four records of four kinds, one commit");
    stage.say(
        """
        The agent 'writer' takes a lock, tells 'reviewer', notes what it learned, and sets a
        checkpoint. Elsewhere these are four systems that a crash can leave apart.""");
    FeedCursor before = store.feed().head(SPACE);
    store
        .records()
        .write(
            SPACE,
            transaction -> {
              transaction.insert(DemoTables.LOCKS, new Lock(RESOURCE, "writer"));
              transaction.insert(
                  DemoTables.MESSAGES,
                  new Message(transaction.newId(), "writer", "reviewer", "I am on it."));
              transaction.insert(DemoTables.NOTES, new Note(NOTE, "The report is due on Friday."));
              transaction.insert(
                  DemoTables.CHECKPOINTS,
                  new Checkpoint(transaction.newId(), transaction.revision()));
              return true;
            });
    List<Commit> commits = store.feed().read(SPACE, before, store.config().feed().pageLimit());
    stage.say("The change feed, which search, wake-ups and event streams follow, now says:");
    commits.forEach(stage::show);
    stage.check(
        "one feed entry holds all four records",
        commits.size() == 1 && commits.getFirst().changes().size() == DemoTables.ALL.size());
  }

  void allOrNothing() {
    stage.part("A write that fails leaves nothing");
    stage.say(
        "'intruder' sends a message and takes the same lock in one write; the lock is taken.");
    long messages = store.count(SPACE, DemoTables.MESSAGES);
    FeedCursor head = store.feed().head(SPACE);
    Optional<StoreException> refusal = refusalOf(this::intrude);
    refusal.ifPresent(e -> stage.say("  refused: " + e.report()));
    stage.check(
        "the write was refused because the lock is there",
        refusal.filter(e -> e.code() == StoreErrorCode.INSERT_FAILED).isPresent());
    stage.check(
        "the message that it had written before is not there",
        store.count(SPACE, DemoTables.MESSAGES) == messages);
    stage.check("the feed shows nothing of it", store.feed().head(SPACE).equals(head));
  }

  void twoWriters() throws InterruptedException {
    stage.part("Two writers, one record: the second is refused, not lost");
    stage.say("Two agents read the same note, then both write it, expecting what they read.");
    Row<Note> read =
        store.records().read(SPACE, snapshot -> snapshot.row(DemoTables.NOTES, NOTE)).orElseThrow();
    ConcurrentLinkedQueue<StoreException> refusals = new ConcurrentLinkedQueue<>();
    CountDownLatch start = new CountDownLatch(1);
    List<Thread> agents = new ArrayList<>();
    for (String agent : List.of("writer", "reviewer")) {
      agents.add(
          Thread.ofVirtual()
              .name("caliber-demo-" + agent)
              .start(
                  () -> {
                    awaitQuietly(start);
                    refusalOf(() -> rewrite(agent, read.revision())).ifPresent(refusals::add);
                  }));
    }
    start.countDown();
    for (Thread agent : agents) {
      agent.join();
    }
    refusals.forEach(e -> stage.say("  refused: " + e.report()));
    Note now = store.records().read(SPACE, snapshot -> snapshot.get(DemoTables.NOTES, NOTE));
    stage.say("  the note now says: " + now.text());
    stage.check(
        "exactly one was refused, and told to look again",
        refusals.size() == 1 && refusals.element().code() == StoreErrorCode.UPDATE_FAILED);
    stage.check("the other one's text is there", !now.text().equals(read.record().text()));
  }

  private void intrude() {
    store
        .records()
        .write(
            SPACE,
            transaction -> {
              transaction.insert(
                  DemoTables.MESSAGES,
                  new Message(transaction.newId(), "intruder", "reviewer", "It is mine now."));
              transaction.insert(DemoTables.LOCKS, new Lock(RESOURCE, "intruder"));
              return true;
            });
  }

  private void rewrite(String agent, long expected) {
    store
        .records()
        .write(
            SPACE,
            transaction -> {
              transaction.put(
                  DemoTables.NOTES, new Note(NOTE, "Moved to Monday, says " + agent), expected);
              return true;
            });
  }

  private static Optional<StoreException> refusalOf(Runnable write) {
    try {
      write.run();
      return Optional.empty();
    } catch (StoreException e) {
      return Optional.of(e);
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
