package dev.caliber.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.command.CreateArtifacts;
import dev.caliber.memory.command.EndTrajectory;
import dev.caliber.memory.command.ForgetRecords;
import dev.caliber.memory.command.ForgetResult;
import dev.caliber.memory.command.NewArtifact;
import dev.caliber.memory.command.RecallFilter;
import dev.caliber.memory.command.RecallQuery;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.forget.ForgetFilteredStore;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.ExtractionMethod;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Provenance;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.view.ForgetRequest;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.store.ForwardingStore;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import dev.caliber.store.job.Jobs;
import dev.caliber.testkit.EachEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Forgets in several commits, of which a reader sees all or nothing. */
@EachEngine
class ForgetBatchesContract extends MemoryFixture {
  private static final String SECRET = "swordfish";
  private static final int MANY = 8;
  private static final Duration AFTER_THE_LEASE = Duration.ofMinutes(1);

  @Override
  public MemoryConfig config(MemoryConfig starter) {
    return starter.with(
        "memory.retention.batch = 4",
        "memory.retention.batch-bytes = '4KiB'",
        "memory.retention.batch-time = '1m'");
  }

  /** Store that reports the number of commits after each of them. */
  private static final class Commits extends ForwardingStore {
    private final IntConsumer after;
    private int count;

    Commits(RecordStore store, IntConsumer after) {
      super(store);
      this.after = after;
    }

    @Override
    public <T> T write(SpaceId space, Function<Transaction, T> work) {
      T done = delegate().write(space, work);
      after.accept(++count);
      return done;
    }
  }

  private Memory forgetting(IntConsumer afterCommit) {
    return Memory.of(new Commits(store, afterCommit), config(MemoryConfig.starter()), parts());
  }

  private static final class Died extends IllegalStateException {
    private static final long serialVersionUID = 1L;
  }

  /** Memory whose process ends after {@code commits} commits. */
  private Memory dyingAfter(int commits) {
    return forgetting(
        count -> {
          if (count == commits) {
            throw new Died();
          }
        });
  }

  /** Two tasks of alice with turns, artifacts, summaries and notes; one of bob. */
  private void talk() {
    Trajectory parent = null;
    for (int i = 0; i < 2; i++) {
      StartTrajectory start =
          StartTrajectory.of("About the " + SECRET, PLANNER).withLabels(Labels.ofSubject("alice"));
      parent = run(parent == null ? start : start.withParent(parent.id()));
      Scope scope = scopeOf(parent);
      for (int j = 0; j < MANY; j++) {
        say(scope, "The %s of alice is number %d.".formatted(SECRET, j));
        make(scope, "A %s of alice, number %d".formatted(SECRET, j));
      }
      run(
          WriteNote.of(
                  "vault", "place", NoteType.FACT, "Number %d needs a %s.".formatted(i, SECRET))
              .withSource(parent.id()));
      run(EndTrajectory.complete(parent.id(), "It was about a " + SECRET + "."));
    }
    run(
        WriteNote.of("alice", "person", NoteType.FACT, "Alice knows a " + SECRET + ".")
            .withLabels(Labels.ofSubject("alice")));
    run(
        WriteNote.of("bob", "person", NoteType.FACT, "Bob likes tea.")
            .withLabels(Labels.ofSubject("bob")));
  }

  private static ForgetRecords alice() {
    return ForgetRecords.matching(RecallFilter.ofSubject("alice"));
  }

  /** Returns how many records of alice a reader sees: notes, hits, tasks, turns and artifacts. */
  private int seen() {
    int hits = memory.recall(SPACE, RecallQuery.of(SECRET, 100)).hits().size();
    int notes = memory.<List<Note>>view(SPACE, view -> view.notes("vault", "place")).size();
    return hits + notes + count(Trajectory.TABLE) + count(Turn.TABLE) + count(Artifact.TABLE);
  }

  private <T> int count(Table<T> table) {
    return ForgetFilteredStore.hideForgotten(store)
        .read(SPACE, snapshot -> snapshot.scan(Query.over(table), 100))
        .records()
        .size();
  }

  private void nothingIsLeft() {
    assertThat(everything().toString()).doesNotContain(SECRET);
    assertThat(rows(ForgetRequest.TABLE)).isEmpty();
    assertThat(rows(Jobs.TABLE)).noneMatch(job -> job.kind().equals(ForgetRunner.JOB));
    assertThat(memory.<List<Note>>view(SPACE, view -> view.notes("bob", "person"))).hasSize(1);
  }

  private <T> List<T> rows(Table<T> table) {
    return store.read(SPACE, snapshot -> snapshot.scan(Query.over(table), 1000)).records();
  }

  private int seenByAnother() {
    return CompletableFuture.supplyAsync(
            this::seen, task -> Thread.ofVirtual().name("other").start(task))
        .join();
  }

  @Test
  @DisplayName(
      "a subject is hidden with the first commit that forgets it, and erased by the others")
  void hiddenAtOnce() {
    talk();
    int before = seen();
    List<Integer> after = new ArrayList<>();
    Memory watched = forgetting(_ -> after.add(seenByAnother()));
    ForgetResult gone = watched.forget(SPACE, alice());
    assertThat(before).isGreaterThan(4 * MANY);
    assertThat(after).hasSizeGreaterThan(MANY).containsOnly(0);
    assertThat(gone.complete()).isTrue();
    assertThat(gone.records()).doesNotHaveDuplicates().hasSizeGreaterThan(4 * MANY);
    nothingIsLeft();
  }

  @Test
  @DisplayName("after a crash during a forget readers see all or nothing; a second call finishes")
  void aSecondCallFinishes() {
    for (int commits = 1; commits <= MANY; commits += 2) {
      talk();
      Memory dying = dyingAfter(commits);
      assertThatThrownBy(() -> dying.forget(SPACE, alice())).isInstanceOf(Died.class);
      assertThat(seen()).as("after %d commits", commits).isZero();
      assertThat(memory.forget(SPACE, alice()).complete()).isTrue();
      nothingIsLeft();
      memory.forget(SPACE, ForgetRecords.matching(RecallFilter.ofSubject("bob")));
    }
  }

  @Test
  @DisplayName("after a crash during a forget a job finishes")
  void theJobFinishes() {
    talk();
    Memory dying = dyingAfter(3);
    assertThatThrownBy(() -> dying.forget(SPACE, alice())).isInstanceOf(Died.class);
    try (Jobs jobs = Jobs.of(store, config().jobs(), clock)) {
      memory.registerJobHandlers(jobs);
      jobs.runDue(SPACE);
      assertThat(rows(ForgetRequest.TABLE)).as("leased by the process that began it").hasSize(1);
      pass(AFTER_THE_LEASE);
      jobs.runDue(SPACE);
    }
    nothingIsLeft();
  }

  @Test
  @DisplayName(
      "a note written while its subject is being forgotten is not merged into a hidden one")
  void notMergedIntoAHiddenNote() {
    talk();
    Memory dying = dyingAfter(1);
    ForgetRecords all = ForgetRecords.matching(RecallFilter.any().withEntity("alice"));
    for (int i = 0; i < MANY; i++) {
      learn("Alice has number " + i + ".");
    }
    assertThatThrownBy(() -> dying.forget(SPACE, all)).isInstanceOf(Died.class);
    pass(AFTER_THE_LEASE);
    Note again = learn("Alice has number 1.");
    memory.forget(SPACE, all);
    assertThat(memory.<List<Note>>view(SPACE, view -> view.notes("alice", "person")))
        .containsExactly(again);
  }

  @Test
  @DisplayName("a turn with many derived records is deleted after them")
  void muchMadeOfOneTurn() {
    Scope scope = scopeOf(start());
    Turn said = say(scope, "The " + SECRET + " is in the vault.");
    Provenance from =
        new Provenance(
            Optional.empty(), ExtractionMethod.INFERRED, Optional.empty(), List.of(said.id()));
    for (int i = 0; i < 3 * MANY; i++) {
      run(
          CreateArtifacts.of(
              NewArtifact.of(scope.id(), ArtifactType.FACT, Bytes.of(SECRET + " number " + i))
                  .withProvenance(from)));
    }
    Artifact other = make(scope, "Something else");
    ForgetResult gone = memory.forget(SPACE, ForgetRecords.of(said.id()));
    assertThat(gone.records()).hasSize(3 * MANY + 1);
    assertThat(everything().toString()).doesNotContain(SECRET);
    assertThat(memory.<List<Artifact>>view(SPACE, view -> view.artifacts(scope.trajectory())))
        .containsExactly(other);
  }

  @Test
  @DisplayName("a record larger than a batch is deleted in a commit of its own")
  void largerThanABatch() {
    Scope scope = scopeOf(start());
    for (int i = 0; i < 3; i++) {
      make(scope, (SECRET + " " + i + " ").repeat(2000));
    }
    memory.forget(SPACE, ForgetRecords.of(scope.trajectory()));
    assertThat(everything().toString()).doesNotContain(SECRET);
  }
}
