package dev.caliber.memory.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.KernelErrorCode;
import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.kernel.config.Retention;
import dev.caliber.memory.Definitions;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryFixture;
import dev.caliber.memory.TroubledStore;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.NewArtifact;
import dev.caliber.memory.command.OpenScope;
import dev.caliber.memory.command.RollBackResult;
import dev.caliber.memory.command.RollBackTrajectory;
import dev.caliber.memory.command.SaveCheckpoint;
import dev.caliber.memory.command.SupersedeArtifact;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.MemoryErrorCode;
import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.store.Query;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.StoreErrorCode;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import dev.caliber.testkit.EachEngine;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Commands on a trajectory with more records than a list holds, on every engine. */
@EachEngine
class LongTaskContract extends MemoryFixture {
  private static final int RECORDS = 6; // no fewer than the retained checkpoints
  private static final int MORE = 8;
  private static final Duration SECOND = Duration.ofSeconds(1);

  /** Limit of changes that a return over few records of each kind exceeds. */
  private static final int CHANGES = 40;

  private Optional<CompiledConfig> deployed = Optional.empty();

  @Override
  public StoreConfig stored(StoreConfig starter) {
    return starter.with("store.writes.changes-limit = " + CHANGES);
  }

  @Override
  public MemoryConfig config(MemoryConfig starter) {
    return starter.with("memory.limits.list = " + RECORDS);
  }

  @Override
  public MemoryDependencies parts() {
    return super.parts().withDeployedConfigs(_ -> deployed);
  }

  private void keep(String memoryName, int most) {
    deployed =
        Optional.of(
            new CompiledConfig(
                "1.0",
                List.of(Definitions.of(memoryName, new Retention.CountRetention(most))),
                List.of(),
                List.of(),
                List.of()));
  }

  private <T> List<T> all(Table<T> table) {
    return store.read(SPACE, snapshot -> snapshot.scan(Query.over(table), 1000)).records();
  }

  private List<Artifact> filled(Scope scope) {
    List<Artifact> made = new ArrayList<>();
    for (int i = 0; i < MORE; i++) {
      made.add(make(scope, "number " + i));
      pass(SECOND);
    }
    return made;
  }

  @Test
  @DisplayName("J-28, MEM-08: max(n) of artifacts works with more artifacts than a list holds")
  void theNewestArtifacts() {
    Trajectory trajectory = start();
    List<Artifact> made = filled(scopeOf(trajectory));
    keep("artifacts", 2);
    run(CloseScope.of(scopeOf(trajectory).id()));
    assertThat(all(Artifact.TABLE)).isEqualTo(made.subList(MORE - 2, MORE));
  }

  @Test
  @DisplayName("J-28: max(n) of scopes works with more scopes than a list holds")
  void theNewestScopes() {
    Trajectory trajectory = start();
    for (int i = 0; i < MORE; i++) {
      say(scopeOf(trajectory), "Number " + i);
      run(CloseScope.of(scopeOf(trajectory).id()));
      run(new OpenScope(trajectory.id()));
    }
    keep("scopes", 2);
    say(scopeOf(trajectory), "Last");
    run(CloseScope.of(scopeOf(trajectory).id()));
    assertThat(all(Turn.TABLE))
        .extracting(Turn::searchableText)
        .containsExactly("Number 7", "Last");
  }

  @Test
  @DisplayName("REC-04: a long trajectory returns to a checkpoint if few records were added since")
  void aShortWayBack() {
    Trajectory trajectory = start();
    Scope scope = scopeOf(trajectory);
    List<Artifact> before = filled(scope);
    for (int i = 0; i < MORE; i++) {
      run(CloseScope.of(run(new OpenScope(trajectory.id())).id()));
    }
    Checkpoint point = run(SaveCheckpoint.of(trajectory.id()));
    pass(SECOND);
    Artifact later =
        run(
            new SupersedeArtifact(
                before.getFirst().id(),
                NewArtifact.of(scope.id(), ArtifactType.FACT, Bytes.of("later"))));
    Turn turn = say(scope, "And then?");
    RollBackResult back = run(RollBackTrajectory.toCheckpoint(point));
    assertThat(back.artifacts()).containsExactly(later.id());
    assertThat(back.restored()).containsExactly(before.getFirst().id());
    assertThat(back.turns()).containsExactly(turn.id());
    assertThat(back.scopes()).isEmpty();
  }

  @Test
  @DisplayName("REC-04: a return over more records than one commit holds is refused")
  void tooFarBack() {
    Trajectory trajectory = start();
    Checkpoint point = run(SaveCheckpoint.of(trajectory.id()));
    pass(SECOND);
    Scope scope = scopeOf(trajectory);
    for (int i = 0; i <= RECORDS; i++) {
      say(scope, "Number " + i);
    }
    refuses(MemoryErrorCode.RECOVERY_TOO_LARGE, () -> run(RollBackTrajectory.toCheckpoint(point)));
    refuses(
        MemoryErrorCode.RECOVERY_TOO_LARGE,
        () -> run(RollBackTrajectory.toCheckpoint(point).asPreview()));
  }

  @Test
  @DisplayName("REC-04: a return that the store refuses as too large is refused as too far")
  void tooManyChanges() {
    Trajectory trajectory = start();
    Checkpoint point = run(SaveCheckpoint.of(trajectory.id()));
    pass(SECOND);
    for (int i = 0; i < RECORDS; i++) {
      Scope scope = run(new OpenScope(trajectory.id()));
      say(scope, "Number " + i);
      make(scope, "number " + i);
    }
    assertTooFar(() -> run(RollBackTrajectory.toCheckpoint(point)), KernelErrorCode.LIMIT_EXCEEDED);
    Function<Transaction, RollBackResult> ready =
        memory.prepareCommand(SPACE, RollBackTrajectory.toCheckpoint(point));
    assertTooFar(() -> store.write(SPACE, ready), KernelErrorCode.LIMIT_EXCEEDED);
    assertThat(all(Turn.TABLE)).allMatch(Turn::isLive);
  }

  @Test
  @DisplayName("REC-04: a return that lasts too long for a commit is refused as too far")
  void tooSlowBack() {
    Trajectory trajectory = start();
    Checkpoint point = run(SaveCheckpoint.of(trajectory.id()));
    pass(SECOND);
    say(scopeOf(trajectory), "And then?");
    Memory slow =
        Memory.of(
            new TroubledStore(store, _ -> clock.advance(Duration.ofMinutes(1))),
            MemoryConfig.starter(),
            parts());
    assertTooFar(
        () -> slow.run(SPACE, RollBackTrajectory.toCheckpoint(point)),
        StoreErrorCode.WRITE_TIMED_OUT);
  }

  private static void assertTooFar(ThrowingCallable work, ErrorCode cause) {
    MemoryException refusal = catchThrowableOfType(MemoryException.class, work);
    assertThat(refusal.code()).isEqualTo(MemoryErrorCode.RECOVERY_TOO_LARGE);
    assertThat(refusal.advice().orElseThrow()).contains("fork");
    assertThat(refusal)
        .cause()
        .isInstanceOfSatisfying(CaliberException.class, e -> assertThat(e.code()).isEqualTo(cause));
  }

  @Test
  @DisplayName("a note with more versions than a list holds can be read as of any time")
  void manyVersions() {
    List<Note> versions = new ArrayList<>();
    List<Instant> times = new ArrayList<>();
    for (int i = 0; i < MORE + 2; i++) {
      versions.add(
          run(
              WriteNote.of("alice", "person", NoteType.FACT, "Alice has a cat.")
                  .withLabels(Labels.none().withMetadata("count", i))));
      times.add(clock.instant());
      pass(SECOND);
    }
    Note now = versions.getLast();
    assertThat(now.version()).isEqualTo(MORE + 2);
    for (int i = 0; i < versions.size(); i++) {
      Instant then = times.get(i);
      assertThat(memory.<Optional<Note>>view(SPACE, view -> view.asOf(now, then)))
          .contains(versions.get(i));
    }
  }
}
