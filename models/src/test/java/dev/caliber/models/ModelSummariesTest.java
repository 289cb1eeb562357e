package dev.caliber.models;

import static dev.caliber.models.HostileServer.reply;
import static dev.caliber.models.Said.completion;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.IdGenerator;
import dev.caliber.kernel.RandomSource;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.TokenEstimator;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.EndTrajectory;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.spi.Summary;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.memory.view.MemoryDependencies;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.jdbc.Stores;
import dev.caliber.testkit.ManualClock;
import dev.caliber.testkit.TestEngines;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Memory whose configured chat model is a server on this machine. */
final class ModelSummariesTest {
  private static final SpaceId SPACE = SpaceId.DEFAULT;
  private static final String GOOD =
      "{\"sentences\": [{\"text\": \"Deploy on Tuesday.\", \"passage\": 2}]}";

  /** Returns the summary of a scope that ends with its task. */
  private static Summary told(HostileServer server) {
    ManualClock clock = new ManualClock();
    ModelsConfig config =
        ModelsConfig.starter()
            .with(
                "models.provider = 'none'",
                "models.chat.provider = 'openai'",
                "models.chat.endpoint = '%s'".formatted(server.address("/v1")),
                "models.chat.model = 'm'",
                "models.chat.summary-sentences = 3");
    try (Models models = Models.open(config, Map.of(), clock);
        RecordStore store =
            Stores.open(
                StoreConfig.starter().withEngine(TestEngines.memory()),
                Memory.tables(),
                clock,
                IdGenerator.of(clock, RandomSource.seeded(1)))) {
      MemoryDependencies parts =
          MemoryDependencies.minimal(
                  clock, RuntimeConfig.starter(), TokenCounter.estimate(new TokenEstimator(4)))
              .withSummarizer(models.summarizer().orElseThrow());
      Memory memory = Memory.of(store, MemoryConfig.starter(), parts);
      Trajectory task = memory.run(SPACE, StartTrajectory.of("Plan", EntityRef.agent("planner")));
      Scope scope = memory.view(SPACE, view -> view.currentScope(task.id())).orElseThrow();
      memory.run(
          SPACE,
          AppendTurns.of(
              scope.id(),
              NewTurn.user("Shall we deploy on Friday?"),
              NewTurn.assistant("No, we deploy on Tuesday.")));
      memory.run(SPACE, EndTrajectory.complete(task.id(), "Planned"));
      return memory.view(SPACE, view -> view.scope(scope.id())).summary().orElseThrow();
    }
  }

  @Test
  @DisplayName("LLM-02, LLM-03: the configured model summarises an ended task")
  void theModelSummarises() throws IOException {
    try (HostileServer server = new HostileServer()) {
      server.then(reply(200, completion(GOOD)));
      Summary summary = told(server);
      assertThat(summary.method()).isEqualTo("model openai:m");
      assertThat(summary.text()).isEqualTo("Deploy on Tuesday.");
    }
  }

  @Test
  @DisplayName("LLM-06, J-42: an answer of another shape is not taken; the summary says so")
  void anotherShapeIsNotTaken() throws IOException {
    try (HostileServer server = new HostileServer()) {
      server.always(reply(200, completion("{\"sentences\": [{\"text\": \"x\", \"passage\": 9}]}")));
      Summary summary = told(server);
      assertThat(summary.method()).isEqualTo("extractive (the summarizer failed)");
      assertThat(summary.text()).contains("Tuesday");
    }
  }
}
