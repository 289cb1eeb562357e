package dev.caliber.memory.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.PolicyAction;
import dev.caliber.memory.CommandDispatcher;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryFixture;
import dev.caliber.memory.TroubledStore;
import dev.caliber.memory.UnitOfWorkFactory;
import dev.caliber.memory.command.ConsolidateTrajectory;
import dev.caliber.memory.command.CreateArtifacts;
import dev.caliber.memory.command.EndTrajectory;
import dev.caliber.memory.command.ForgetRecords;
import dev.caliber.memory.command.NewArtifact;
import dev.caliber.memory.command.OpenScope;
import dev.caliber.memory.commit.RuleBasedExtraction;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.ExtractionMethod;
import dev.caliber.memory.record.MemoryErrorCode;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.PolicyRun;
import dev.caliber.memory.record.PolicyStep;
import dev.caliber.memory.record.Provenance;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.store.Page;
import dev.caliber.store.PageCursor;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import dev.caliber.store.job.Jobs;
import dev.caliber.testkit.EachEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Consolidation of a trajectory in several commits, on every engine. */
@EachEngine
class ConsolidationContract extends MemoryFixture {
  private static final int BATCH = 3;
  private static final int FACTS = 7;
  private static final int DECISIONS = 4;
  private static final int NOTES = FACTS + DECISIONS;
  private static final double SURE = 0.5;

  /** Limit of changes that a commit of 100 artifacts exceeds, and one of 20 does not. */
  private static final int CHANGES = 100;

  private static final Duration PATIENCE =
      MemoryConfig.starter().notes().consolidation().resumeAfter();

  @Override
  public StoreConfig stored(StoreConfig starter) {
    return starter.with("store.writes.changes-limit = " + CHANGES);
  }

  private static final class Blow extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private Memory with(int batch) {
    return on(store, batch);
  }

  private Memory on(RecordStore where, int batch) {
    return Memory.of(
        where, MemoryConfig.starter().with("memory.consolidation.batch = " + batch), parts());
  }

  private Memory endingWithNotes(RecordStore where) {
    return Memory.of(
        where,
        MemoryConfig.starter()
            .with(
                "memory.consolidation.at-task-end = true", "memory.consolidation.batch = " + BATCH),
        parts());
  }

  /** Trajectory with facts and decisions in two scopes, and artifacts of other types. */
  private Trajectory filled() {
    Trajectory trajectory = start();
    Scope first = scopeOf(trajectory);
    Scope second = run(new OpenScope(trajectory.id()));
    for (int i = 0; i < FACTS; i++) {
      make(i % 2 == 0 ? first : second, ArtifactType.FACT, "Planet" + i + " has rings" + i);
      make(first, ArtifactType.TOOL_RESULT, "result " + i);
    }
    for (int i = 0; i < DECISIONS; i++) {
      make(second, ArtifactType.DESIGN_DECISION, "Choose engine" + i + " for part" + i);
    }
    return trajectory;
  }

  private void make(Scope scope, ArtifactType type, String words) {
    run(
        CreateArtifacts.of(
            NewArtifact.of(scope.id(), type, Bytes.of(words))
                .withProvenance(
                    new Provenance(
                        Optional.empty(),
                        ExtractionMethod.EXPLICIT,
                        Optional.of(SURE),
                        List.of()))));
  }

  private <T> List<T> all(Table<T> table) {
    return store.read(SPACE, snapshot -> snapshot.scan(Query.over(table), 1000)).records();
  }

  /** Asserts that each artifact became one note with its confidence, in the first version. */
  private void assertEachOnce(int notes) {
    assertThat(all(Note.TABLE))
        .hasSize(notes)
        .allMatch(note -> note.version() == 1 && note.confidence() == SURE)
        .extracting(Note::content)
        .doesNotHaveDuplicates();
  }

  private void assertNothingLeftToDo() {
    assertThat(all(PolicyRun.TABLE)).allMatch(PolicyRun::isDone);
    assertThat(all(Jobs.TABLE)).isEmpty();
  }

  private static Consumer<Transaction> after(int commits) {
    int[] left = {commits};
    return _ -> {
      if (left[0]-- == 0) {
        throw new Blow();
      }
    };
  }

  @Test
  @DisplayName("LIF-14: a trajectory is consolidated in several commits, each artifact once")
  void inPortions() {
    Trajectory trajectory = filled();
    List<Integer> sizes = new ArrayList<>();
    Memory watched = on(new TroubledStore(store, at -> sizes.add(count(at))), BATCH);
    List<Id> ids = watched.run(SPACE, new ConsolidateTrajectory(trajectory.id()));
    assertThat(sizes).containsExactly(BATCH, 2 * BATCH, 3 * BATCH, NOTES);
    assertEachOnce(NOTES);
    assertNothingLeftToDo();
    assertThat(ids).containsExactlyElementsOf(all(Note.TABLE).stream().map(Note::id).toList());
    assertThat(with(NOTES).run(SPACE, new ConsolidateTrajectory(trajectory.id()))).isEqualTo(ids);
    assertThat(watched.run(SPACE, new ConsolidateTrajectory(trajectory.id()))).isEqualTo(ids);
    assertEachOnce(NOTES);
  }

  private static int count(Transaction transaction) {
    return (int) transaction.count(Query.over(Note.TABLE));
  }

  @Test
  @DisplayName("LIF-14: a consolidation that fits into one commit leaves no run behind")
  void atOnce() {
    Trajectory trajectory = filled();
    long before = store.changes().head(SPACE).sequence();
    assertThat(with(NOTES).run(SPACE, new ConsolidateTrajectory(trajectory.id()))).hasSize(NOTES);
    assertThat(store.changes().head(SPACE).sequence()).isEqualTo(before + 1);
    assertThat(all(PolicyRun.TABLE)).isEmpty();
  }

  @Test
  @DisplayName("LIF-14: after a crash the job finishes the consolidation, once")
  void afterACrash() {
    for (int commits = 1; commits <= NOTES / BATCH; commits++) {
      Trajectory trajectory = filled();
      int before = all(Note.TABLE).size();
      Memory dying = on(new TroubledStore(store, after(commits)), BATCH);
      assertThatThrownBy(() -> dying.run(SPACE, new ConsolidateTrajectory(trajectory.id())))
          .isInstanceOf(Blow.class);
      assertThat(all(Note.TABLE)).hasSize(before + Math.min(commits * BATCH, NOTES));
      Jobs jobs = Jobs.of(store, config().jobs(), clock);
      with(BATCH).registerJobHandlers(jobs);
      assertThat(jobs.runDue(SPACE))
          .as("the job does not run while the caller may continue")
          .isZero();
      pass(PATIENCE);
      jobs.runDue(SPACE);
      assertThat(notesOf(trajectory)).hasSize(NOTES);
      assertNothingLeftToDo();
      memory.forget(SPACE, ForgetRecords.of(trajectory.id()));
    }
  }

  private List<Note> notesOf(Trajectory trajectory) {
    return memory.<List<Note>>view(SPACE, view -> view.notesLearnedIn(trajectory.id())).stream()
        .filter(note -> note.version() == 1 && note.confidence() == SURE)
        .toList();
  }

  @Test
  @DisplayName(
      "LIF-14: a caller that pauses too long between two commits leaves the rest to the job")
  void whatAJobHasTakenOver() {
    Trajectory trajectory = filled();
    Jobs jobs = Jobs.of(store, config().jobs(), clock);
    with(BATCH).registerJobHandlers(jobs);
    Memory slow =
        on(
            new TroubledStore(
                store,
                at -> {
                  if (count(at) == 2 * BATCH) {
                    throw new Blow();
                  }
                }),
            BATCH);
    assertThatThrownBy(() -> slow.run(SPACE, new ConsolidateTrajectory(trajectory.id())))
        .isInstanceOf(Blow.class);
    PolicyRun left = all(PolicyRun.TABLE).getFirst();
    pass(PATIENCE);
    jobs.runDue(SPACE);
    refuses(MemoryErrorCode.JOB_LEASE_LOST, () -> goOn(left));
    assertEachOnce(NOTES);
    assertNothingLeftToDo();
    memory.forget(SPACE, ForgetRecords.of(trajectory.id()));
    refuses(MemoryErrorCode.UNKNOWN_RECORD, () -> goOn(left));
  }

  private void goOn(PolicyRun left) {
    store.write(
        SPACE,
        transaction ->
            new CommandDispatcher(
                    new UnitOfWorkFactory(MemoryConfig.starter(), parts()).begin(transaction),
                    COUNTER,
                    new RuleBasedExtraction(MemoryConfig.starter()))
                .consolidationHandler()
                .continueRun(left, BATCH));
  }

  @Test
  @DisplayName(
      "LIF-14: a commit that is too large is retried with fewer artifacts, also for a waiting caller")
  void fewerWhereACommitIsTooLarge() {
    Trajectory trajectory = start();
    Scope scope = scopeOf(trajectory);
    for (int i = 0; i < CHANGES; i++) {
      make(scope, ArtifactType.FACT, "Planet" + i + " has rings" + i);
    }
    TroubledStore counted = new TroubledStore(store, _ -> {});
    assertThat(on(counted, CHANGES).run(SPACE, new ConsolidateTrajectory(trajectory.id())))
        .hasSize(CHANGES);
    assertThat(counted.refused()).as("the size that is refused is not tried again").isOne();
    assertEachOnce(CHANGES);
    assertNothingLeftToDo();
  }

  @Test
  @DisplayName(
      "J-12: at the end of a trajectory a commit that lasts too long is retried with one artifact")
  void fewerWhereACommitLastsTooLong() {
    Trajectory trajectory = filled();
    int[] stood = {0};
    TroubledStore slow =
        new TroubledStore(
            store,
            at -> {
              int made = count(at);
              if (made > stood[0] + 1) {
                clock.advance(Duration.ofMinutes(1));
              } else {
                stood[0] = made;
              }
            });
    endingWithNotes(slow).run(SPACE, EndTrajectory.complete(trajectory.id(), "Done"));
    assertThat(slow.refused()).as("the size that lasted too long is not tried again").isOne();
    assertEachOnce(NOTES);
    assertNothingLeftToDo();
  }

  @Test
  @DisplayName(
      "J-12: a crash at the end of a trajectory leaves whole batches, and the job does the rest")
  void theEndAfterACrash() {
    for (int commits = 1; commits <= 3; commits++) {
      Trajectory trajectory = filled();
      Memory dying = endingWithNotes(new TroubledStore(store, after(commits)));
      dying.run(SPACE, EndTrajectory.complete(trajectory.id(), "Done"));
      assertThat(notesOf(trajectory)).hasSize((commits - 1) * BATCH);
      Jobs jobs = Jobs.of(store, config().jobs(), clock);
      endingWithNotes(store).registerJobHandlers(jobs);
      pass(Duration.ofMinutes(1)); // until the lease of the caller ends
      jobs.runDue(SPACE);
      jobs.runDue(SPACE);
      assertThat(notesOf(trajectory)).hasSize(NOTES);
      assertNothingLeftToDo();
      memory.forget(SPACE, ForgetRecords.of(trajectory.id()));
    }
  }

  @Test
  @DisplayName("LIF-14: a consolidation in a larger commit is refused if it does not fit")
  void inALargerCommit() {
    Trajectory trajectory = filled();
    refuses(
        MemoryErrorCode.COMMIT_TOO_LARGE,
        () ->
            store.write(
                SPACE,
                transaction ->
                    with(NOTES - 1).run(transaction, new ConsolidateTrajectory(trajectory.id()))));
    List<Id> ids =
        store.write(
            SPACE,
            transaction ->
                with(NOTES).run(transaction, new ConsolidateTrajectory(trajectory.id())));
    assertThat(ids).hasSize(NOTES);
    assertThat(all(PolicyRun.TABLE)).isEmpty();
  }

  @Test
  @DisplayName("J-12: a run with a cursor of an earlier version starts again")
  void theCursorOfAnEarlierVersion() {
    Trajectory trajectory = filled();
    Page<Scope> scopes =
        store.read(
            SPACE,
            snapshot ->
                snapshot.scan(
                    Query.over(Scope.TABLE, "trajectory", "sequence").equal(trajectory.id()), 1));
    PageCursor place = scopes.next().orElseThrow();
    PolicyRun old =
        new TriggerOccurrence("task_end", "old", Optional.of(trajectory.id()), Optional.empty())
            .newRun(
                List.of(new PolicyStep("old", new PolicyAction.ConsolidateAction(), "")),
                clock.instant())
            .withCursor(place, clock.instant());
    store.commit(
        SPACE,
        transaction -> {
          transaction.insert(PolicyRun.TABLE, old);
          Jobs.schedule(transaction, PolicyRunStarter.jobRequest(old, clock.instant()));
        });
    Jobs jobs = Jobs.of(store, config().jobs(), clock);
    with(BATCH).registerJobHandlers(jobs);
    jobs.runDue(SPACE);
    assertEachOnce(NOTES);
    assertNothingLeftToDo();
  }
}
