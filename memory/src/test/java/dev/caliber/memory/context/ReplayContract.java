package dev.caliber.memory.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.FieldHash;
import dev.caliber.kernel.IdGenerator;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.RandomSource;
import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.kernel.config.ContextFormat;
import dev.caliber.kernel.config.InjectionMode;
import dev.caliber.kernel.config.MemoryType;
import dev.caliber.kernel.config.PolicyAction;
import dev.caliber.kernel.config.PolicyDefinition;
import dev.caliber.kernel.config.PolicyRule;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.kernel.config.Trigger;
import dev.caliber.memory.Memory;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.ForgetRecords;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.OpenScope;
import dev.caliber.memory.command.RollBackTrajectory;
import dev.caliber.memory.command.RunPolicy;
import dev.caliber.memory.command.SaveCheckpoint;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.command.SupersedeNote;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.context.explain.WindowExplanation;
import dev.caliber.memory.context.window.AssembleRequest;
import dev.caliber.memory.context.window.Candidate;
import dev.caliber.memory.context.window.ContextErrorCode;
import dev.caliber.memory.context.window.LedgerLine;
import dev.caliber.memory.context.window.Window;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.record.TurnPart;
import dev.caliber.memory.record.TurnRole;
import dev.caliber.memory.spi.TokenCounters;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.memory.view.MemoryDependencies;
import dev.caliber.memory.view.MemoryView;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.Table;
import dev.caliber.store.jdbc.Stores;
import dev.caliber.store.search.SearchIndex;
import dev.caliber.store.search.index.SearchIndexes;
import dev.caliber.testkit.EachEngine;
import dev.caliber.testkit.EngineKind;
import dev.caliber.testkit.TestEngines;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Replay of windows to equal bytes, whatever has happened to the index. */
@EachEngine({EngineKind.SQLITE, EngineKind.POSTGRES})
class ReplayContract extends ContextFixture {
  private static final StoreConfig ELSEWHERE =
      StoreConfig.starter().withEngine(TestEngines.memory());

  /** Writes a conversation of two scopes with a tool call, an artifact and some notes. */
  private Trajectory tell(Memory told) {
    Trajectory task =
        told.run(SPACE, StartTrajectory.of("Plan the trip", EntityRef.agent("planner")));
    Scope first = told.view(SPACE, view -> view.currentScope(task.id())).orElseThrow();
    said(told, first, NewTurn.user("I would like to see the northern lights in Tromsø."));
    said(told, first, NewTurn.assistant("They are best from November to March."));
    said(told, first, NewTurn.user("Then February, when the days are longer."));
    told.run(SPACE, CloseScope.of(first.id()));
    Scope scope = told.run(SPACE, new OpenScope(task.id()));
    said(told, scope, NewTurn.user("What does a flight cost?"));
    said(
        told,
        scope,
        NewTurn.of(
            TurnRole.ASSISTANT, new TurnPart.ToolCallPart("c1", "flights", "{\"to\":\"TOS\"}")));
    said(
        told,
        scope,
        NewTurn.of(TurnRole.TOOL, new TurnPart.ToolResultPart("c1", "from 180 euros", false)));
    told.run(
        SPACE, WriteNote.of("alice", "person", NoteType.PREFERENCE, "Alice likes window seats."));
    told.run(
        SPACE, WriteNote.of("lights", "thing", NoteType.FACT, "Northern lights need dark skies."));
    clock.advance(Duration.ofSeconds(1));
    return task;
  }

  private void said(Memory told, Scope scope, NewTurn turn) {
    clock.advance(Duration.ofMinutes(1));
    told.run(SPACE, AppendTurns.of(scope.id(), turn));
  }

  private static AssembleRequest question(Trajectory task) {
    return AssembleRequest.of(task.id()).withQuery("northern lights in February");
  }

  @Test
  @DisplayName("CTX-24: a golden window, the same on every engine")
  void golden() throws IOException {
    Trajectory task = tell(memory);
    StringBuilder all = new StringBuilder();
    for (ContextFormat format : ContextFormat.values()) {
      AssembledWindow made = assemble(question(task).withFormat(format));
      assertThat(assembler.replay(SPACE, made.window())).isEqualTo(made.text());
      all.append("=== ").append(format).append('\n').append(made.text()).append('\n');
    }
    assertThat(all.toString().replaceAll("(<<<|>>>) [0-9a-f]{16}", "$1 MARK"))
        .as("but for the marks, which follow from ids")
        .isEqualTo(resource("golden-window.txt"));
  }

  private static String resource(String name) throws IOException {
    try (InputStream in =
        Objects.requireNonNull(ReplayContract.class.getResourceAsStream(name), name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  @DisplayName("CTX-24: replay after a restart, after an index rebuild, and after later changes")
  void afterRestartAndRebuild() {
    Trajectory task = tell(memory);
    AssembledWindow made = assemble(question(task));
    rebuildIndex();
    assertThat(assembler.replay(SPACE, made.window())).isEqualTo(made.text());
    reopen();
    Window kept = assembler.window(SPACE, made.window().id());
    assertThat(kept).isEqualTo(made.window());
    assertThat(assembler.replay(SPACE, kept)).isEqualTo(made.text());
    Note lights = memory.view(SPACE, view -> view.notes("lights", "thing")).getFirst();
    clock.advance(Duration.ofHours(1));
    memory.run(
        SPACE,
        new SupersedeNote(
            lights.id(), WriteNote.of("lights", "thing", NoteType.FACT, "Lights come and go.")));
    memory.run(
        SPACE,
        AppendTurns.of(scopeOf(task).id(), NewTurn.user("Something about northern lights.")));
    assertThat(assembler.replay(SPACE, kept)).isEqualTo(made.text());
    assertThat(assemble(question(task)).text()).isNotEqualTo(made.text());
  }

  @Test
  @DisplayName("CTX-24: a window that was kept with the hashes of before replays")
  void hashesOfBefore() {
    AssembledWindow made = assemble(question(tell(memory)));
    Window old = withHashesOfBefore(made.window());
    assertThat(old.ledger()).isNotEqualTo(made.window().ledger());
    store.write(SPACE, transaction -> WindowStorage.save(transaction, old));
    assertThat(assembler.replay(SPACE, assembler.window(SPACE, old.id()))).isEqualTo(made.text());
  }

  @Test
  @DisplayName("CTX-24: a window that was kept before limits were named replays")
  void limitsOfBefore() {
    Trajectory task = tell(memory);
    for (int i = 0; i < 12; i++) {
      learn("person" + i, "Fact number " + i + " about a person.");
    }
    AssembledWindow made = assemble(task);
    String now = Json.text(made.window());
    assertThat(now).contains("\"bound\":{\"setting\":\"context.relevance.recency-limit\"");
    String before = now.replaceAll(",\"bound\":\\{[^}]*\\}", "");
    Window old = Json.read(before, Window.class);
    assertThat(WindowExplanation.of(old).rest().get("notes"))
        .isEqualTo("at least 1 more beyond the limit of candidates");
    assertThat(assembler.replay(SPACE, old)).isEqualTo(made.text());
  }

  private Window withHashesOfBefore(Window window) {
    List<LedgerLine> lines =
        store.read(
            SPACE,
            snapshot -> {
              MemoryView view = MemoryView.of(snapshot, MemoryConfig.starter());
              LedgerLineTextLoader again =
                  new LedgerLineTextLoader(view, snapshot, window.recipe());
              return window.ledger().stream().map(line -> withHashOfBefore(line, again)).toList();
            });
    return new Window(
        window.id(),
        window.trajectory(),
        window.inputs(),
        window.recipe(),
        window.inputHash(),
        window.textHash(),
        window.usedTokens(),
        window.frame(),
        window.sections(),
        lines,
        window.assembledAt(),
        window.expiresAt());
  }

  /** Returns a line with a hash of the JSON, as earlier versions wrote it. */
  private static LedgerLine withHashOfBefore(LedgerLine line, LedgerLineTextLoader again) {
    Candidate now = line.candidate();
    Candidate before =
        new Candidate(
            now.kind(),
            now.id(),
            now.version(),
            now.section(),
            now.priority(),
            now.scores(),
            now.time(),
            now.position(),
            now.source(),
            now.bundle(),
            FieldHash.hash("body", Json.text(again.loadContent(now).body())));
    return new LedgerLine(
        line.number(),
        before,
        line.fullTokens(),
        line.tokens(),
        line.decision(),
        line.rule(),
        line.reason());
  }

  @Test
  @DisplayName(
      "CTX-24: at the same time, a store that was closed and reopened gives the same window")
  void sameTimeSameBytes() {
    Trajectory task = tell(memory);
    AssembleRequest request = question(task).withAsOf(clock.instant());
    String before = assemble(request.withDryRun()).text();
    reopen();
    assertThat(assemble(request.withDryRun()).text()).isEqualTo(before);
  }

  @Test
  @DisplayName("CTX-24: what was forgotten is not shown again, and replay says so")
  void forgottenIsGone() {
    Trajectory task = tell(memory);
    Window window = assemble(question(task)).window();
    Note seats = memory.view(SPACE, view -> view.notes("lights", "thing")).getFirst();
    memory.forget(SPACE, ForgetRecords.of(seats.id()));
    refuses(ContextErrorCode.CONTENT_UNAVAILABLE, () -> assembler.replay(SPACE, window));
  }

  /**
   * Deploys a policy that summarises the trajectory by its scopes, and shows the trajectory itself.
   */
  private void deployTelling() {
    PolicyRule tell =
        new PolicyRule(
            new Trigger.EventTrigger(Trigger.TrajectoryTriggerEvent.TASK_END),
            List.of(new PolicyAction.SummarizeAction("scopes")));
    deployed =
        Optional.of(
            new CompiledConfig(
                "1.0",
                List.of(
                    memory("trajectories", MemoryType.WORKING),
                    memory("scopes", MemoryType.WORKING)),
                List.of(new PolicyDefinition("tell", List.of(tell))),
                List.of(rule("trajectories", new InjectionMode.FullInjection(), 45, 2000)),
                List.of()));
  }

  private void summarize(Trajectory task, String key) {
    clock.advance(Duration.ofMinutes(1));
    memory.run(SPACE, RunPolicy.forTrajectory(task.id(), "tell", key));
    clock.advance(Duration.ofMinutes(1));
  }

  @Test
  @DisplayName(
      "CTX-24: a window whose summaries were made anew replays, and the past is told as it was")
  void summariesMadeAnew() throws IOException {
    deployTelling();
    Trajectory task = tell(memory);
    Instant untold = clock.instant();
    summarize(task, "first");
    AssembleRequest plain = AssembleRequest.of(task.id());
    Instant march = clock.instant();
    AssembledWindow made = assemble(plain);
    assertThat(made.text()).isEqualTo(resource("golden-summary.txt"));
    Scope scope = scopeOf(task);
    said(memory, scope, NewTurn.user("Book the night train to Narvik instead."));
    memory.run(SPACE, CloseScope.of(scope.id()));
    summarize(task, "second");
    assertThat(assemble(plain.withDryRun()).text()).isNotEqualTo(made.text());
    assertThat(assembler.replay(SPACE, made.window())).isEqualTo(made.text());
    assertThat(assemble(plain.withAsOf(march).withDryRun()).text()).isEqualTo(made.text());
    assertThat(assemble(plain.withAsOf(untold).withDryRun()).text()).contains("Plan the trip");
    assertThat(assemble(plain.withAsOf(untold).withDryRun()).text().length())
        .isLessThan(made.text().length());
    reopen();
    assertThat(assembler.replay(SPACE, assembler.window(SPACE, made.window().id())))
        .isEqualTo(made.text());
  }

  @Test
  @DisplayName("CTX-24, REC-04: a scope that a return has told anew is shown as it was before")
  void summariesOfBeforeAReturn() {
    Trajectory task = start();
    Scope scope = scopeOf(task);
    say(scope, "The parser fails on tabs.");
    Checkpoint point = memory.run(SPACE, SaveCheckpoint.of(task.id()));
    say(scope, "The lexer fails on spaces.");
    memory.run(SPACE, CloseScope.of(scope.id()));
    say(memory.run(SPACE, new OpenScope(task.id())), "What fails?");
    clock.advance(Duration.ofMinutes(1));
    AssembledWindow made = assemble(task);
    assertThat(made.text()).contains("The lexer fails on spaces.");
    Instant before = clock.instant();
    clock.advance(Duration.ofMinutes(1));
    memory.run(SPACE, RollBackTrajectory.toCheckpoint(point));
    assertThat(assemble(task).text()).doesNotContain("The lexer fails on spaces.");
    assertThat(assembler.replay(SPACE, made.window())).isEqualTo(made.text());
    assertThat(assemble(AssembleRequest.of(task.id()).withAsOf(before).withDryRun()).text())
        .isEqualTo(made.text());
  }

  @Test
  @DisplayName("CTX-24: what was told of the forgotten goes with it, however long ago it was told")
  void forgottenSummaries() {
    deployTelling();
    Trajectory task = start();
    Scope scope = scopeOf(task);
    Turn secret = say(scope, "The password of the vault is swordfish.");
    memory.run(SPACE, CloseScope.of(scope.id()));
    summarize(task, "first");
    Window window = assemble(task).window();
    Scope next = memory.run(SPACE, new OpenScope(task.id()));
    say(next, "The vault of the bank is in the cellar of the house.");
    memory.run(SPACE, CloseScope.of(next.id()));
    summarize(task, "second");
    assertThat(toldBefore(task)).contains("swordfish");
    memory.forget(SPACE, ForgetRecords.of(secret.id()));
    assertThat(toldBefore(task)).doesNotContain("swordfish");
    refuses(ContextErrorCode.CONTENT_UNAVAILABLE, () -> assembler.replay(SPACE, window));
  }

  private String toldBefore(Trajectory task) {
    return memory.view(SPACE, view -> view.summaryHistory(task.id())).toString();
  }

  @Test
  @DisplayName("CTX-24: a window of one engine replays on another, whatever the order of writing")
  void acrossEngines() {
    RecordStore elsewhere = elsewhere();
    MemoryDependencies parts = MemoryDependencies.minimal(clock, RuntimeConfig.starter(), COUNTER);
    Memory there = Memory.of(elsewhere, MemoryConfig.starter(), parts);
    Trajectory task = tell(there);
    AssembleRequest request = AssembleRequest.of(task.id()).withMaxTokens(400);
    AssembledWindow made =
        ContextAssembler.of(elsewhere, MemoryConfig.starter(), parts, TokenCounters.none())
            .assemble(SPACE, request.withQuery("northern lights"));
    AssembledWindow plain =
        ContextAssembler.of(elsewhere, MemoryConfig.starter(), parts, TokenCounters.none())
            .assemble(SPACE, request.withDryRun());
    Stream.concat(Memory.tables().stream(), ContextAssembler.tables().stream())
        .forEach(table -> copy(elsewhere, store, table, new Random(SEED)));
    Window kept = assembler.window(SPACE, made.window().id());
    assertThat(assembler.replay(SPACE, kept)).isEqualTo(made.text());
    assertThat(assemble(request.withDryRun()).text()).isEqualTo(plain.text());
    elsewhere.close();
  }

  @ParameterizedTest
  @DisplayName("CTX-08, CTX-24: in whatever order records were inserted, the window is the same")
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void whateverTheOrderOfInsertion(long seed) {
    Trajectory task = tell(memory);
    for (int i = 0; i < 12; i++) {
      make(scopeOf(task), "Leg %d of the trip is booked.".formatted(i));
      learn("person" + i, "Fact number " + i + " about the northern lights.");
    }
    AssembleRequest request = AssembleRequest.of(task.id()).withMaxTokens(400).withDryRun();
    List<String> here =
        Stream.of(request, request.withQuery("northern lights"))
            .map(each -> unindexed(store).assemble(SPACE, each).text())
            .toList();
    RecordStore elsewhere = elsewhere();
    Memory.tables().forEach(table -> copy(store, elsewhere, table, new Random(seed)));
    List<String> there =
        Stream.of(request, request.withQuery("northern lights"))
            .map(each -> unindexed(elsewhere).assemble(SPACE, each).text())
            .toList();
    assertThat(there).isEqualTo(here);
    elsewhere.close();
  }

  @ParameterizedTest
  @DisplayName("CTX-08, CTX-24: in whatever order records were indexed, the window is the same")
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void whateverTheOrderOfIndexing(long seed) {
    Trajectory task = tell(memory);
    for (int i = 0; i < 30; i++) {
      learn("person" + i, "The northern lights are green.");
      learn("place" + i, "Fact number " + i + " about the northern lights.");
    }
    for (int i = 0; i < 12; i++) {
      say(scopeOf(task), "The northern lights are green.");
      make(scopeOf(task), "Leg %d of the trip to the northern lights.".formatted(i));
      if (i % 3 == 0) {
        memory.run(SPACE, CloseScope.of(scopeOf(task).id()));
        memory.run(SPACE, new OpenScope(task.id()));
      }
    }
    AssembleRequest request = question(task).withDryRun();
    List<String> here = offered(assemble(request));
    try (RecordStore elsewhere = elsewhere()) {
      Memory.tables().forEach(table -> copy(store, elsewhere, table, new Random(seed)));
      try (SearchIndex index = index(elsewhere, ELSEWHERE, indexes.resolve("elsewhere"))) {
        assertThat(offered(indexed(elsewhere, index).assemble(SPACE, request))).isEqualTo(here);
      }
    }
  }

  /** Returns the text, and every candidate with its position and score. */
  private static List<String> offered(AssembledWindow made) {
    return Stream.concat(
            Stream.of(made.text()),
            made.window().ledger().stream()
                .map(LedgerLine::candidate)
                .map(one -> "%s %s".formatted(one.id(), one.scores().score())))
        .toList();
  }

  private ContextAssembler indexed(RecordStore of, SearchIndex index) {
    MemoryDependencies parts =
        MemoryDependencies.minimal(clock, RuntimeConfig.starter(), COUNTER).withSearch(index);
    return ContextAssembler.of(of, MemoryConfig.starter(), parts, TokenCounters.none());
  }

  private ContextAssembler unindexed(RecordStore of) {
    MemoryDependencies parts = MemoryDependencies.minimal(clock, RuntimeConfig.starter(), COUNTER);
    return ContextAssembler.of(of, MemoryConfig.starter(), parts, TokenCounters.none());
  }

  private RecordStore elsewhere() {
    List<Table<?>> tables = new ArrayList<>(Memory.tables());
    tables.addAll(ContextAssembler.tables());
    tables.addAll(SearchIndexes.tables());
    return Stores.open(ELSEWHERE, tables, clock, IdGenerator.of(clock, RandomSource.seeded(SEED)));
  }

  private <T> void copy(RecordStore from, RecordStore to, Table<T> table, Random order) {
    List<T> records =
        new ArrayList<>(
            from.read(SPACE, snapshot -> snapshot.scan(Query.over(table), 1000)).records());
    Collections.shuffle(records, order);
    for (T record : records) {
      to.write(
          SPACE,
          transaction -> {
            transaction.put(table, record);
            return record;
          });
    }
  }
}
