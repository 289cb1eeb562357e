package dev.caliber.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.caliber.kernel.Id;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.ConsolidateTrajectory;
import dev.caliber.memory.command.CreateArtifacts;
import dev.caliber.memory.command.EndTrajectory;
import dev.caliber.memory.command.ForgetRecords;
import dev.caliber.memory.command.ForkTrajectory;
import dev.caliber.memory.command.NewArtifact;
import dev.caliber.memory.command.NewNote;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.PromoteRecord;
import dev.caliber.memory.command.RecallFilter;
import dev.caliber.memory.command.RecallQuery;
import dev.caliber.memory.command.SaveCheckpoint;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.MemoryErrorCode;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.ReadableSubjects;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.testkit.EachEngine;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Subjects of sessions and their records. */
@EachEngine
class SubjectContract extends MemoryFixture {
  private static final Optional<String> ALICE = Optional.of("alice");
  private static final int BATCH = 5;

  /** Small batches, so that a session of a few turns needs several. */
  @Override
  public MemoryConfig config(MemoryConfig starter) {
    return starter.with("memory.retention.batch = " + BATCH);
  }

  private static NewTurn of(String subject, String text) {
    return NewTurn.user(text).withLabels(Labels.ofSubject(subject));
  }

  private Trajectory session(String name) {
    return memory.view(SPACE, view -> view.openTrajectoryByExternalId(name)).orElseThrow();
  }

  private List<Turn> turns(Trajectory trajectory) {
    return memory.view(SPACE, view -> view.turns(trajectory.id(), 0, 1000));
  }

  @Test
  @DisplayName("the first turn with a subject assigns the session and its records to that subject")
  void theFirstSubjectOwnsTheSession() {
    memory.remember(
        SPACE, "chat", List.of(NewTurn.user("I have a cat."), NewTurn.assistant("Oh.")));
    Trajectory before = session("chat");
    Scope scope = scopeOf(before);
    Artifact made = make(scope, "cat = grey");
    Note note =
        run(
            WriteNote.of("cats", "animal", NoteType.FACT, "A cat is grey.")
                .withSource(before.id()));
    Trajectory child = run(StartTrajectory.of("Feed the cat", PLANNER).withParent(before.id()));
    say(scopeOf(child), "Tins are there.");
    assertThat(before.labels().subject()).isEmpty();

    memory.remember(SPACE, "chat", List.of(of("alice", "She is called Mimi.")));

    assertThat(session("chat").labels().subject()).isEqualTo(ALICE);
    assertThat(turns(before)).hasSize(3).allMatch(turn -> turn.labels().subject().equals(ALICE));
    assertThat(scopeOf(before).subject()).isEqualTo(ALICE);
    assertThat(read(child).labels().subject()).isEqualTo(ALICE);
    assertThat(turns(child)).hasSize(1).allMatch(turn -> turn.labels().subject().equals(ALICE));
    memory.view(
        SPACE,
        view -> {
          assertThat(view.artifact(made.id()).labels().subject()).isEqualTo(ALICE);
          assertThat(view.note(note.id()).labels().subject()).isEqualTo(ALICE);
          return true;
        });
  }

  @Test
  @DisplayName("a long session gets its subject in several commits, all before the call returns")
  void aLongSessionIsLabelledInPortions() {
    List<NewTurn> many =
        IntStream.range(0, 4 * BATCH).mapToObj(i -> NewTurn.user("word " + i)).toList();
    memory.remember(SPACE, "chat", many);
    long head = store.changes().head(SPACE).sequence();
    memory.remember(SPACE, "chat", List.of(of("alice", "I am Alice.")));
    assertThat(turns(session("chat")))
        .hasSize(4 * BATCH + 1)
        .allMatch(turn -> turn.labels().subject().equals(ALICE));
    assertThat(store.changes().head(SPACE).sequence()).isGreaterThan(head + 3);
  }

  @Test
  @DisplayName("records without a label yet count as those of their session's subject")
  void whatIsNotLabelledYetIsNotShared() {
    List<NewTurn> many =
        IntStream.range(0, 4 * BATCH).mapToObj(i -> NewTurn.user("My PIN is " + i)).toList();
    memory.remember(SPACE, "chat", many);
    Trajectory chat = session("chat");
    for (int i = 0; i < 2 * BATCH; i++) {
      make(scopeOf(chat), "PIN " + i);
      run(WriteNote.of("pin" + i, "thing", NoteType.FACT, "PIN " + i).withSource(chat.id()));
    }
    store.write(
        SPACE,
        transaction -> memory.remember(transaction, "chat", List.of(of("alice", "I am Alice."))));
    assertThat(turns(chat)).anyMatch(turn -> turn.labels().subject().isEmpty());
    RecallQuery asked = RecallQuery.of("PIN", 100);
    assertThat(
            memory
                .recall(SPACE, asked.withReadableSubjects(ReadableSubjects.of(List.of("bob"))))
                .hits())
        .isEmpty();
    assertThat(memory.recall(SPACE, asked.withReadableSubjects(ReadableSubjects.of(ALICE))).hits())
        .isNotEmpty();
  }

  @Test
  @DisplayName("a promoted record of a session stays shared when the session gets its subject")
  void whatWasPromotedIsNotLabelled() {
    memory.remember(SPACE, "chat", List.of(NewTurn.user("Hello")));
    Trajectory chat = session("chat");
    Artifact made = make(scopeOf(chat), "office = open");
    Note note =
        run(
            WriteNote.of("office", "thing", NoteType.FACT, "The office is open.")
                .withSource(chat.id()));
    run(new PromoteRecord(made.id()));
    run(new PromoteRecord(note.id()));
    memory.remember(SPACE, "chat", List.of(of("alice", "I am Alice.")));
    RecallQuery asked =
        RecallQuery.of("office", 10).withReadableSubjects(ReadableSubjects.of(List.of("bob")));
    assertThat(memory.recall(SPACE, asked).hits()).hasSize(2);
  }

  @Test
  @DisplayName("a session refuses a second subject, and does not name the first")
  void aSecondSubjectIsRefused() {
    memory.remember(SPACE, "chat", List.of(of("alice", "My PIN is 4711.")));
    List<NewTurn> foreign = List.of(of("bob", "Hello"));
    refuses(MemoryErrorCode.SUBJECT_MISMATCH, () -> memory.remember(SPACE, "chat", foreign));
    assertThat(catchThrowable(() -> memory.remember(SPACE, "chat", foreign)))
        .hasMessageContaining("Session 'chat' belongs to another subject than 'bob'")
        .hasMessageNotContaining("alice");
    NewArtifact artifact =
        NewArtifact.of(scopeOf(session("chat")).id(), ArtifactType.FACT, Bytes.of("x"))
            .withLabels(Labels.ofSubject("bob"));
    refuses(MemoryErrorCode.SUBJECT_MISMATCH, () -> run(CreateArtifacts.of(artifact)));
    refuses(
        MemoryErrorCode.SUBJECT_MISMATCH,
        () ->
            run(
                StartTrajectory.of("Part", PLANNER)
                    .withParent(session("chat").id())
                    .withLabels(Labels.ofSubject("bob"))));
  }

  @Test
  @DisplayName("a turn of another subject with a known external id is refused")
  void aKnownTurnIsNotShownToAnother() {
    NewTurn named = of("alice", "My PIN is 4711.");
    NewTurn known = named.withLabels(named.labels().withExternalId("m-1"));
    memory.remember(SPACE, "chat", List.of(known));
    NewTurn asked = NewTurn.user("?").withLabels(Labels.ofSubject("bob").withExternalId("m-1"));
    refuses(MemoryErrorCode.SUBJECT_MISMATCH, () -> memory.remember(SPACE, "chat", List.of(asked)));
  }

  @Test
  @DisplayName("a group accepts turns of several subjects, and belongs to none")
  void aGroupTakesSeveralSubjects() {
    Trajectory group = run(StartTrajectory.of("Plan the trip", PLANNER).asGroup());
    Scope scope = scopeOf(group);
    run(AppendTurns.of(scope.id(), of("alice", "I pay."), of("bob", "I drive.")));
    assertThat(turns(group))
        .extracting(turn -> turn.labels().subject())
        .containsExactly(ALICE, Optional.of("bob"));
    assertThat(read(group).labels().subject()).isEmpty();
    assertThat(read(group).isGroup()).isTrue();
  }

  private Trajectory ended(String name) {
    return run(EndTrajectory.complete(session(name).id(), "Done"));
  }

  @Test
  @DisplayName("the next session with the same name belongs to the subject of the ended one")
  void theNextSessionOfANameKeepsItsSubject() {
    memory.remember(SPACE, "chat", List.of(of("alice", "I am Alice.")));
    Trajectory first = ended("chat");
    memory.remember(SPACE, "chat", List.of(NewTurn.user("My PIN is 4711.")));
    Trajectory next = session("chat");
    assertThat(next.id()).isNotEqualTo(first.id());
    assertThat(next.labels().subject()).isEqualTo(ALICE);
    assertThat(turns(next)).allMatch(turn -> turn.labels().subject().equals(ALICE));
    ended("chat");
    refuses(
        MemoryErrorCode.SUBJECT_MISMATCH,
        () -> memory.remember(SPACE, "chat", List.of(of("bob", "Hello"))));
    refuses(
        MemoryErrorCode.SUBJECT_MISMATCH,
        () ->
            run(
                StartTrajectory.of("Chat", PLANNER)
                    .withLabels(Labels.ofSubject("bob").withExternalId("chat"))));
  }

  @Test
  @DisplayName("the next session of a group's name is a group")
  void theNextSessionOfAGroupIsAGroup() {
    Labels team = Labels.ofExternalId("team");
    run(StartTrajectory.of("Plan the trip", PLANNER).withLabels(team).asGroup());
    ended("team");
    memory.remember(SPACE, "team", List.of(of("alice", "I pay."), of("bob", "I drive.")));
    assertThat(session("team").isGroup()).isTrue();
    assertThat(session("team").labels().subject()).isEmpty();
  }

  @Test
  @DisplayName("children and forks of a group are groups, unless they have a subject")
  void partsOfAGroupAreGroups() {
    Trajectory group = run(StartTrajectory.of("Plan the trip", PLANNER).asGroup());
    StartTrajectory part = StartTrajectory.of("Book", PLANNER).withParent(group.id());
    Id checkpoint = run(SaveCheckpoint.of(group.id())).id();
    Trajectory fork = run(new ForkTrajectory(checkpoint, StartTrajectory.of("Try", PLANNER)));
    assertThat(List.of(run(part), fork)).allMatch(Trajectory::isGroup);
    Trajectory ofBob = run(part.withLabels(Labels.ofSubject("bob")));
    assertThat(ofBob.isGroup()).isFalse();
    assertThat(ofBob.labels().subject()).contains("bob");
  }

  @Test
  @DisplayName("children, forks, artifacts, notes and summaries have the subject of their session")
  void whatIsMadeOfASessionInheritsItsSubject() {
    memory.remember(SPACE, "chat", List.of(of("alice", "I prefer trains to planes.")));
    Trajectory chat = session("chat");
    Scope scope = scopeOf(chat);
    Trajectory child = run(StartTrajectory.of("Book a train", PLANNER).withParent(chat.id()));
    Trajectory fork =
        run(
            new ForkTrajectory(
                run(SaveCheckpoint.of(chat.id())).id(), StartTrajectory.of("Try", PLANNER)));
    Artifact made = make(scope, "train = ICE");
    run(CloseScope.of(scope.id()));
    List<Id> notes = run(new ConsolidateTrajectory(chat.id()));
    assertThat(List.of(child, fork)).allMatch(task -> task.labels().subject().equals(ALICE));
    assertThat(scopeOf(child).subject()).isEqualTo(ALICE);
    assertThat(made.labels().subject()).isEqualTo(ALICE);
    assertThat(notes).isNotEmpty();
    memory.view(
        SPACE,
        view -> {
          notes.forEach(id -> assertThat(view.note(id).labels().subject()).isEqualTo(ALICE));
          return true;
        });
  }

  @Test
  @DisplayName("forgetting a subject includes its sessions, their children and their forks")
  void forgettingTakesTheWholeSession() {
    memory.remember(SPACE, "secret plan", List.of(NewTurn.user("A first word")));
    memory.remember(SPACE, "secret plan", List.of(of("alice", "I am Alice")));
    Trajectory chat = session("secret plan");
    run(StartTrajectory.of("secret child", PLANNER).withParent(chat.id()));
    run(
        new ForkTrajectory(
            run(SaveCheckpoint.of(chat.id())).id(), StartTrajectory.of("secret fork", PLANNER)));
    memory.forget(SPACE, ForgetRecords.matching(RecallFilter.ofSubject("alice")));
    assertThat(everything().values())
        .noneMatch(text -> text.contains("secret") || text.contains("first word"));
  }

  @Test
  @DisplayName("a promoted note or artifact belongs to the whole space and keeps its entity")
  void promotionRemovesTheSubject() {
    Note note = memory.remember(SPACE, NewNote.of("The office opens at 8.").withSubject("alice"));
    memory.remember(SPACE, "chat", List.of(of("alice", "Hello")));
    Artifact made = make(scopeOf(session("chat")), "office = open");
    RecallQuery asked =
        RecallQuery.of("office", 10).withReadableSubjects(ReadableSubjects.of(List.of("bob")));
    assertThat(memory.recall(SPACE, asked).hits()).isEmpty();

    assertThat(run(new PromoteRecord(note.id())))
        .isEqualTo(EntityRef.of(EntityType.NOTE, note.id()));
    run(new PromoteRecord(made.id()));

    assertThat(memory.recall(SPACE, asked).hits()).hasSize(2);
    Note promoted = memory.view(SPACE, view -> view.note(note.id()));
    assertThat(promoted.labels().subject()).isEmpty();
    assertThat(promoted.entity()).isEqualTo("alice");
    refuses(MemoryErrorCode.UNKNOWN_RECORD, () -> run(new PromoteRecord(unknown())));
  }
}
