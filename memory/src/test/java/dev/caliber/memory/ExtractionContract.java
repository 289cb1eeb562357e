package dev.caliber.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.kernel.config.PolicyAction;
import dev.caliber.kernel.config.PolicyDefinition;
import dev.caliber.kernel.config.PolicyRule;
import dev.caliber.kernel.config.Retention;
import dev.caliber.kernel.config.Trigger;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.Consolidate;
import dev.caliber.memory.command.CreateArtifact;
import dev.caliber.memory.command.CreateArtifacts;
import dev.caliber.memory.command.Forget;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.ExtractionMethod;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.spi.Extract;
import dev.caliber.memory.spi.FindingKind;
import dev.caliber.memory.spi.Passage;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Findings by somebody who may be slow, wrong or away, on whatever engine. */
abstract class ExtractionContract extends MemoryFixture {
  private static final String METHOD = "model test:m";

  private Runnable meanwhile = () -> {};
  private List<String> findings = List.of("Alice moved to Oslo.");
  private Optional<CompiledConfig> deployed = Optional.empty();

  @Override
  MemoryParts parts() {
    return super.parts().withPolicies(_ -> deployed).withExtractor(this::extract);
  }

  private Extract extract(List<Passage> passages) {
    meanwhile.run();
    Id source = passages.getFirst().source();
    return new Extract(
        METHOD,
        findings.stream()
            .map(text -> new Extract.Found(FindingKind.FACT, text, Optional.of("Alice"), source))
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
  @DisplayName("LLM-02, LIF-11: a close keeps what the model chose, with whom it is about")
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
  @DisplayName("LIF-11: what a close finds again keeps the labels of whoever made it")
  void aCloseLeavesLabelsAlone() {
    Scope scope = talked();
    Labels own = Labels.none().with("rule", "of thumb");
    run(
        CreateArtifacts.of(
            CreateArtifact.of(scope.id(), ArtifactType.FACT, Bytes.of("Alice moved to Oslo."))
                .labelled(own)));
    run(CloseScope.of(scope.id()));
    assertThat(artifacts(scope)).singleElement().extracting(Artifact::labels).isEqualTo(own);
  }

  @Test
  @DisplayName("LLM-02, LIF-14: a task is consolidated into notes about whom the model has named")
  void consolidation() {
    Scope scope = talked();
    run(CloseScope.of(scope.id()));
    Id made = run(new Consolidate(scope.trajectory())).getFirst();
    Note note = memory.view(SPACE, view -> view.note(made));
    assertThat(note.entity()).isEqualTo("Alice");
    assertThat(note.content()).isEqualTo("Alice moved to Oslo.");
  }

  @Test
  @DisplayName("LLM-02: words that nobody has said are not taken; if all are such, rules find")
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
  @DisplayName("LLM-06: a model that fails is stood in for by rules, and what they find says so")
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
  @DisplayName("LLM-02: a model that finds nothing is believed")
  void nothingFound() {
    findings = List.of();
    Scope scope = talked();
    run(CloseScope.of(scope.id()));
    assertThat(artifacts(scope)).isEmpty();
  }

  @Test
  @DisplayName("LLM-03: what is forgotten while the model works is not kept")
  void whatIsForgottenMeanwhileStaysForgotten() {
    Scope scope = scopeOf(start());
    Turn secret = say(scope, "Alice moved to Oslo.");
    say(scope, "We decided to use SQLite.");
    meanwhile = () -> memory.forget(SPACE, Forget.of(secret.id()));
    run(CloseScope.of(scope.id()));
    assertThat(artifacts(scope))
        .extracting(made -> made.content().text().orElseThrow())
        .containsExactly("We decided to use SQLite.");
  }

  @Test
  @DisplayName("POL-04, LLM-02: a policy lets the model look, too")
  void policiesTakeTheFindings() {
    PolicyRule turn =
        new PolicyRule(
            new Trigger.On(Trigger.Event.TURN),
            List.of(new PolicyAction.ExtractArtifacts("turns")));
    deployed =
        Optional.of(
            new CompiledConfig(
                "1.0",
                List.of(Definitions.of("turns", new Retention.Persistent())),
                List.of(new PolicyDefinition("find", List.of(turn))),
                List.of(),
                List.of()));
    Scope scope = talked();
    assertThat(artifacts(scope)).extracting(Artifact::type).containsExactly(ArtifactType.FACT);
  }
}
