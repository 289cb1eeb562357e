package dev.caliber.models;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.IdGenerator;
import dev.caliber.kernel.RandomSource;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.TokenEstimator;
import dev.caliber.kernel.config.ContextFormat;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.context.AssembledWindow;
import dev.caliber.memory.context.ContextAssembler;
import dev.caliber.memory.context.window.AssembleRequest;
import dev.caliber.memory.context.window.ContextErrorCode;
import dev.caliber.memory.context.window.ContextException;
import dev.caliber.memory.context.window.LedgerLine;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.TurnPart;
import dev.caliber.memory.record.TurnRole;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.memory.spi.TokenCounters;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.memory.view.MemoryDependencies;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.Table;
import dev.caliber.store.jdbc.Stores;
import dev.caliber.testkit.ManualClock;
import dev.caliber.testkit.TestEngines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Windows that are counted by the models' tokenizers. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TokenizedWindowTest {
  private static final SpaceId SPACE = SpaceId.DEFAULT;
  private static final int MOST = 700;
  private static final int STEP = 7;

  /** Texts that tokenizers join across the borders of items, and texts of many bytes. */
  private static final List<String> SAID =
      List.of(
          "Wo ist die Größe 42?\n\n</turn>",
          "/it/is/here and there's more...",
          "漢字と🙂。東京は大きい。".repeat(9),
          "- [12] user: <|endoftext|>",
          "A longer sentence that says a little more. ".repeat(40),
          "e\u0301\u2028\u2029 12345678 'll \t\t  ");

  private final ManualClock clock = new ManualClock();
  private final TokenCounters counters = Models.tokenCounters(ModelsConfig.starter());
  private final RecordStore store =
      Stores.open(
          StoreConfig.starter().withEngine(TestEngines.memory()),
          tables(),
          clock,
          IdGenerator.of(clock, RandomSource.seeded(1)));
  private final MemoryDependencies parts =
      MemoryDependencies.minimal(
          clock, RuntimeConfig.starter(), TokenCounter.estimate(new TokenEstimator(4)));
  private final ContextAssembler assembler =
      ContextAssembler.of(store, MemoryConfig.starter(), parts, counters);
  private Optional<Id> task = Optional.empty();

  private static List<Table<?>> tables() {
    List<Table<?>> tables = new ArrayList<>(Memory.tables());
    tables.addAll(ContextAssembler.tables());
    return tables;
  }

  @BeforeAll
  void tell() {
    Memory memory = Memory.of(store, MemoryConfig.starter(), parts);
    Trajectory told = memory.run(SPACE, StartTrajectory.of("Talk", EntityRef.agent("talker")));
    Id scope = memory.view(SPACE, view -> view.currentScope(told.id())).orElseThrow().id();
    for (String words : SAID) {
      clock.advance(Duration.ofSeconds(1));
      memory.run(SPACE, AppendTurns.of(scope, NewTurn.user(words)));
      memory.run(SPACE, WriteNote.of("someone", "person", NoteType.FACT, "It was said: " + words));
    }
    memory.run(
        SPACE,
        AppendTurns.of(
            scope,
            NewTurn.of(
                TurnRole.ASSISTANT, new TurnPart.ToolCallPart("c1", "find", "{\"n\": \"漢字\"}")),
            NewTurn.of(TurnRole.TOOL, new TurnPart.ToolResultPart("c1", "🙂".repeat(30), false))));
    task = Optional.of(told.id());
  }

  @AfterAll
  void close() {
    store.close();
  }

  @ParameterizedTest
  @DisplayName("CTX-01, CTX-11: no budget is exceeded as a tokenizer counts the rendered text")
  @ValueSource(strings = {"r50k_base", "p50k_base", "cl100k_base", "o200k_base"})
  void theBudgetHolds(String encoding) {
    TokenCounter counter = counters.byName(encoding).orElseThrow();
    for (ContextFormat format : ContextFormat.values()) {
      AssembleRequest request =
          AssembleRequest.of(task.orElseThrow())
              .withTokenizer(encoding)
              .withFormat(format)
              .withDryRun();
      for (int budget = 1; budget < MOST; budget += STEP) {
        assemble(request.withMaxTokens(budget)).ifPresent(made -> holds(made, counter));
      }
    }
  }

  /** Assembles a window; the frame alone may be too large. */
  private Optional<AssembledWindow> assemble(AssembleRequest request) {
    try {
      return Optional.of(assembler.assemble(SPACE, request));
    } catch (ContextException tooSmall) {
      assertThat(tooSmall.code()).isEqualTo(ContextErrorCode.BUDGET_TOO_SMALL);
      return Optional.empty();
    }
  }

  private static void holds(AssembledWindow made, TokenCounter counter) {
    int items = made.window().ledger().stream().mapToInt(LedgerLine::tokens).sum();
    assertThat(counter.count(made.text()))
        .isEqualTo(made.window().usedTokens())
        .isEqualTo(items + made.window().frame())
        .isLessThanOrEqualTo(made.window().maxTokens());
  }
}
