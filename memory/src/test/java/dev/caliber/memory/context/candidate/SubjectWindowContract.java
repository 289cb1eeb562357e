package dev.caliber.memory.context.candidate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.ContextFormat;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.ForkTrajectory;
import dev.caliber.memory.command.NewNote;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.SaveCheckpoint;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.context.AssembledWindow;
import dev.caliber.memory.context.ContextFixture;
import dev.caliber.memory.context.explain.WindowExplanation;
import dev.caliber.memory.context.window.AssembleRequest;
import dev.caliber.memory.context.window.SectionContent;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.MemoryErrorCode;
import dev.caliber.memory.record.ReadableSubjects;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.testkit.EachEngine;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Subjects: a window shows records of its session's subject and records without one. */
@EachEngine
class SubjectWindowContract extends ContextFixture {
  private static final String QUESTION = "Who has diabetes, and what is the PIN?";

  private Trajectory alice;

  @BeforeEach
  void rememberTwoPeople() {
    alice = session("alice");
    say(scopeOf(alice), "Hello, I am Alice.");
    remember("Alice has the PIN 4711.", "alice");
    remember("Carol has diabetes.", "carol");
    remember("Carol has the PIN 1234.", "carol");
    memory.remember(SPACE, NewNote.of("A PIN has four digits."));
    say(scopeOf(session("carol")), "Carol says: my PIN is secret.");
  }

  private Trajectory session(String subject) {
    return memory.run(
        SPACE,
        StartTrajectory.of("Chat", EntityRef.agent("planner"))
            .withLabels(Labels.ofSubject(subject)));
  }

  private void remember(String text, String subject) {
    memory.remember(SPACE, NewNote.of(text).withSubject(subject));
  }

  @Test
  @DisplayName("a window, with a query and without one, holds nothing of another subject")
  void showsNothingOfAnother() {
    for (AssembleRequest request : List.of(ask(alice, QUESTION), AssembleRequest.of(alice.id()))) {
      AssembledWindow made = assemble(request);
      assertThat(made.text())
          .contains("Alice has the PIN 4711.", "A PIN has four digits.")
          .doesNotContain("Carol");
      assertThat(WindowExplanation.of(made.window()).rest())
          .containsEntry("other_subjects", "Left out: belongs to another subject (2)");
      assertThat(assembler.replay(SPACE, made.window())).isEqualTo(made.text());
    }
  }

  @Test
  @DisplayName("notes behind more than a thousand of another subject are shown, newest first")
  void showsNotesBehindManyOfAnother() {
    AssembleRequest request = AssembleRequest.of(alice.id());
    String before = assemble(request).text();
    store.commit(
        SPACE,
        transaction -> {
          for (int i = 0; i < WindowSubjectFilter.PASSED_OVER_BOUND; i++) {
            NewNote one = NewNote.of("Carol has a plan.").withSubject("carol");
            memory.remember(transaction, one.withAbout("thing " + i));
          }
        });
    AssembledWindow made = assemble(request);
    assertThat(made.text()).isEqualTo(before);
    assertThat(WindowExplanation.of(made.window()).rest())
        .containsEntry("other_subjects", "Left out: belongs to another subject (at least 1000)");
  }

  @Test
  @DisplayName("a subject that is named is shown, and the window says so")
  void showsNamedSubjects() {
    AssembledWindow made =
        assemble(ask(alice, QUESTION).withVisible(ReadableSubjects.of(List.of("carol"))));
    assertThat(made.text()).contains("Carol has diabetes.", "Alice has the PIN 4711.");
    assertThat(made.window().inputs().subjects()).contains(ReadableSubjects.of(List.of("carol")));
    assertThat(WindowExplanation.of(made.window()).rest())
        .containsEntry("named_subjects", "Shows records of carol")
        .doesNotContainKey("other_subjects");
    assertThat(assembler.replay(SPACE, made.window())).isEqualTo(made.text());
    assertThat(assemble(ask(alice, QUESTION).withVisible(ReadableSubjects.everySubject())).text())
        .contains("Carol has diabetes.");
  }

  @Test
  @DisplayName("a window of a session is refused to another subject")
  void refusesAnotherSubject() {
    refuses(
        MemoryErrorCode.SUBJECT_MISMATCH,
        () -> assemble(AssembleRequest.of(alice.id()).withSubject("carol")));
    assertThat(assemble(AssembleRequest.of(alice.id()).withSubject("alice")).text())
        .contains("Hello, I am Alice.");
  }

  @Test
  @DisplayName("a session without a subject sees records without one, and those it is asked for")
  void aSessionWithoutASubjectSeesSharedRecords() {
    Trajectory shared = start();
    say(scopeOf(shared), "Hello");
    assertThat(assemble(ask(shared, QUESTION)).text())
        .contains("A PIN has four digits.")
        .doesNotContain("Carol", "Alice");
    assertThat(assemble(ask(shared, QUESTION).withSubject("alice")).text())
        .contains("Alice has the PIN 4711.")
        .doesNotContain("Carol");
  }

  @Test
  @DisplayName("a group sees all its own turns, and otherwise what belongs to no subject")
  void aGroupSeesItsOwnTurns() {
    Trajectory group =
        memory.run(SPACE, StartTrajectory.of("Trip", EntityRef.agent("planner")).asGroup());
    Scope scope = scopeOf(group);
    say(scope, NewTurn.user("Alice drives.").withLabels(Labels.ofSubject("alice")));
    say(scope, NewTurn.user("Carol pays.").withLabels(Labels.ofSubject("carol")));
    assertThat(assemble(ask(group, QUESTION)).text())
        .contains("Alice drives.", "Carol pays.", "A PIN has four digits.")
        .doesNotContain("diabetes", "4711");
  }

  @Test
  @DisplayName("a summary of a group is in windows of the group, and in no window of its children")
  void aSummaryOfAGroupStaysInIt() {
    StartTrajectory trip = StartTrajectory.of("Trip", EntityRef.agent("planner"));
    Trajectory group = memory.run(SPACE, trip.asGroup());
    Scope scope = scopeOf(group);
    say(scope, NewTurn.user("My PIN is 4711.").withLabels(Labels.ofSubject("alice")));
    memory.run(SPACE, CloseScope.of(scope.id()));
    Trajectory ofBob =
        memory.run(SPACE, trip.withParent(group.id()).withLabels(Labels.ofSubject("bob")));
    Trajectory part = memory.run(SPACE, trip.withParent(group.id()));
    for (Trajectory child : List.of(ofBob, part)) {
      assertThat(assemble(AssembleRequest.of(child.id())).text()).doesNotContain("4711");
      assertThat(assemble(ask(child, QUESTION)).text()).doesNotContain("4711");
    }
    assertThat(assemble(AssembleRequest.of(group.id())).text()).contains("4711");
  }

  @Test
  @DisplayName("a fork of a group shows the conversation that it goes on from")
  void aForkOfAGroupGoesOn() {
    StartTrajectory trip = StartTrajectory.of("Trip", EntityRef.agent("planner"));
    Trajectory group = memory.run(SPACE, trip.asGroup());
    say(scopeOf(group), NewTurn.user("Dora drives.").withLabels(Labels.ofSubject("dora")));
    Id point = memory.run(SPACE, SaveCheckpoint.of(group.id())).id();
    Trajectory fork = memory.run(SPACE, new ForkTrajectory(point, trip));
    Trajectory ofBob =
        memory.run(SPACE, new ForkTrajectory(point, trip.withLabels(Labels.ofSubject("bob"))));
    assertThat(assemble(AssembleRequest.of(fork.id())).text()).contains("Dora drives.");
    assertThat(assemble(AssembleRequest.of(ofBob.id())).text()).doesNotContain("Dora");
  }

  @Test
  @DisplayName(
      "what a person has said in one session is known in the next, in a section of its own")
  void drawsOnOtherSessionsOfTheSubject() {
    memory.remember(SPACE, "holidays", List.of(of("alice", "I broke my leg on the Matterhorn.")));
    memory.remember(SPACE, "gossip", List.of(of("carol", "I broke my arm on the Matterhorn.")));
    AssembleRequest request = ask(alice, "Who broke what on the Matterhorn?");
    for (ContextFormat format : ContextFormat.values()) {
      AssembledWindow made = assemble(request.withFormat(format));
      assertThat(made.text()).contains("I broke my leg").doesNotContain("my arm");
      assertThat(made.window().sections())
          .extracting(SectionContent::name)
          .contains(SectionRuleFactory.SESSIONS);
      assertThat(assembler.replay(SPACE, made.window())).isEqualTo(made.text());
    }
    assertThat(assemble(request.withFormat(ContextFormat.MARKDOWN)).text())
        .contains("## sessions\n")
        .contains("user holidays ");
    assertThat(assemble(AssembleRequest.of(alice.id())).text()).doesNotContain("Matterhorn");
  }

  private static NewTurn of(String subject, String text) {
    return NewTurn.user(text).withLabels(Labels.ofSubject(subject));
  }

  @Test
  @DisplayName("session-limit = 0 keeps other sessions out of a window")
  void otherSessionsAreSwitchedOff() {
    memory.remember(SPACE, "holidays", List.of(of("alice", "I broke my leg on the Matterhorn.")));
    use(starter("context.relevance.session-limit = 0"));
    assertThat(assemble(ask(alice, "Who broke what on the Matterhorn?")).text())
        .doesNotContain("my leg");
  }

  @Test
  @DisplayName("a child task draws on its parent, whose subject it has")
  void aChildSeesItsParent() {
    make(scopeOf(alice), "seat = window");
    memory.run(SPACE, CloseScope.of(scopeOf(alice).id()));
    Trajectory child =
        memory.run(
            SPACE, StartTrajectory.of("Book", EntityRef.agent("planner")).withParent(alice.id()));
    say(scopeOf(child), "Which seat?");
    assertThat(assemble(ask(child, "seat")).text()).contains("seat = window");
  }
}
