package dev.caliber.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.kernel.config.Retention;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.CreateArtifact;
import dev.caliber.memory.command.OpenScope;
import dev.caliber.memory.command.RollBack;
import dev.caliber.memory.command.RolledBack;
import dev.caliber.memory.command.SaveCheckpoint;
import dev.caliber.memory.command.SupersedeArtifact;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.MemoryErrorCode;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.store.Query;
import dev.caliber.store.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Work on a task that has more than a list holds, on whatever engine. */
abstract class LongTaskContract extends MemoryFixture {
  private static final int RECORDS = 6; // no fewer than the checkpoints that are kept
  private static final int MORE = 8;
  private static final Duration SECOND = Duration.ofSeconds(1);

  private Optional<CompiledConfig> deployed = Optional.empty();

  @Override
  MemoryConfig config(MemoryConfig starter) {
    return starter.withLimits(starter.limits().withRecords(RECORDS));
  }

  @Override
  MemoryParts parts() {
    return super.parts().withPolicies(_ -> deployed);
  }

  private void keep(String memoryName, int most) {
    deployed =
        Optional.of(
            new CompiledConfig(
                "1.0",
                List.of(Definitions.of(memoryName, new Retention.Max(most))),
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
  @DisplayName("J-28, MEM-08: max(n) of artifacts holds where there are more than a list holds")
  void theNewestArtifacts() {
    Trajectory trajectory = start();
    List<Artifact> made = filled(scopeOf(trajectory));
    keep("artifacts", 2);
    run(CloseScope.of(scopeOf(trajectory).id()));
    assertThat(all(Artifact.TABLE)).isEqualTo(made.subList(MORE - 2, MORE));
  }

  @Test
  @DisplayName("J-28: max(n) of scopes holds where there are more than a list holds")
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
    assertThat(all(Turn.TABLE)).extracting(Turn::words).containsExactly("Number 7", "Last");
  }

  @Test
  @DisplayName("REC-04: a long task returns to a checkpoint if little has come since")
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
                CreateArtifact.of(scope.id(), ArtifactType.FACT, Bytes.of("later"))));
    Turn turn = say(scope, "And then?");
    RolledBack back = run(RollBack.to(point));
    assertThat(back.artifacts()).containsExactly(later.id());
    assertThat(back.restored()).containsExactly(before.getFirst().id());
    assertThat(back.turns()).containsExactly(turn.id());
    assertThat(back.scopes()).isEmpty();
  }

  @Test
  @DisplayName("REC-04: what came since a checkpoint and is too much for one commit is refused")
  void tooFarBack() {
    Trajectory trajectory = start();
    Checkpoint point = run(SaveCheckpoint.of(trajectory.id()));
    pass(SECOND);
    Scope scope = scopeOf(trajectory);
    for (int i = 0; i <= RECORDS; i++) {
      say(scope, "Number " + i);
    }
    refuses(MemoryErrorCode.RETURN_TOO_FAR, () -> run(RollBack.to(point)));
    refuses(MemoryErrorCode.RETURN_TOO_FAR, () -> run(RollBack.to(point).previewed()));
  }
}
