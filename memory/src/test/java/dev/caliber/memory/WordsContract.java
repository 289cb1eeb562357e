package dev.caliber.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.Id;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.EndNote;
import dev.caliber.memory.command.EndTrajectory;
import dev.caliber.memory.command.ForgetRecords;
import dev.caliber.memory.command.ForgetResult;
import dev.caliber.memory.command.NewNote;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.RecallFilter;
import dev.caliber.memory.command.RecallQuery;
import dev.caliber.memory.command.RecallResult;
import dev.caliber.memory.command.RecallResult.RecallHit;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.command.SupersedeNote;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.MemoryErrorCode;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Tombstone;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.testkit.EachEngine;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Remember, recall and forget, on every engine. */
@EachEngine
class WordsContract extends RecallContract {

  @Override
  public String method() {
    return "scan";
  }

  @Test
  void remembersATextAsANote() {
    Note fact = remember("Alice was born in Oslo.", "alice");
    Note preference = remember("I prefer window seats.", "alice");
    assertThat(fact.type()).isEqualTo(NoteType.FACT);
    assertThat(fact.entity()).isEqualTo("alice");
    assertThat(fact.labels().subject()).contains("alice");
    assertThat(preference.type()).isEqualTo(NoteType.PREFERENCE);
    Note plain =
        memory.remember(
            SPACE,
            NewNote.of("Deploys happen at noon.").withAbout("deploy").withType(NoteType.PROCEDURE));
    assertThat(plain.entity()).isEqualTo("deploy");
    assertThat(plain.type()).isEqualTo(NoteType.PROCEDURE);
  }

  @Test
  void aSessionIsOpenedOnFirstUseAndUsedAgain() {
    List<Turn> first = memory.remember(SPACE, "thread-7", List.of(NewTurn.user("Hello"))).turns();
    List<Turn> second =
        memory.remember(SPACE, "thread-7", List.of(NewTurn.assistant("Hi"))).turns();
    assertThat(second.getFirst().trajectory()).isEqualTo(first.getFirst().trajectory());
    assertThat(second.getFirst().sequence()).isEqualTo(1);
    Trajectory trajectory =
        memory.view(SPACE, view -> view.newestTrajectoryByExternalId("thread-7")).orElseThrow();
    run(EndTrajectory.complete(trajectory.id(), ""));
    List<Turn> third = memory.remember(SPACE, "thread-7", List.of(NewTurn.user("Again"))).turns();
    assertThat(third.getFirst().trajectory()).isNotEqualTo(trajectory.id());
  }

  @Test
  void recallsNotesTurnsAndLiveArtifacts() {
    Scope scope = scopeOf(start());
    remember("The zebra sleeps standing.", "zoo");
    say(scope, "Where is the zebra?");
    make(scope, "zebra = striped");
    say(scope, "Something else entirely");
    RecallResult found = memory.recall(SPACE, RecallQuery.of("zebra", 10));
    assertThat(found.hits())
        .extracting(RecallHit::kind)
        .containsExactlyInAnyOrder(EntityType.NOTE, EntityType.TURN, EntityType.ARTIFACT);
    assertThat(found.hits()).allMatch(recallHit -> recallHit.similarity() > 0);
    assertThat(found.method()).isEqualTo("scan");
  }

  @Test
  void theBestComesFirstAndTheLimitHolds() {
    remember("Coffee is grown in Brazil.", "a");
    remember("Tea with milk is British.", "b");
    remember("Tea is grown in Assam, and tea is drunk in Assam.", "c");
    assertThat(recall(RecallQuery.of("where is tea grown, in Assam?", 1)))
        .containsExactly("Tea is grown in Assam, and tea is drunk in Assam.");
  }

  @Test
  void staysWithinTheTokensAskedForAndCutsNothing() {
    remember("tea tea tea tea tea tea tea tea tea tea tea.", "alice");
    remember("tea.", "bob");
    RecallResult found = memory.recall(SPACE, RecallQuery.of("tea", 10).withMaxTokens(3));
    assertThat(found.hits()).extracting(RecallHit::text).containsExactly("tea.");
    assertThat(found.tokens()).isLessThanOrEqualTo(3);
    assertThat(found.omitted()).isEqualTo(1);
  }

  @Test
  void anEmptySubjectIsNamed() {
    assertThatThrownBy(() -> remember("I like tea.", ""))
        .hasMessage("subject: the value must not be empty");
  }

  @Test
  @DisplayName("text without spaces is found by any of its words")
  void recallsTextWithoutBlanks() {
    String chinese = "我住在北京。我的护照号码是E12345678。我喜欢喝茶。";
    String japanese = "私はコーヒーが好きです。";
    String thai = "ฉันอยู่ที่กรุงเทพมหานคร";
    List.of(chinese, japanese, thai, "He lives in Rome.").forEach(this::learn);
    assertThat(recall(RecallQuery.of("北京", 10))).containsExactly(chinese);
    assertThat(recall(RecallQuery.of("茶", 10))).containsExactly(chinese);
    assertThat(recall(RecallQuery.of("E12345678", 10))).containsExactly(chinese);
    assertThat(recall(RecallQuery.of("コーヒー", 10))).containsExactly(japanese);
    assertThat(recall(RecallQuery.of("กรุงเทพ", 10).withAsOf(clock.instant())))
        .containsExactly(thai);
    assertThat(recall(RecallQuery.of("上海", 10))).isEmpty();
  }

  @Test
  void recallsAsOfATime() {
    Instant before = clock.instant();
    pass(Duration.ofDays(1));
    Note paris = learn("Alice lives in Paris.");
    Instant then = clock.instant();
    pass(Duration.ofDays(1));
    run(
        new SupersedeNote(
            paris.id(), WriteNote.of("alice", "person", NoteType.FACT, "Alice lives in Rome.")));
    RecallQuery query = RecallQuery.of("Where does Alice live?", 5);
    assertThat(recall(query)).containsExactly("Alice lives in Rome.");
    assertThat(recall(query.withAsOf(then))).containsExactly("Alice lives in Paris.");
    assertThat(recall(query.withAsOf(before))).isEmpty();
  }

  @Test
  @DisplayName("a scan that has not read all records says so")
  void aScanThatStopsSaysSo() {
    MemoryConfig two =
        MemoryConfig.starter()
            .with("memory.recall.scan-candidates = 2", "memory.recall.min-similarity = 0");
    Memory hasty = Memory.of(store, two, parts());
    remember("Alice likes tea.", "alice");
    remember("Bob likes tea.", "bob");
    RecallQuery query = RecallQuery.of("tea", 10).withAsOf(clock.instant());
    assertThat(hasty.recall(SPACE, query).partial()).isFalse();
    pass(Duration.ofSeconds(1));
    remember("Carol likes tea.", "carol");
    RecallQuery later = query.withAsOf(clock.instant());
    assertThat(hasty.recall(SPACE, later).partial()).isTrue();
    assertThat(hasty.recall(SPACE, later).hits())
        .extracting(RecallHit::text)
        .containsExactlyInAnyOrder("Carol likes tea.", "Bob likes tea.");
    RecallQuery narrow = later.withFilter(RecallFilter.ofSubject("alice"));
    assertThat(hasty.recall(SPACE, narrow).partial()).isFalse();
    assertThat(memory.recall(SPACE, later).partial()).isFalse();
  }

  @Test
  void forgetsANoteWithItsHistoryAndLinksAndLeavesATombstone() {
    Note one = learn("Alice lives in Paris.");
    pass(Duration.ofDays(1));
    run(new EndNote(one.id(), clock.instant().plusSeconds(60)));
    Note other = learn("Alice lives in Rome.");
    ForgetResult preview = memory.forget(SPACE, ForgetRecords.of(one.id()).asPreview());
    assertThat(preview.records()).containsExactly(EntityRef.of(EntityType.NOTE, one.id()));
    assertThat(memory.<Note>view(SPACE, view -> view.note(one.id()))).isNotNull();
    assertThat(memory.forget(SPACE, ForgetRecords.of(one.id())).records())
        .isEqualTo(preview.records());
    assertThat(everything().toString()).doesNotContain("Paris");
    assertThat(memory.<Note>view(SPACE, view -> view.note(other.id())).conflictsWith()).isEmpty();
    Tombstone tombstone = memory.view(SPACE, view -> view.tombstone(one.id())).orElseThrow();
    assertThat(tombstone.type()).isEqualTo(EntityType.NOTE);
    refuses(MemoryErrorCode.UNKNOWN_RECORD, () -> run(ForgetRecords.of(one.id())));
  }

  @Test
  void forgetsATurnAndWhatQuotesIt() {
    Scope scope = scopeOf(start());
    Turn secret = say(scope, "The password of the vault is swordfish.");
    Turn kept = say(scope, "The vault stands in the cellar of the house.");
    Scope closed = run(CloseScope.of(scope.id()));
    assertThat(closed.summary().orElseThrow().text()).contains("swordfish");
    memory.forget(SPACE, ForgetRecords.of(secret.id()));
    assertThat(everything().toString()).doesNotContain("swordfish");
    Scope after = memory.view(SPACE, view -> view.scope(scope.id()));
    assertThat(after.summary().orElseThrow().sources()).containsExactly(kept.id());
    assertThat(memory.summarizedTurns(SPACE, scope.id()))
        .extracting(Turn::id)
        .containsExactly(kept.id());
  }

  @Test
  void forgetsEverythingOfASubject() {
    remember("Alice likes tea.", "alice");
    remember("Bob likes tea.", "bob");
    Trajectory trajectory =
        run(StartTrajectory.of("Help Alice", PLANNER).withLabels(Labels.ofSubject("alice")));
    say(scopeOf(trajectory), "Call me Ally.");
    ForgetResult forgetResult =
        memory.forget(SPACE, ForgetRecords.matching(RecallFilter.ofSubject("alice")));
    assertThat(forgetResult.records())
        .extracting(EntityRef::type)
        .containsExactlyInAnyOrder(
            EntityType.NOTE, EntityType.TURN, EntityType.SCOPE, EntityType.TRAJECTORY);
    assertThat(everything().toString()).doesNotContainIgnoringCase("alice").doesNotContain("Ally");
    assertThat(recall(RecallQuery.of("tea", 5))).containsExactly("Bob likes tea.");
  }

  @Test
  void forgetsATrajectoryWithEverythingInItInAsManyCommitsAsItTakes() {
    Trajectory trajectory = start();
    Scope scope = scopeOf(trajectory);
    int many = MemoryConfig.starter().limits().batch();
    run(
        new AppendTurns(
            scope.id(),
            IntStream.range(0, many).mapToObj(i -> NewTurn.user("turn " + i)).toList()));
    say(scope, "one more");
    make(scope, "and a fact");
    ForgetResult forgetResult = memory.forget(SPACE, ForgetRecords.of(trajectory.id()));
    assertThat(forgetResult.complete()).isTrue();
    assertThat(forgetResult.records()).hasSize(many + 4);
    assertThat(memory.<Boolean>view(SPACE, view -> view.tombstone(trajectory.id()).isPresent()))
        .isTrue();
    assertThat(memory.<List<Turn>>view(SPACE, view -> view.turns(scope.id()))).isEmpty();
  }

  @Test
  void forgettingEverythingAtOnceIsRefused() {
    refuses(
        MemoryErrorCode.CONSTRAINT_VIOLATION,
        () -> run(ForgetRecords.matching(RecallFilter.any())));
  }

  @Test
  void addingAMemoryAgainNeverDeletesIt() {
    Note first = remember("Alice likes tea.", "alice");
    for (int i = 0; i < 5; i++) {
      assertThat(remember("Alice likes tea.", "alice").id()).isEqualTo(first.id());
    }
    assertThat(recall(RecallQuery.of("tea", 5))).containsExactly("Alice likes tea.");
  }

  @Test
  void uncompactingIsOneCall() {
    Trajectory trajectory = start();
    List<Id> said =
        IntStream.range(0, 12)
            .mapToObj(i -> say(scopeOf(trajectory), "Sentence number " + i + " about the parser."))
            .map(Turn::id)
            .toList();
    Scope closed = run(CloseScope.of(scopeOf(trajectory).id()));
    assertThat(closed.summary().orElseThrow().sentences().size()).isLessThan(12);
    assertThat(memory.summarizedTurns(SPACE, closed.id())).extracting(Turn::id).isEqualTo(said);
    assertThat(memory.summarizedTurns(SPACE, trajectory.id())).extracting(Turn::id).isEqualTo(said);
  }
}
