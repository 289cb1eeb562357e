package dev.caliber.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.PolicyAction;
import dev.caliber.memory.command.Consolidate;
import dev.caliber.memory.command.CreateArtifact;
import dev.caliber.memory.command.CreateArtifacts;
import dev.caliber.memory.command.EndTrajectory;
import dev.caliber.memory.command.Forget;
import dev.caliber.memory.command.OpenScope;
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
import dev.caliber.store.Jobs;
import dev.caliber.store.Page;
import dev.caliber.store.PageCursor;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A task with more than one commit may hold becomes notes, on whatever engine. */
abstract class ConsolidationContract extends MemoryFixture {
  private static final int BATCH = 3;
  private static final int FACTS = 7;
  private static final int DECISIONS = 4;
  private static final int NOTES = FACTS + DECISIONS;
  private static final double SURE = 0.5;

  /** What 100 artifacts at once would be too many for, and 20 are not. */
  private static final int CHANGES = 100;

  private static final Duration PATIENCE =
      MemoryConfig.starter().notes().consolidation().patience();

  @Override
  StoreConfig stored(StoreConfig starter) {
    return starter.withWrites(starter.writes().withChangesLimit(CHANGES));
  }

  private static final class Blow extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private Memory with(int batch) {
    return on(store, batch);
  }

  private Memory on(RecordStore where, int batch) {
    MemoryConfig starter = MemoryConfig.starter();
    return Memory.of(
        where,
        starter.withNotes(starter.notes().with(starter.notes().consolidation().withBatch(batch))),
        parts());
  }

  private Memory endingWithNotes(RecordStore where) {
    MemoryConfig starter = MemoryConfig.starter();
    return Memory.of(
        where,
        starter.withNotes(
            starter.notes().with(starter.notes().consolidation().madeAtTaskEnd().withBatch(BATCH))),
        parts());
  }

  /** Facts and decisions in two scopes, and much that no note is made of. */
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
            CreateArtifact.of(scope.id(), type, Bytes.of(words))
                .from(
                    new Provenance(
                        Optional.empty(),
                        ExtractionMethod.EXPLICIT,
                        Optional.of(SURE),
                        List.of()))));
  }

  private <T> List<T> all(Table<T> table) {
    return store.read(SPACE, snapshot -> snapshot.scan(Query.over(table), 1000)).records();
  }

  /** Each artifact is one note, as sure as it was, in its first version. */
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
  @DisplayName("LIF-14: a task becomes notes in as many commits as it takes, each artifact once")
  void inPortions() {
    Trajectory trajectory = filled();
    List<Integer> sizes = new ArrayList<>();
    Memory watched = on(new TroubledStore(store, at -> sizes.add(count(at))), BATCH);
    List<Id> ids = watched.run(SPACE, new Consolidate(trajectory.id()));
    assertThat(sizes).containsExactly(BATCH, 2 * BATCH, 3 * BATCH, NOTES);
    assertEachOnce(NOTES);
    assertNothingLeftToDo();
    assertThat(ids).containsExactlyElementsOf(all(Note.TABLE).stream().map(Note::id).toList());
    assertThat(with(NOTES).run(SPACE, new Consolidate(trajectory.id()))).isEqualTo(ids);
    assertThat(watched.run(SPACE, new Consolidate(trajectory.id()))).isEqualTo(ids);
    assertEachOnce(NOTES);
  }

  private static int count(Transaction transaction) {
    return (int) transaction.count(Query.over(Note.TABLE));
  }

  @Test
  @DisplayName("LIF-14: what fits into a commit is one, and leaves no run behind")
  void atOnce() {
    Trajectory trajectory = filled();
    long before = store.changes().head(SPACE).sequence();
    assertThat(with(NOTES).run(SPACE, new Consolidate(trajectory.id()))).hasSize(NOTES);
    assertThat(store.changes().head(SPACE).sequence()).isEqualTo(before + 1);
    assertThat(all(PolicyRun.TABLE)).isEmpty();
  }

  @Test
  @DisplayName("LIF-14: what a crash leaves of a consolidation is done by its job, once")
  void afterACrash() {
    for (int commits = 1; commits <= NOTES / BATCH; commits++) {
      Trajectory trajectory = filled();
      int before = all(Note.TABLE).size();
      Memory dying = on(new TroubledStore(store, after(commits)), BATCH);
      assertThatThrownBy(() -> dying.run(SPACE, new Consolidate(trajectory.id())))
          .isInstanceOf(Blow.class);
      assertThat(all(Note.TABLE)).hasSize(before + Math.min(commits * BATCH, NOTES));
      Jobs jobs = Jobs.of(store, config().jobs(), clock);
      with(BATCH).attach(jobs);
      assertThat(jobs.runDue(SPACE)).as("nobody is hurried").isZero();
      pass(PATIENCE);
      jobs.runDue(SPACE);
      assertThat(notesOf(trajectory)).hasSize(NOTES);
      assertNothingLeftToDo();
      memory.forget(SPACE, Forget.of(trajectory.id()));
    }
  }

  private List<Note> notesOf(Trajectory trajectory) {
    return memory.<List<Note>>view(SPACE, view -> view.notesLearnedIn(trajectory.id())).stream()
        .filter(note -> note.version() == 1 && note.confidence() == SURE)
        .toList();
  }

  @Test
  @DisplayName("LIF-14: whoever waited too long between two commits leaves the rest to the job")
  void whatAJobHasTakenOver() {
    Trajectory trajectory = filled();
    Jobs jobs = Jobs.of(store, config().jobs(), clock);
    with(BATCH).attach(jobs);
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
    assertThatThrownBy(() -> slow.run(SPACE, new Consolidate(trajectory.id())))
        .isInstanceOf(Blow.class);
    PolicyRun left = all(PolicyRun.TABLE).getFirst();
    pass(PATIENCE);
    jobs.runDue(SPACE);
    refuses(MemoryErrorCode.WORK_TAKEN_OVER, () -> goOn(left));
    assertEachOnce(NOTES);
    assertNothingLeftToDo();
    memory.forget(SPACE, Forget.of(trajectory.id()));
    refuses(MemoryErrorCode.UNKNOWN_RECORD, () -> goOn(left));
  }

  private void goOn(PolicyRun left) {
    store.write(
        SPACE,
        transaction ->
            new Operations(
                    new Desk(transaction, MemoryConfig.starter(), parts()),
                    COUNTER,
                    new Digest(MemoryConfig.starter()))
                .consolidation()
                .goOn(left, BATCH));
  }

  @Test
  @DisplayName("LIF-14: a commit that is too large is tried with fewer, also by one who waits")
  void fewerWhereACommitIsTooLarge() {
    Trajectory trajectory = start();
    Scope scope = scopeOf(trajectory);
    for (int i = 0; i < CHANGES; i++) {
      make(scope, ArtifactType.FACT, "Planet" + i + " has rings" + i);
    }
    TroubledStore counted = new TroubledStore(store, _ -> {});
    assertThat(on(counted, CHANGES).run(SPACE, new Consolidate(trajectory.id()))).hasSize(CHANGES);
    assertThat(counted.refused()).as("each size is refused once").isEqualTo(2);
    assertEachOnce(CHANGES);
    assertNothingLeftToDo();
  }

  @Test
  @DisplayName("J-12: at a task's end a commit that lasts too long is tried with one")
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
    assertThat(slow.refused()).as("nobody waits for the same again").isOne();
    assertEachOnce(NOTES);
    assertNothingLeftToDo();
  }

  @Test
  @DisplayName("J-12: a crash in a task's end leaves whole portions, and its job the rest")
  void theEndAfterACrash() {
    for (int commits = 1; commits <= 3; commits++) {
      Trajectory trajectory = filled();
      Memory dying = endingWithNotes(new TroubledStore(store, after(commits)));
      dying.run(SPACE, EndTrajectory.complete(trajectory.id(), "Done"));
      assertThat(notesOf(trajectory)).hasSize((commits - 1) * BATCH);
      Jobs jobs = Jobs.of(store, config().jobs(), clock);
      endingWithNotes(store).attach(jobs);
      jobs.runDue(SPACE);
      jobs.runDue(SPACE);
      assertThat(notesOf(trajectory)).hasSize(NOTES);
      assertNothingLeftToDo();
      memory.forget(SPACE, Forget.of(trajectory.id()));
    }
  }

  @Test
  @DisplayName("LIF-14: as part of a larger commit it has to fit, or is refused and says so")
  void inALargerCommit() {
    Trajectory trajectory = filled();
    refuses(
        MemoryErrorCode.TOO_MUCH_FOR_ONE_COMMIT,
        () ->
            store.write(
                SPACE,
                transaction -> with(NOTES - 1).run(transaction, new Consolidate(trajectory.id()))));
    List<Id> ids =
        store.write(
            SPACE, transaction -> with(NOTES).run(transaction, new Consolidate(trajectory.id())));
    assertThat(ids).hasSize(NOTES);
    assertThat(all(PolicyRun.TABLE)).isEmpty();
  }

  @Test
  @DisplayName("J-12: a run that an earlier version left among scopes begins again")
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
        new Occasion("task_end", "old", Optional.of(trajectory.id()), Optional.empty())
            .run(
                List.of(new PolicyStep("old", new PolicyAction.Consolidate(), "")), clock.instant())
            .reached(place, clock.instant());
    store.write(
        SPACE,
        transaction -> {
          transaction.insert(PolicyRun.TABLE, old);
          Jobs.schedule(transaction, Triggers.job(old, clock.instant()));
          return true;
        });
    Jobs jobs = Jobs.of(store, config().jobs(), clock);
    with(BATCH).attach(jobs);
    jobs.runDue(SPACE);
    assertEachOnce(NOTES);
    assertNothingLeftToDo();
  }
}
