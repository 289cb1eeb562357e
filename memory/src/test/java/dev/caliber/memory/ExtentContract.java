package dev.caliber.memory;

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
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.Forget;
import dev.caliber.memory.command.OpenScope;
import dev.caliber.memory.command.RunPolicy;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.TraceEvent;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.spi.Summary;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is made of the newest of many records says so, on whatever engine. */
abstract class ExtentContract extends MemoryFixture {
  private static final int SUMMARIZED = 3;
  private static final int EXTRACTED = 2;
  private static final int RECORDS = 6; // no fewer than the checkpoints that are kept
  private static final int MORE = 7;

  private String target = "turn_buffer";

  /** Lists so short that whatever would be read whole is refused. */
  @Override
  MemoryConfig config(MemoryConfig starter) {
    MemoryConfig.Limits limits = starter.limits();
    return starter.withLimits(
        new MemoryConfig.Limits(
            limits.turn(),
            limits.artifact(),
            limits.note(),
            limits.text(),
            limits.parts(),
            limits.turns(),
            limits.metadata(),
            limits.parents(),
            2,
            RECORDS,
            SUMMARIZED,
            EXTRACTED));
  }

  @Override
  MemoryParts parts() {
    return super.parts().withPolicies(_ -> Optional.of(deployed()));
  }

  private CompiledConfig deployed() {
    return new CompiledConfig(
        "1.0",
        List.of(
            new MemoryDefinition(
                target,
                MemoryType.EPHEMERAL,
                List.of(),
                new Retention.Persistent(),
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
                        new Trigger.On(Trigger.Event.TASK_END),
                        List.of(new PolicyAction.Summarize(target)))))),
        List.of(),
        List.of());
  }

  private Summary summary(Scope scope) {
    return memory.view(SPACE, view -> view.scope(scope.id())).summary().orElseThrow();
  }

  private Summary told(Trajectory trajectory, String memoryName) {
    target = memoryName;
    run(RunPolicy.on(trajectory.id(), "tell", memoryName));
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
  @DisplayName("LIF-08, J-42: a summary of a part of a scope says which, and one of all does not")
  void aCloseSaysOfWhat() {
    Scope whole = talked(SUMMARIZED);
    run(CloseScope.of(whole.id()));
    assertThat(summary(whole).extent()).isEmpty();
    assertThat(summary(whole).told()).isEqualTo(summary(whole).text());
    Scope scope = talked(MORE);
    run(CloseScope.of(scope.id()));
    assertThat(summary(scope).extent()).contains(new Summary.Extent("turns", SUMMARIZED, MORE));
    assertThat(summary(scope).text()).doesNotContain("Planet3");
    assertThat(summary(scope).told()).endsWith(" [of the newest 3 of 7 turns]");
  }

  @Test
  @DisplayName("POL-03, J-42: a policy's summary of a part of a scope says which")
  void aPolicySaysOfWhat() {
    Scope scope = talked(MORE);
    run(new RunPolicy("tell", Optional.of(scope.trajectory()), Optional.of(scope.id()), "k"));
    assertThat(summary(scope).extent()).contains(new Summary.Extent("turns", SUMMARIZED, MORE));
  }

  @Test
  @DisplayName("LIF-08: what is left of a summary after forgetting still says of what it was made")
  void forgettingKeepsIt() {
    Scope scope = talked(MORE - 1);
    Turn last = say(scope, "The password is swordfish.");
    run(CloseScope.of(scope.id()));
    memory.forget(SPACE, Forget.of(last.id()));
    assertThat(summary(scope).text()).isNotEmpty().doesNotContain("swordfish");
    assertThat(summary(scope).extent()).contains(new Summary.Extent("turns", SUMMARIZED, MORE));
  }

  @Test
  @DisplayName(
      "LIF-08, POL-04, OBS-01: extraction that leaves findings or turns out counts them in the trace")
  void extractionCounts() {
    Scope scope = scopeOf(start());
    for (int i = 0; i < MORE; i++) {
      say(scope, "We decided to use engine%d.".formatted(i));
    }
    run(CloseScope.of(scope.id()));
    assertThat(memory.<List<Artifact>>view(SPACE, view -> view.artifactsOfScope(scope.id())))
        .hasSize(EXTRACTED);
    assertThat(memory.<List<TraceEvent>>view(SPACE, view -> view.trace("extraction_limited", 9)))
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.scope()).contains(scope.id());
              assertThat(event.detail()).contains("left out: 1 findings, 4 older turns");
            });
    run(CloseScope.of(talked(1).id()));
    assertThat(memory.<List<TraceEvent>>view(SPACE, view -> view.trace("extraction_limited", 9)))
        .hasSize(1);
  }

  @Test
  @DisplayName("POL-03: a task with more artifacts than a list holds is told by the newest")
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
    run(RunPolicy.on(trajectory.id(), "tell", "again"));
    Summary told = read(trajectory).summary().orElseThrow();
    assertThat(told.extent()).contains(new Summary.Extent("artifacts", SUMMARIZED, MORE));
    assertThat(told.text()).contains("Planet4", "Planet6").doesNotContain("Planet3");
  }

  @Test
  @DisplayName("POL-03: a task that taught more notes than a list holds is told by the newest")
  void notesOfATask() {
    Trajectory trajectory = start();
    for (int i = 0; i < MORE; i++) {
      run(
          WriteNote.of("planet" + i, "planet", NoteType.FACT, "Planet%d shines.".formatted(i))
              .learnedIn(trajectory.id()));
    }
    Summary told = told(trajectory, "notes");
    assertThat(told.extent()).contains(new Summary.Extent("notes", SUMMARIZED, MORE));
    assertThat(told.text()).contains("Planet4", "Planet6").doesNotContain("Planet3");
  }

  @Test
  @DisplayName("POL-03: a task with more scopes than a list holds is told by the newest")
  void scopesOfATask() {
    Trajectory trajectory = start();
    for (int i = 0; i < MORE; i++) {
      Scope scope = i == 0 ? scopeOf(trajectory) : run(new OpenScope(trajectory.id()));
      say(scope, "Planet%d shines.".formatted(i));
      run(CloseScope.of(scope.id()));
    }
    Summary told = told(trajectory, "scopes");
    assertThat(told.extent()).contains(new Summary.Extent("scopes", SUMMARIZED, MORE));
    assertThat(told.text()).contains("Planet4", "Planet6").doesNotContain("Planet3");
  }

  @Test
  @DisplayName("a summary that was stored before reads as one of everything, and is written so")
  void asItWasStored() {
    String before = "{\"method\":\"extractive\",\"sentences\":[]}";
    Summary read = Json.read(before, Summary.class);
    assertThat(read.extent()).isEmpty();
    assertThat(Json.text(read)).isEqualTo(before);
    Summary part = read.withExtent(Optional.of(new Summary.Extent("turns", 1, 2)));
    assertThat(Json.read(Json.text(part), Summary.class)).isEqualTo(part);
  }
}
