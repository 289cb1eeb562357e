package dev.caliber.memory.context.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.KernelErrorCode;
import dev.caliber.kernel.config.ComparisonOperator;
import dev.caliber.kernel.config.ContextConfig;
import dev.caliber.kernel.config.Filter;
import dev.caliber.kernel.config.FilterValue;
import dev.caliber.kernel.config.InjectionMode;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.CreateArtifacts;
import dev.caliber.memory.command.NewArtifact;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.OpenScope;
import dev.caliber.memory.command.RollBackTrajectory;
import dev.caliber.memory.command.SaveCheckpoint;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.command.SupersedeArtifact;
import dev.caliber.memory.command.SupersedeNote;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.context.AssembledWindow;
import dev.caliber.memory.context.ContextFixture;
import dev.caliber.memory.context.explain.WindowExplanation;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.MemoryErrorCode;
import dev.caliber.memory.record.MemoryInjection;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.TimeRange;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Ttl;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.record.TurnPart;
import dev.caliber.memory.record.TurnRole;
import dev.caliber.memory.spi.Summary;
import dev.caliber.testkit.EachEngine;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Contents of a window, with the reasons. */
@EachEngine
class AssemblyContract extends ContextFixture {
  @Test
  @DisplayName("CTX-01: a window holds at most what was asked for, which may only be less")
  void theBudgetHolds() {
    Trajectory task = start();
    Scope scope = scopeOf(task);
    for (int i = 0; i < 40; i++) {
      say(scope, "Turn number " + i + " says a few words about the build.");
    }
    AssembledWindow made = assemble(AssembleRequest.of(task.id()).withMaxTokens(200));
    assertThat(made.window().usedTokens()).isBetween(100, 200);
    assertThat(made.window().maxTokens()).isEqualTo(200);
    assertThat(assemble(task).window().maxTokens()).isEqualTo(8000);
    refuses(
        ContextErrorCode.BUDGET_OUT_OF_RANGE,
        () -> assemble(AssembleRequest.of(task.id()).withMaxTokens(8001)));
    refuses(
        ContextErrorCode.BUDGET_OUT_OF_RANGE,
        () -> assemble(AssembleRequest.of(task.id()).withMaxTokens(0)));
  }

  @Test
  @DisplayName("REC-04: a scope that was rolled back leaves no summary in later windows")
  void whatWasRolledBackIsNoHistory() {
    Trajectory task = start();
    say(scopeOf(task), "The plan is sound.");
    Checkpoint point = memory.run(SPACE, SaveCheckpoint.of(task.id()));
    Scope astray = memory.run(SPACE, new OpenScope(task.id()));
    say(astray, "The detour leads nowhere.");
    memory.run(SPACE, CloseScope.of(astray.id()));
    assertThat(assemble(task).text()).contains("detour");
    memory.run(SPACE, RollBackTrajectory.toCheckpoint(point));
    assertThat(assemble(task).text()).doesNotContain("detour", "olled back");
  }

  @Test
  @DisplayName("CTX-02: an unknown trajectory is refused")
  void unknownTrajectory() {
    refuses(
        MemoryErrorCode.UNKNOWN_RECORD,
        () -> assemble(AssembleRequest.of(Id.derivedFrom("test", "none"))));
  }

  @Test
  @DisplayName("CTX-04, CTX-12, CTX-23, J-29: every source has its section, by priority")
  void everySourceHasItsSection() {
    use(instructed("Be kind."));
    Trajectory task = start();
    Scope first = scopeOf(task);
    Turn early = say(first, "The zebra lives in the garden behind the house.");
    say(first, "It eats grass all day.");
    memory.run(SPACE, CloseScope.of(first.id()));
    Scope scope = memory.run(SPACE, new OpenScope(task.id()));
    Turn question = say(scope, "Where does the zebra live?");
    Artifact made = make(scope, "zebra = striped");
    Note note = learn("zebra", "The zebra sleeps standing.");
    AssembledWindow window = assemble(ask(task, "zebra"));
    assertThat(window.window().sections())
        .extracting(SectionContent::name)
        .containsExactly("system", "conversation", "recalled", "artifacts", "notes", "history");
    assertThat(window.text()).contains("Be kind.", "Where does the zebra live?", "striped");
    assertThat(line(window, early.id()).candidate().section()).isEqualTo("recalled");
    assertThat(line(window, question.id()).candidate().priority()).isEqualTo(90);
    assertThat(line(window, made.id()).decision()).isEqualTo(InclusionDecision.INCLUDE);
    assertThat(line(window, note.id()).decision()).isEqualTo(InclusionDecision.INCLUDE);
    assertThat(window.window().ledger())
        .extracting(line -> line.candidate().kind() + " " + line.candidate().id())
        .doesNotHaveDuplicates();
    assertThat(window.window().sections())
        .allSatisfy(
            section ->
                assertThat(section.sources())
                    .isNotEmpty()
                    .allSatisfy(
                        sectionRecord ->
                            assertThat(sectionRecord.relevance()).isBetween(0.0, 1.0)));
  }

  @Test
  @DisplayName("CTX-05, J-30: what no longer holds is no candidate")
  void whatNoLongerHoldsIsOut() {
    Trajectory task = start();
    Scope scope = scopeOf(task);
    Artifact old = make(scope, "The answer is 41.");
    memory.run(
        SPACE,
        new SupersedeArtifact(
            old.id(),
            NewArtifact.of(scope.id(), ArtifactType.FACT, Bytes.of("The answer is 42."))));
    Artifact shortLived =
        memory
            .run(
                SPACE,
                CreateArtifacts.of(
                    NewArtifact.of(scope.id(), ArtifactType.FACT, Bytes.of("gone soon"))
                        .withTtl(Ttl.of(Duration.ofMinutes(1)))))
            .getFirst();
    Note paris = learn("alice", "Alice lives in Paris.");
    Note future =
        memory.run(
            SPACE,
            WriteNote.of("bob", "person", NoteType.FACT, "Bob will move to Oslo.")
                .withValidity(TimeRange.from(clock.instant().plusSeconds(10_000))));
    memory.run(
        SPACE,
        new SupersedeNote(
            paris.id(), WriteNote.of("alice", "person", NoteType.FACT, "Alice lives in Rome.")));
    clock.advance(Duration.ofMinutes(2));
    AssembledWindow window = assemble(task);
    assertThat(window.text()).contains("42", "Rome").doesNotContain("41", "Paris", "Oslo", "soon");
    assertThat(offers(window, old.id())).isFalse();
    assertThat(offers(window, shortLived.id())).isFalse();
    assertThat(offers(window, future.id())).isFalse();
    assertThat(assemble(ask(task, "Alice answer Oslo")).text())
        .contains("42", "Rome")
        .doesNotContain("41", "Paris", "Oslo");
    Scope left = abandoned(task);
    assertThat(memory.<Scope>view(SPACE, view -> view.scope(left.id())).summary().orElseThrow())
        .matches(Summary::isPlaceholder);
    AssembledWindow later = assemble(task);
    assertThat(offers(later, left.id())).isFalse();
    assertThat(later.text()).contains("Still at it.").doesNotContain("[SYSTEM]");
  }

  /**
   * Returns a scope without an active agent, which the system closed with a summary that says so.
   */
  private Scope abandoned(Trajectory task) {
    Scope left = scopeOf(task);
    memory.run(SPACE, new OpenScope(task.id()));
    clock.advance(RuntimeConfig.starter().memory().orphanAfter().plusSeconds(1));
    say(scopeOf(task), "Still at it.");
    assertThat(memory.runMaintenance(SPACE).orphans().scopes()).containsExactly(left.id());
    return left;
  }

  @Test
  @DisplayName("CTX-06, J-31, CTX-07: without a query the newest notes come, all relevant")
  void withoutQueryTheNewestNotes() {
    Trajectory task = start();
    List<Note> notes = new ArrayList<>();
    for (int i = 0; i < 14; i++) {
      notes.add(learn("person" + i, "Fact number " + i + " about a person."));
    }
    AssembledWindow window = assemble(task);
    assertThat(offers(window, notes.get(3).id())).isFalse();
    assertThat(offers(window, notes.get(4).id())).isTrue();
    assertThat(line(window, notes.get(13).id()).number()).isEqualTo(1);
    assertThat(window.window().ledger())
        .allSatisfy(line -> assertThat(line.candidate().scores().relevance()).isEqualTo(1.0));
  }

  @Test
  @DisplayName("CTX-07, J-32: what has no vector is neutral, and the window says why")
  void withoutVectorNeutral() {
    Trajectory task = start();
    Note note = learn("zebra", "The zebra sleeps standing.");
    AssembledWindow window = assemble(ask(task, "zebra"));
    assertThat(line(window, note.id()).candidate().scores().relevance()).isEqualTo(0.5);
    assertThat(line(window, note.id()).candidate().scores().channels()).isNotEmpty();
    assertThat(window.window().inputs().generations()).isNotEmpty();
  }

  @Test
  @DisplayName("CTX-10, CTX-11, CTX-13, J-33: the newest turns are kept and shown in order")
  void theNewestTurnsAreKept() {
    Trajectory task = start();
    Scope scope = scopeOf(task);
    List<Turn> turns = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      turns.add(say(scope, "Message %02d of the conversation.".formatted(i)));
    }
    AssembledWindow window = assemble(AssembleRequest.of(task.id()).withMaxTokens(300));
    List<Integer> shown =
        java.util.regex.Pattern.compile("Message (\\d\\d)")
            .matcher(window.text())
            .results()
            .map(found -> Integer.parseInt(found.group(1)))
            .toList();
    assertThat(shown).isSorted().contains(29).doesNotContain(0);
    assertThat(shown).hasSize(30 - shown.getFirst());
    LedgerLine first = line(window, turns.getLast().id());
    assertThat(first.rule()).isEqualTo("standard_inclusion");
    assertThat(first.reason()).isEqualTo("rule_conversation");
    LedgerLine cut = line(window, turns.get(shown.getFirst() - 1).id());
    assertThat(cut.decision()).isEqualTo(InclusionDecision.EXCLUDE);
    assertThat(cut.rule()).isIn("budget_limit", "conversation_truncated");
    assertThat(cut.fullTokens()).isPositive();
    assertThat(cut.tokens()).isZero();
  }

  @Test
  @DisplayName("CTX-14, J-29: nothing to say is an empty window; instructions must fit")
  void emptyAndTooSmall() {
    Trajectory task = start();
    AssembledWindow empty = assemble(task);
    assertThat(empty.text()).isEmpty();
    assertThat(empty.window().usedTokens()).isZero();
    use(instructed("Be kind. ".repeat(100)));
    refuses(
        ContextErrorCode.BUDGET_TOO_SMALL,
        () -> assemble(AssembleRequest.of(task.id()).withMaxTokens(20)));
    AssembledWindow system = assemble(task);
    assertThat(system.window().sections())
        .extracting(SectionContent::name)
        .containsExactly("system");
  }

  @Test
  @DisplayName("CTX-16, CTX-17, CTX-21, CTX-22: deployed rules decide mode, priority and size")
  void deployedRules() {
    deploy(
        rule("notes", new InjectionMode.FullInjection(), 70, 4000),
        rule("turn_buffer", new InjectionMode.TopKInjection(2), 60, 4000),
        rule("artifacts_made", new InjectionMode.FullInjection(), 50, 90),
        rule("scopes", new InjectionMode.SummaryInjection(), 40, 4000));
    Trajectory task = start();
    Scope scope = scopeOf(task);
    Turn oldest = say(scope, "First of all.");
    say(scope, "Second thing.");
    say(scope, "Third thing.");
    learn("alice", "Alice likes tea.");
    Artifact large = make(scope, "A sentence that is long enough. ".repeat(60));
    AssembledWindow window = assemble(task);
    assertThat(window.window().sections())
        .extracting(SectionContent::name)
        .containsExactly("notes", "turn_buffer", "artifacts_made");
    assertThat(offers(window, oldest.id())).isFalse();
    assertThat(line(window, large.id()).decision()).isEqualTo(InclusionDecision.TRUNCATE);
    assertThat(window.window().sections().getLast().tokens()).isLessThanOrEqualTo(90);
    assertThat(window.window().sections().getLast().compressible()).isFalse();
    assertThat(window.window().sections().getFirst().compressible()).isTrue();
    assertThat(window.window().ledger().get(1).reason()).isEqualTo("rule_notes");
  }

  @Test
  @DisplayName("MEM-20, J-14: a persona has a place of its own, knowledge is what notes are")
  void sectionsByName() {
    use(instructed("Be kind."));
    Trajectory task = start();
    Turn question = say(scopeOf(task), "Who are you?");
    learn("guide", "I am a patient guide.");
    deploy();
    inject(task, "persona");
    AssembledWindow injected = assemble(task);
    assertThat(injected.window().sections())
        .extracting(SectionContent::name, SectionContent::priority)
        .containsExactly(tuple("system", 100), tuple("persona", 95), tuple("conversation", 80));
    assertThat(line(injected, question.id()).candidate().priority()).isEqualTo(90);
    Trajectory other = start();
    deploy(rule("knowledge", new InjectionMode.FullInjection(), 50, 4000));
    assertThat(assemble(other).window().sections())
        .extracting(SectionContent::name)
        .containsExactly("system", "knowledge");
  }

  /** Injects a memory as a policy does. */
  private void inject(Trajectory task, String memory) {
    store.commit(
        SPACE,
        transaction -> {
          transaction.put(
              MemoryInjection.TABLE,
              MemoryInjection.of(
                  task.id(), memory, new InjectionMode.FullInjection(), clock.instant()));
        });
  }

  @Test
  @DisplayName("CTX-18, CTX-19, J-21: the filter and the trajectory hold in every mode")
  void filtersHoldInEveryMode() {
    Trajectory task = start();
    Trajectory other = start();
    Note sure = note("Alice surely likes zebras.", 0.9);
    Note unsure = note("Alice maybe likes zebra stripes.", 0.2);
    Turn own = say(scopeOf(task), "zebra here");
    Turn foreign = say(scopeOf(other), "zebra there");
    Filter confident =
        compare(
            "confidence",
            ComparisonOperator.AT_LEAST,
            new FilterValue.NumericFilterValue(new BigDecimal("0.5")));
    Filter mine =
        compare(
            "trajectory_id",
            ComparisonOperator.EQUAL,
            new FilterValue.CurrentTrajectoryFilterValue());
    for (InjectionMode mode :
        List.of(
            new InjectionMode.FullInjection(),
            new InjectionMode.TopKInjection(9),
            new InjectionMode.RelevantInjection(0))) {
      deploy(filtered("notes", mode, confident), filtered("turn_buffer", mode, mine));
      for (AssembleRequest request : List.of(AssembleRequest.of(task.id()), ask(task, "zebra"))) {
        AssembledWindow window = assemble(request);
        assertThat(offers(window, sure.id())).as("%s", mode).isTrue();
        assertThat(offers(window, unsure.id())).as("%s", mode).isFalse();
        assertThat(offers(window, own.id())).as("%s", mode).isTrue();
        assertThat(offers(window, foreign.id())).as("%s", mode).isFalse();
      }
    }
  }

  private Note note(String content, double confidence) {
    clock.advance(Duration.ofSeconds(1));
    return memory.run(
        SPACE,
        WriteNote.of("alice", "person", NoteType.FACT, content)
            .withConfidence(confidence)
            .withLabels(Labels.none().withMetadata("topic", content.substring(0, 5))));
  }

  @Test
  @DisplayName("CTX-19: and, or, every comparator, now() and fields of one's own")
  void everyComparator() {
    Trajectory task = start();
    Note note = note("Zebra facts are many.", 0.5);
    FilterValue half = new FilterValue.NumericFilterValue(new BigDecimal("0.5"));
    FilterValue text = new FilterValue.TextFilterValue("alice");
    Filter holds = compare("confidence", ComparisonOperator.EQUAL, half);
    Filter fails = compare("confidence", ComparisonOperator.NOT_EQUAL, half);
    List<Filter> all =
        List.of(
            holds,
            compare("confidence", ComparisonOperator.AT_MOST, half),
            compare("confidence", ComparisonOperator.AT_LEAST, half),
            compare("entity", ComparisonOperator.EQUAL, text),
            compare("entity", ComparisonOperator.MATCHES, new FilterValue.TextFilterValue("al.*")),
            compare(
                "content", ComparisonOperator.CONTAINS, new FilterValue.TextFilterValue("facts")),
            compare(
                "created_at", ComparisonOperator.LESS, new FilterValue.RequestTimeFilterValue()),
            compare(
                "created_at",
                ComparisonOperator.GREATER,
                new FilterValue.TimestampFilterValue(java.time.Instant.EPOCH)),
            compare(
                "note_type",
                ComparisonOperator.EQUAL,
                new FilterValue.EnumerationFilterValue("fact")),
            compare("topic", ComparisonOperator.EQUAL, new FilterValue.TextFilterValue("Zebra")),
            new Filter.OrFilter(List.of(fails, holds)),
            new Filter.AndFilter(List.of(holds, new Filter.OrFilter(List.of(fails, holds)))));
    List<Filter> none =
        List.of(
            fails,
            compare(
                "valid_until",
                ComparisonOperator.GREATER,
                new FilterValue.RequestTimeFilterValue()),
            compare("confidence", ComparisonOperator.GREATER, half),
            compare("confidence", ComparisonOperator.LESS, half),
            compare("entity", ComparisonOperator.NOT_EQUAL, text),
            new Filter.AndFilter(List.of(holds, fails)));
    clock.advance(Duration.ofSeconds(1));
    for (Filter filter : all) {
      deploy(filtered("notes", new InjectionMode.FullInjection(), filter));
      assertThat(offers(assemble(task), note.id())).as("%s", filter).isTrue();
    }
    for (Filter filter : none) {
      deploy(filtered("notes", new InjectionMode.FullInjection(), filter));
      assertThat(offers(assemble(task), note.id())).as("%s", filter).isFalse();
    }
  }

  @Test
  @DisplayName("CTX-20: a rule that begins when the budget is used up brings nothing")
  void lateRulesBringNothing() {
    use(
        starter(
            "context.fill-ratio = 0.5",
            "context.reserves.recalled = 0",
            "context.reserves.artifacts = 0",
            "context.reserves.notes = 0",
            "context.reserves.sessions = 0",
            "context.reserves.history = 0"));
    Trajectory task = start();
    Scope scope = scopeOf(task);
    for (int i = 0; i < 20; i++) {
      say(scope, "Message %02d of the conversation.".formatted(i));
    }
    Note note = learn("alice", "Tea.");
    LedgerLine line = line(assemble(AssembleRequest.of(task.id()).withMaxTokens(300)), note.id());
    assertThat(line.rule()).isEqualTo("budget_exhausted");
    assertThat(line.tokens()).isZero();
  }

  @Test
  @DisplayName("CTX-17: what sections reserve is left to them, and only as far as they need it")
  void reservesHold() {
    Trajectory task = start();
    Scope scope = scopeOf(task);
    for (int i = 0; i < 100; i++) {
      say(scope, "Message %02d of the conversation.".formatted(i));
    }
    AssembledWindow alone = assemble(AssembleRequest.of(task.id()).withMaxTokens(600));
    Note note = learn("alice", "Alice likes tea.");
    AssembledWindow together = assemble(AssembleRequest.of(task.id()).withMaxTokens(600));
    assertThat(line(together, note.id()).decision()).isEqualTo(InclusionDecision.INCLUDE);
    assertThat(alone.window().sections().getFirst().tokens())
        .isGreaterThan(together.window().sections().getFirst().tokens());
    assertThat(alone.window().usedTokens()).isGreaterThan(540);
  }

  @Test
  @DisplayName("CTX-10: what is in already is not said again")
  void duplicatesAreLeftOut() {
    Trajectory task = start();
    Scope scope = scopeOf(task);
    Turn first = say(scope, "The door code is 4711.");
    Turn again = say(scope, "The door code is 4711.");
    Note note = learn("door", "The door code is 4711.");
    AssembledWindow window = assemble(task);
    assertThat(line(window, first.id()).decision()).isEqualTo(InclusionDecision.INCLUDE);
    assertThat(line(window, again.id()).decision()).isEqualTo(InclusionDecision.INCLUDE);
    assertThat(line(window, note.id()).rule()).isEqualTo("duplicate");
    assertThat(line(window, note.id()).reason()).isEqualTo("Says the same as [1]");
  }

  @Test
  @DisplayName("CON-01: what is written later does not change what was read")
  void asOfTheTime() {
    Trajectory task = start();
    Scope scope = scopeOf(task);
    say(scope, "Before.");
    learn("alice", "Alice lives in Paris.");
    java.time.Instant then = clock.instant();
    AssembledWindow before = assemble(AssembleRequest.of(task.id()).withAsOf(then));
    say(scope, "After.");
    learn("bob", "Bob lives in Rome.");
    AssembledWindow again = assemble(AssembleRequest.of(task.id()).withAsOf(then));
    assertThat(again.text()).isEqualTo(before.text());
    assertThat(assemble(task).text()).contains("After.", "Rome");
  }

  @Test
  @DisplayName("CTX-10: equal words about another person, and other data, are no duplicates")
  void otherThingsAreNoDuplicates() {
    Trajectory task = start();
    Note alice = learn("alice", "Prefers window seats.");
    Note bob = learn("bob", "Prefers window seats.");
    Artifact one = make(scopeOf(task), Bytes.of(new byte[] {0, 1, (byte) 0xff}));
    Artifact other = make(scopeOf(task), Bytes.of(new byte[] {0, 2, (byte) 0xff}));
    AssembledWindow window = assemble(task);
    for (Id id : List.of(alice.id(), bob.id(), one.id(), other.id())) {
      assertThat(line(window, id).decision()).isEqualTo(InclusionDecision.INCLUDE);
    }
  }

  @Test
  @DisplayName("CTX-12: instructions come first, whatever priority a rule has")
  void instructionsComeFirst() {
    use(instructed("Be kind."));
    Trajectory task = start();
    for (int i = 0; i < 40; i++) {
      make(scopeOf(task), "Artifact number %d holds a few words.".formatted(i));
    }
    deploy(rule("artifacts_made", new InjectionMode.FullInjection(), 5000, 4000));
    AssembledWindow window = assemble(AssembleRequest.of(task.id()).withMaxTokens(200));
    assertThat(window.text()).startsWith("Be kind.").contains("Artifact number");
  }

  @Test
  @DisplayName("CTX-22: a memory may be called as a part of a window is")
  void reservedNames() {
    use(instructed("Be kind."));
    Trajectory task = start();
    learn("alice", "Alice likes tea.");
    deploy(rule("system", new InjectionMode.FullInjection(), 50, 4000));
    assertThat(assemble(task).window().sections())
        .extracting(SectionContent::name)
        .contains("system", "system_2");
    deploy(rule("frame", new InjectionMode.FullInjection(), 50, 4000));
    assertThat(WindowExplanation.of(assemble(task).window()).budget().bySection())
        .containsKeys("frame", "frame_2");
  }

  @Test
  @DisplayName("CTX-18: a filter chooses among all notes, not among the newest")
  void filtersChooseAmongAll() {
    Trajectory task = start();
    Note wanted = learn("alice", "Alice likes tea.");
    for (int i = 0; i < 12; i++) {
      learn("person" + i, "Fact number " + i + " about a person.");
    }
    deploy(
        filtered(
            "notes",
            new InjectionMode.TopKInjection(5),
            compare("entity", ComparisonOperator.EQUAL, new FilterValue.TextFilterValue("alice"))));
    assertThat(assemble(task).window().ledger())
        .extracting(line -> line.candidate().id())
        .containsExactly(wanted.id());
  }

  @Test
  @DisplayName("CTX-22: a second rule of a kind searches for itself")
  void twoRulesOfAKind() {
    Trajectory task = start();
    for (int i = 0; i < 25; i++) {
      learn("zebra" + i, "The zebra number " + i + " eats grass.");
    }
    Note wanted = learn("owl", "The owl eats at night, not as the zebra does, which eats by day.");
    deploy(
        rule("notes", new InjectionMode.RelevantInjection(0), 60, 4000),
        filtered(
            "facts",
            new InjectionMode.RelevantInjection(0),
            compare("entity", ComparisonOperator.EQUAL, new FilterValue.TextFilterValue("owl"))));
    assertThat(offers(assemble(ask(task, "zebra grass")), wanted.id())).isTrue();
  }

  @Test
  @DisplayName("CTX-11: a result whose call was said in an earlier scope brings the call along")
  void pairsAcrossScopes() {
    Trajectory task = start();
    Scope first = scopeOf(task);
    Turn call =
        say(
            first,
            NewTurn.of(TurnRole.ASSISTANT, new TurnPart.ToolCallPart("c1", "flights", "{}")));
    memory.run(SPACE, CloseScope.of(first.id()));
    Scope scope = memory.run(SPACE, new OpenScope(task.id()));
    Turn result =
        say(
            scope,
            NewTurn.of(TurnRole.TOOL, new TurnPart.ToolResultPart("c1", "from 180 euros", false)));
    for (AssembledWindow window : List.of(assemble(task), assemble(ask(task, "flights")))) {
      assertThat(line(window, call.id()).decision()).isEqualTo(InclusionDecision.INCLUDE);
      assertThat(line(window, result.id()).decision()).isEqualTo(InclusionDecision.INCLUDE);
      assertThat(line(window, call.id()).candidate().section()).isEqualTo("conversation");
    }
  }

  @Test
  @DisplayName("CTX-11: no ranking changes the order of what was said, and its end is kept")
  void rankingLeavesTheConversation() {
    use(
        starter(
            "context.ranking.redundancy = 1",
            "context.ranking.diversity = 1",
            "context.ranking.half-life = '1d'"));
    Trajectory task = start();
    Scope scope = scopeOf(task);
    for (int i = 0; i < 30; i++) {
      say(scope, "Message %02d of the conversation.".formatted(i));
    }
    Turn last = say(scope, "Message 07 of the conversation.");
    AssembledWindow window = assemble(AssembleRequest.of(task.id()).withMaxTokens(200));
    assertThat(line(window, last.id()).number()).isEqualTo(1);
    assertThat(line(window, last.id()).decision()).isEqualTo(InclusionDecision.INCLUDE);
  }

  private static ContextConfig judged(double minimum) {
    return starter("context.quality.enabled = true", "context.quality.minimum = " + minimum);
  }

  private Note believed(String entity, String words, double confidence, Id... sources) {
    clock.advance(Duration.ofSeconds(1));
    WriteNote note =
        WriteNote.of(entity, "person", NoteType.FACT, words).withConfidence(confidence);
    for (Id source : sources) {
      note = note.withSource(source);
    }
    return memory.run(SPACE, note);
  }

  private static SourceQuality quality(AssembledWindow made, Note note) {
    return line(made, note.id()).candidate().scores().quality().orElseThrow();
  }

  @Test
  @DisplayName(
      "QUAL-01, QUAL-02, QUAL-03: notes come by quality, near, believed, new and sourced; or not at all")
  void byQuality() {
    Trajectory task = start();
    Note old = believed("alice", "Alice was thought to live in Rome.", 0.2);
    clock.advance(Duration.ofDays(200));
    Note sourced = believed("bob", "Bob plays the violin.", 0.9, task.id());
    Note plain = believed("carol", "Carol has nine cats.", 0.9);
    assertThat(line(assemble(task), plain.id()).number()).isEqualTo(1);
    use(judged(0.5));
    AssembledWindow made = assemble(task);
    assertThat(line(made, sourced.id()).number()).isEqualTo(1);
    assertThat(line(made, plain.id()).number()).isEqualTo(2);
    assertThat(quality(made, sourced).value()).isCloseTo(0.975, within(1e-3));
    assertThat(quality(made, plain).value()).isCloseTo(0.825, within(1e-3));
    assertThat(quality(made, old).value()).isCloseTo(0.45, within(1e-3));
    assertThat(quality(made, old).freshness()).isCloseTo(0.2, within(1e-9));
    assertThat(line(made, old.id()).decision()).isEqualTo(InclusionDecision.EXCLUDE);
    assertThat(line(made, old.id()).rule()).isEqualTo("quality_minimum");
    use(starter());
    assertThat(assembler.replay(SPACE, made.window())).isEqualTo(made.text());
    assertThat(line(assemble(task), old.id()).candidate().scores().quality()).isEmpty();
  }

  @Test
  @DisplayName(
      "QUAL-02: an artifact's quality is its provenance; without a confidence it is neutral")
  void artifactsByQuality() {
    Trajectory task = start();
    use(judged(0));
    Artifact made = make(scopeOf(task), "The parser is mended.");
    SourceQuality sourceQuality =
        line(assemble(task), made.id()).candidate().scores().quality().orElseThrow();
    assertThat(sourceQuality.trust()).isEqualTo(starter().relevance().defaultScore());
    assertThat(sourceQuality.verified()).isFalse();
    assertThat(sourceQuality.value()).isCloseTo(0.725, within(1e-3));
  }

  @Test
  @DisplayName(
      "QUAL-05: what is too large is left out where little room is, and the next one comes")
  void tooLargeForTheRest() {
    use(judged(0));
    Trajectory task = start();
    Note best = believed("alice", "Alice likes green tea.", 1, task.id());
    Note large = believed("bob", "Bob plays the violin every evening. ".repeat(60), 0.9);
    Note small = believed("carol", "Carol has nine cats.", 0.1);
    AssembledWindow made = assemble(AssembleRequest.of(task.id()).withMaxTokens(80));
    assertThat(line(made, best.id()).decision()).isEqualTo(InclusionDecision.INCLUDE);
    assertThat(line(made, large.id()).rule()).isEqualTo("budget_limit");
    assertThat(line(made, small.id()).decision()).isEqualTo(InclusionDecision.INCLUDE);
  }

  private static String rest(AssembledWindow made, String section) {
    return WindowExplanation.of(made.window()).rest().getOrDefault(section, "nothing more");
  }

  private void learnMore(int notes) {
    for (int i = 0; i < notes; i++) {
      learn("person" + i, "Fact number " + i + " about a person.");
    }
  }

  @Test
  @DisplayName("CTX-08: the ledger says how many more there were, and which limit kept them out")
  void moreThanTheLimit() {
    Trajectory task = start();
    learnMore(14);
    AssembledWindow few = assemble(task);
    assertThat(WindowExplanation.of(few.window()).beyond()).containsExactly(entry("notes", 1));
    assertThat(rest(few, "notes"))
        .isEqualTo("at least 1 more beyond context.relevance.recency-limit");
    assertThat(rest(assemble(ask(task, "fact")), "notes")).isEqualTo("nothing more");
    learnMore(30);
    assertThat(rest(assemble(task), "notes"))
        .isEqualTo("at least 1 more beyond context.relevance.recency-limit");
    AssembledWindow asked = assemble(ask(task, "fact"));
    assertThat(WindowExplanation.of(asked.window()).beyond()).containsExactly(entry("notes", 1));
    assertThat(rest(asked, "notes"))
        .isEqualTo("at least 1 more beyond context.relevance.note-limit");
    deploy(rule("notes", new InjectionMode.TopKInjection(5), 50, 4000));
    assertThat(rest(assemble(task), "notes")).isEqualTo("nothing more");
    deploy(rule("notes", new InjectionMode.RelevantInjection(0), 50, 4000));
    assertThat(rest(assemble(ask(task, "fact")), "notes"))
        .isEqualTo("at least 1 more beyond context.relevance.record-limit");
  }

  private static ContextConfig offering(int candidates) {
    return starter("context.candidate-limit = " + candidates);
  }

  @Test
  @DisplayName("CTX-08: what a conversation and a task have beyond the limit is counted")
  void moreThanTheCandidates() {
    use(offering(5));
    Trajectory task = start();
    Scope scope = scopeOf(task);
    for (int i = 0; i < 9; i++) {
      say(scope, "Message %02d of the conversation.".formatted(i));
      make(scope, "Artifact number " + i);
    }
    AssembledWindow few = assemble(task);
    assertThat(rest(few, "conversation")).isEqualTo("4 more beyond context.candidate-limit");
    assertThat(rest(few, "artifacts")).isEqualTo("4 more beyond context.candidate-limit");
    for (int i = 9; i < 40; i++) {
      say(scope, "Message %02d of the conversation.".formatted(i));
    }
    assertThat(rest(assemble(task), "conversation"))
        .isEqualTo("20 to 35 more beyond context.candidate-limit");
    memory.run(SPACE, CloseScope.of(scope.id()));
    AssembledWindow recalled = assemble(ask(task, "message"));
    assertThat(rest(recalled, "recalled"))
        .isEqualTo("at least 1 more beyond context.candidate-limit");
    assertThat(recalled.window().ledger())
        .filteredOn(line -> line.candidate().section().equals("recalled"))
        .hasSize(5);
  }

  @Test
  @DisplayName("CTX-08: counting the rest scans no table and counts no other tasks")
  void theRestIsCheap() {
    use(offering(5));
    Trajectory task = start();
    Trajectory child =
        memory.run(
            SPACE,
            StartTrajectory.of("Add a test", EntityRef.agent("planner")).withParent(task.id()));
    make(scopeOf(task), "grammar 1.0");
    for (int i = 0; i < 30; i++) {
      make(scopeOf(child), "Artifact number " + i);
    }
    assertThat(rest(assemble(child), "artifacts"))
        .isEqualTo("at least 20 more beyond context.candidate-limit");
    Filter all =
        compare(
            "created_at",
            ComparisonOperator.GREATER,
            new FilterValue.TimestampFilterValue(java.time.Instant.EPOCH));
    deploy(filtered("artifacts_made", new InjectionMode.FullInjection(), all));
    assertThat(rest(assemble(child), "artifacts_made"))
        .isEqualTo("at least 1 more beyond context.candidate-limit");
  }

  @Test
  @DisplayName("CTX-02: a query has a written limit")
  void longQueries() {
    Trajectory task = start();
    refuses(KernelErrorCode.LIMIT_EXCEEDED, () -> assemble(ask(task, "word ".repeat(1_000_000))));
  }
}
