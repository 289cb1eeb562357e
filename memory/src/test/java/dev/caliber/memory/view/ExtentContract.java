package dev.caliber.memory.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Json;
import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.kernel.config.MemoryDefinition;
import dev.caliber.kernel.config.MemoryType;
import dev.caliber.kernel.config.PolicyAction;
import dev.caliber.kernel.config.PolicyDefinition;
import dev.caliber.kernel.config.PolicyRule;
import dev.caliber.kernel.config.Retention;
import dev.caliber.kernel.config.Trigger;
import dev.caliber.memory.MemoryFixture;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.ForgetRecords;
import dev.caliber.memory.command.OpenScope;
import dev.caliber.memory.command.RunPolicy;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.event.TraceEvent;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.spi.Summary;
import dev.caliber.testkit.EachEngine;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Summaries of only the newest records and their stated extent, on every engine. */
@EachEngine
class ExtentContract extends MemoryFixture {
  private static final int SUMMARIZED = 3;
  private static final int EXTRACTED = 2;
  private static final int RECORDS = 6; // no fewer than the retained checkpoints
  private static final int MORE = 7;

  private String target = "turn_buffer";

  /** Lists so short that reading all records is refused. */
  @Override
  public MemoryConfig config(MemoryConfig starter) {
    return starter.with(
        "memory.limits.page-size = 2",
        "memory.limits.list = " + RECORDS,
        "memory.limits.summary-sources = " + SUMMARIZED,
        "memory.limits.extracted-artifacts = " + EXTRACTED);
  }

  @Override
  public MemoryDependencies parts() {
    return super.parts().withDeployedConfigs(_ -> Optional.of(deployed()));
  }

  private CompiledConfig deployed() {
    return new CompiledConfig(
        "1.0",
        List.of(
            new MemoryDefinition(
                target,
                MemoryType.EPHEMERAL,
                List.of(),
                new Retention.PersistentRetention(),
                Optional.empty(),
                List.of(),
                List.of(),
                Optional.empty(),
                List.of())),
        List.of(
            new PolicyDefinition(
                "tell",
                List.of(
                    new PolicyRule(
                        new Trigger.EventTrigger(Trigger.TrajectoryTriggerEvent.TASK_END),
                        List.of(new PolicyAction.SummarizeAction(target)))))),
        List.of(),
        List.of());
  }

  private Summary summary(Scope scope) {
    return memory.view(SPACE, view -> view.scope(scope.id())).summary().orElseThrow();
  }

  private Summary told(Trajectory trajectory, String memoryName) {
    target = memoryName;
    run(RunPolicy.forTrajectory(trajectory.id(), "tell", memoryName));
    return read(trajectory).summary().orElseThrow();
  }

  private Scope talked(int turns) {
    Scope scope = scopeOf(start());
    for (int i = 0; i < turns; i++) {
      say(scope, "Planet%d has %d moons.".formatted(i, i));
    }
    return scope;
  }

  @Test
  @DisplayName(
      "LIF-08, J-42: a summary of a part of a scope states the part; one of all turns does not")
  void aCloseSaysOfWhat() {
    Scope whole = talked(SUMMARIZED);
    run(CloseScope.of(whole.id()));
    assertThat(summary(whole).extent()).isEmpty();
    assertThat(summary(whole).textWithExtent()).isEqualTo(summary(whole).text());
    Scope scope = talked(MORE);
    run(CloseScope.of(scope.id()));
    assertThat(summary(scope).extent())
        .contains(new Summary.SummaryExtent("turns", SUMMARIZED, MORE));
    assertThat(summary(scope).text()).doesNotContain("Planet3");
    assertThat(summary(scope).textWithExtent()).endsWith(" [of the newest 3 of 7 turns]");
  }

  @Test
  @DisplayName("POL-03, J-42: a policy's summary of a part of a scope states the part")
  void aPolicySaysOfWhat() {
    Scope scope = talked(MORE);
    run(new RunPolicy("tell", Optional.of(scope.trajectory()), Optional.of(scope.id()), "k"));
    assertThat(summary(scope).extent())
        .contains(new Summary.SummaryExtent("turns", SUMMARIZED, MORE));
  }

  @Test
  @DisplayName("LIF-08: a summary keeps its extent after a forget")
  void forgettingKeepsIt() {
    Scope scope = talked(MORE - 1);
    Turn last = say(scope, "The password is swordfish.");
    run(CloseScope.of(scope.id()));
    memory.forget(SPACE, ForgetRecords.of(last.id()));
    assertThat(summary(scope).text()).isNotEmpty().doesNotContain("swordfish");
    assertThat(summary(scope).extent())
        .contains(new Summary.SummaryExtent("turns", SUMMARIZED, MORE));
  }

  @Test
  @DisplayName(
      "LIF-08, POL-04, OBS-01: the trace counts findings and turns that an extraction left out")
  void extractionCounts() {
    Scope scope = scopeOf(start());
    for (int i = 0; i < MORE; i++) {
      say(scope, "We decided to use engine%d.".formatted(i));
    }
    run(CloseScope.of(scope.id()));
    assertThat(memory.<List<Artifact>>view(SPACE, view -> view.artifactsOfScope(scope.id())))
        .hasSize(EXTRACTED);
    assertThat(memory.<List<TraceEvent>>view(SPACE, view -> view.trace("extraction_truncated", 9)))
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.scope()).contains(scope.id());
              assertThat(event.detail()).contains("left out: 1 findings, 4 older turns");
            });
    run(CloseScope.of(talked(1).id()));
    assertThat(memory.<List<TraceEvent>>view(SPACE, view -> view.trace("extraction_truncated", 9)))
        .hasSize(1);
  }

  @Test
  @DisplayName(
      "POL-03: a trajectory with more artifacts than a list holds is summarised from the newest")
  void artifactsOfATask() {
    Trajectory trajectory = start();
    for (int i = 0; i < SUMMARIZED; i++) {
      make(scopeOf(trajectory), "Planet%d has %d moons.".formatted(i, i));
    }
    assertThat(told(trajectory, "artifacts").extent()).isEmpty();
    for (int i = SUMMARIZED; i < MORE; i++) {
      make(scopeOf(trajectory), "Planet%d has %d moons.".formatted(i, i));
    }
    target = "artifacts";
    run(RunPolicy.forTrajectory(trajectory.id(), "tell", "again"));
    Summary told = read(trajectory).summary().orElseThrow();
    assertThat(told.extent()).contains(new Summary.SummaryExtent("artifacts", SUMMARIZED, MORE));
    assertThat(told.text()).contains("Planet4", "Planet6").doesNotContain("Planet3");
  }

  @Test
  @DisplayName(
      "POL-03: a trajectory with more notes than a list holds is summarised from the newest")
  void notesOfATask() {
    Trajectory trajectory = start();
    for (int i = 0; i < MORE; i++) {
      run(
          WriteNote.of("planet" + i, "planet", NoteType.FACT, "Planet%d shines.".formatted(i))
              .withSource(trajectory.id()));
    }
    Summary told = told(trajectory, "notes");
    assertThat(told.extent()).contains(new Summary.SummaryExtent("notes", SUMMARIZED, MORE));
    assertThat(told.text()).contains("Planet4", "Planet6").doesNotContain("Planet3");
  }

  @Test
  @DisplayName(
      "POL-03: a trajectory with more scopes than a list holds is summarised from the newest")
  void scopesOfATask() {
    Trajectory trajectory = start();
    for (int i = 0; i < MORE; i++) {
      Scope scope = i == 0 ? scopeOf(trajectory) : run(new OpenScope(trajectory.id()));
      say(scope, "Planet%d shines.".formatted(i));
      run(CloseScope.of(scope.id()));
    }
    Summary told = told(trajectory, "scopes");
    assertThat(told.extent()).contains(new Summary.SummaryExtent("scopes", SUMMARIZED, MORE));
    assertThat(told.text()).contains("Planet4", "Planet6").doesNotContain("Planet3");
  }

  @Test
  @DisplayName("a summary stored without an extent reads and writes as one of all records")
  void asItWasStored() {
    String before = "{\"method\":\"extractive\",\"sentences\":[]}";
    Summary read = Json.read(before, Summary.class);
    assertThat(read.extent()).isEmpty();
    assertThat(Json.text(read)).isEqualTo(before);
    Summary part = read.withExtent(Optional.of(new Summary.SummaryExtent("turns", 1, 2)));
    assertThat(Json.read(Json.text(part), Summary.class)).isEqualTo(part);
  }
}
