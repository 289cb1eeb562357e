package dev.caliber.memory.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.kernel.config.PolicyAction;
import dev.caliber.kernel.config.PolicyDefinition;
import dev.caliber.kernel.config.PolicyRule;
import dev.caliber.kernel.config.Retention;
import dev.caliber.kernel.config.Trigger;
import dev.caliber.memory.Definitions;
import dev.caliber.memory.MemoryFixture;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.ConsolidateTrajectory;
import dev.caliber.memory.command.CreateArtifacts;
import dev.caliber.memory.command.ForgetRecords;
import dev.caliber.memory.command.NewArtifact;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.ExtractionMethod;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.spi.ExtractionResult;
import dev.caliber.memory.spi.FindingKind;
import dev.caliber.memory.spi.Passage;
import dev.caliber.testkit.EachEngine;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Extraction by a model that may be slow, wrong or unavailable, on every engine. */
@EachEngine
class ExtractionContract extends MemoryFixture {
  private static final String METHOD = "model test:m";

  private Runnable meanwhile = () -> {};
  private List<String> findings = List.of("Alice moved to Oslo.");
  private Optional<CompiledConfig> deployed = Optional.empty();

  @Override
  public MemoryDependencies parts() {
    return super.parts().withDeployedConfigs(_ -> deployed).withExtractor(this::extract);
  }

  private ExtractionResult extract(List<Passage> passages) {
    meanwhile.run();
    Id source = passages.getFirst().source();
    return new ExtractionResult(
        METHOD,
        findings.stream()
            .map(
                text ->
                    new ExtractionResult.ExtractedFinding(
                        FindingKind.FACT, text, Optional.of("Alice"), source))
            .toList());
  }

  private Scope talked() {
    Scope scope = scopeOf(start());
    say(scope, "By the way: Alice moved\nto Oslo. And we decided to use SQLite.");
    return scope;
  }

  private List<Artifact> artifacts(Scope scope) {
    return memory.view(SPACE, view -> view.artifacts(scope.trajectory()));
  }

  @Test
  @DisplayName("LLM-02, LIF-11: a close stores the findings of the model with their entities")
  void aCloseTakesTheFindings() {
    Scope scope = talked();
    run(CloseScope.of(scope.id()));
    assertThat(artifacts(scope))
        .singleElement()
        .satisfies(
            made -> {
              assertThat(made.type()).isEqualTo(ArtifactType.FACT);
              assertThat(made.content().text()).contains("Alice moved to Oslo.");
              assertThat(made.provenance().method()).isEqualTo(ExtractionMethod.INFERRED);
              assertThat(made.labels().metadata())
                  .containsEntry("rule", METHOD)
                  .containsEntry("about", "Alice");
            });
  }

  @Test
  @DisplayName("LIF-11: an artifact that a close finds again keeps the labels of its creator")
  void aCloseLeavesLabelsAlone() {
    Scope scope = talked();
    Labels own = Labels.none().withMetadata("rule", "of thumb");
    run(
        CreateArtifacts.of(
            NewArtifact.of(scope.id(), ArtifactType.FACT, Bytes.of("Alice moved to Oslo."))
                .withLabels(own)));
    run(CloseScope.of(scope.id()));
    assertThat(artifacts(scope)).singleElement().extracting(Artifact::labels).isEqualTo(own);
  }

  @Test
  @DisplayName(
      "LLM-02, LIF-14: a trajectory is consolidated into notes about the entities that the model named")
  void consolidation() {
    Scope scope = talked();
    run(CloseScope.of(scope.id()));
    Id made = run(new ConsolidateTrajectory(scope.trajectory())).getFirst();
    Note note = memory.view(SPACE, view -> view.note(made));
    assertThat(note.entity()).isEqualTo("Alice");
    assertThat(note.content()).isEqualTo("Alice moved to Oslo.");
  }

  @Test
  @DisplayName(
      "LLM-02: findings that are not verbatim are dropped; if none is verbatim, rules replace them")
  void onlyWhatWasSaid() {
    findings = List.of("Alice moved to Oslo.", "Alice is rich.");
    Scope first = talked();
    run(CloseScope.of(first.id()));
    assertThat(artifacts(first)).hasSize(1);
    findings = List.of("Alice is rich.");
    Scope second = talked();
    run(CloseScope.of(second.id()));
    isFoundByRules(second);
  }

  private void isFoundByRules(Scope scope) {
    assertThat(artifacts(scope))
        .singleElement()
        .satisfies(
            made -> {
              assertThat(made.type()).isEqualTo(ArtifactType.DESIGN_DECISION);
              assertThat(made.labels().metadata())
                  .containsEntry("rule", "DECIDED")
                  .containsEntry("fallback", "the extractor failed");
            });
  }

  @Test
  @DisplayName("LLM-06: rules replace a model that fails, and their artifacts say so")
  void aFailureFallsBack() {
    meanwhile =
        () -> {
          throw new IllegalStateException("away");
        };
    Scope scope = talked();
    run(CloseScope.of(scope.id()));
    isFoundByRules(scope);
  }

  @Test
  @DisplayName("LLM-02: an empty answer of the model is accepted")
  void nothingFound() {
    findings = List.of();
    Scope scope = talked();
    run(CloseScope.of(scope.id()));
    assertThat(artifacts(scope)).isEmpty();
  }

  @Test
  @DisplayName("LLM-03: a finding in a turn that is forgotten meanwhile is dropped")
  void whatIsForgottenMeanwhileStaysForgotten() {
    Scope scope = scopeOf(start());
    Turn secret = say(scope, "Alice moved to Oslo.");
    say(scope, "We decided to use SQLite.");
    meanwhile = () -> memory.forget(SPACE, ForgetRecords.of(secret.id()));
    run(CloseScope.of(scope.id()));
    assertThat(artifacts(scope))
        .extracting(made -> made.content().text().orElseThrow())
        .containsExactly("We decided to use SQLite.");
  }

  @Test
  @DisplayName("POL-04, LLM-02: a policy calls the model, too")
  void policiesTakeTheFindings() {
    PolicyRule turn =
        new PolicyRule(
            new Trigger.EventTrigger(Trigger.TrajectoryTriggerEvent.TURN),
            List.of(new PolicyAction.ExtractArtifactsAction("turns")));
    deployed =
        Optional.of(
            new CompiledConfig(
                "1.0",
                List.of(Definitions.of("turns", new Retention.PersistentRetention())),
                List.of(new PolicyDefinition("find", List.of(turn))),
                List.of(),
                List.of()));
    Scope scope = talked();
    assertThat(artifacts(scope)).extracting(Artifact::type).containsExactly(ArtifactType.FACT);
  }
}
