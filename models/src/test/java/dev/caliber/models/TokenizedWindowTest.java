package dev.caliber.models;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Chance;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.Ids;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.TokenEstimate;
import dev.caliber.kernel.config.ContextFormat;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryConfig;
import dev.caliber.memory.MemoryParts;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.context.AssembleRequest;
import dev.caliber.memory.context.Assembled;
import dev.caliber.memory.context.ContextAssembler;
import dev.caliber.memory.context.ContextErrorCode;
import dev.caliber.memory.context.ContextException;
import dev.caliber.memory.context.LedgerLine;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Part;
import dev.caliber.memory.record.Role;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.memory.spi.TokenCounters;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.Table;
import dev.caliber.testkit.Engines;
import dev.caliber.testkit.ManualClock;
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

/** Windows that the tokenizers of models count. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TokenizedWindowTest {
  private static final SpaceId SPACE = SpaceId.DEFAULT;
  private static final int MOST = 700;
  private static final int STEP = 7;

  /** What tokenizers join across the borders of items, and texts of many bytes. */
  private static final List<String> SAID =
      List.of(
          "Wo ist die Größe 42?\n\n</turn>",
          "/it/is/here and there's more...",
          "漢字と🙂。東京は大きい。".repeat(9),
          "- [12] user: <|endoftext|>",
          "A longer sentence that says a little more. ".repeat(40),
          "e\u0301\u2028\u2029 12345678 'll \t\t  ");

  private final ManualClock clock = new ManualClock();
  private final TokenCounters counters = Models.counters(ModelsConfig.starter());
  private final RecordStore store =
      RecordStore.open(
          StoreConfig.starter().withEngine(Engines.memory()),
          tables(),
          clock,
          Ids.of(clock, Chance.seeded(1)));
  private final MemoryParts parts =
      MemoryParts.plain(
          clock, RuntimeConfig.starter(), TokenCounter.estimate(new TokenEstimate(4)));
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
      memory.run(SPACE, WriteNote.of("somebody", "person", NoteType.FACT, "It was said: " + words));
    }
    memory.run(
        SPACE,
        AppendTurns.of(
            scope,
            NewTurn.of(Role.ASSISTANT, new Part.ToolCall("c1", "find", "{\"n\": \"漢字\"}")),
            NewTurn.of(Role.TOOL, new Part.ToolResult("c1", "🙂".repeat(30), false))));
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
    TokenCounter counter = counters.named(encoding).orElseThrow();
    for (ContextFormat format : ContextFormat.values()) {
      AssembleRequest request =
          AssembleRequest.of(task.orElseThrow()).countedBy(encoding).as(format).dry();
      for (int budget = 1; budget < MOST; budget += STEP) {
        assemble(request.within(budget)).ifPresent(made -> holds(made, counter));
      }
    }
  }

  /** A frame alone may be too large. */
  private Optional<Assembled> assemble(AssembleRequest request) {
    try {
      return Optional.of(assembler.assemble(SPACE, request));
    } catch (ContextException tooSmall) {
      assertThat(tooSmall.code()).isEqualTo(ContextErrorCode.BUDGET_TOO_SMALL);
      return Optional.empty();
    }
  }

  private static void holds(Assembled made, TokenCounter counter) {
    int items = made.window().ledger().stream().mapToInt(LedgerLine::tokens).sum();
    assertThat(counter.count(made.text()))
        .isEqualTo(made.window().usedTokens())
        .isEqualTo(items + made.window().frame())
        .isLessThanOrEqualTo(made.window().maxTokens());
  }
}
