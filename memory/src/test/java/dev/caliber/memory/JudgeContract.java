package dev.caliber.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Id;
import dev.caliber.memory.command.ForgetRecords;
import dev.caliber.memory.command.SupersedeNote;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.spi.ContradictionJudgement;
import dev.caliber.memory.spi.Passage;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.memory.view.MemoryDependencies;
import dev.caliber.testkit.EachEngine;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Judge of contradictions in addition to the rules, on every engine. */
@EachEngine
class JudgeContract extends MemoryFixture {
  private static final String METHOD = "model test:m";
  private static final String VEGETARIAN = "Alice eats no meat at all.";
  private static final String STEAK = "Alice orders a steak every Friday.";

  private final List<List<String>> asked = new ArrayList<>();
  private Runnable meanwhile = () -> {};

  @Override
  public MemoryDependencies parts() {
    return super.parts().withJudge(this::judge);
  }

  /** Returns every earlier statement as contradicted. */
  private ContradictionJudgement judge(String later, List<Passage> earlier) {
    asked.add(earlier.stream().map(Passage::text).toList());
    meanwhile.run();
    return new ContradictionJudgement(METHOD, earlier.stream().map(Passage::source).toList());
  }

  private Note read(Id note) {
    return memory.view(SPACE, view -> view.note(note));
  }

  @Test
  @DisplayName(
      "LLM-02: a contradiction that only the judge finds is linked, and the note names the judge")
  void theJudgeIsHeard() {
    Note first = learn(VEGETARIAN);
    assertThat(asked).as("there is no note to compare it with").isEmpty();
    Note second = learn(STEAK);
    assertThat(asked).containsExactly(List.of(VEGETARIAN));
    assertThat(second.conflictsWith()).containsExactly(first.id());
    assertThat(read(first.id()).conflictsWith()).containsExactly(second.id());
    assertThat(second.labels().metadata()).containsEntry("judge", METHOD);
  }

  @Test
  @DisplayName("LLM-02: without a judge the rules find no contradiction here")
  void theRulesAlone() {
    Memory plain = Memory.of(store, MemoryConfig.starter(), super.parts());
    for (String words : List.of(VEGETARIAN, STEAK)) {
      Note note = plain.run(SPACE, WriteNote.of("alice", "person", NoteType.FACT, words));
      assertThat(note.conflictsWith()).isEmpty();
      assertThat(note.labels().metadata()).isEmpty();
    }
  }

  @Test
  @DisplayName("LLM-06: the rules alone decide if the judge fails, and the note says so")
  void aFailureFallsBack() {
    learn("Alice lives in Oslo.");
    meanwhile =
        () -> {
          throw new IllegalStateException("away");
        };
    Note ruled = learn("Alice lives in Bergen.");
    assertThat(ruled.conflictsWith()).hasSize(1);
    assertThat(ruled.labels().metadata()).containsEntry("fallback", "the judge failed");
    assertThat(learn(STEAK).conflictsWith()).isEmpty();
  }

  @Test
  @DisplayName(
      "LLM-03: the judge is asked before the commit, and a note that changed since is not linked")
  void whatChangesMeanwhileIsNotLinked() {
    Note first = learn(VEGETARIAN);
    meanwhile = () -> memory.forget(SPACE, ForgetRecords.of(first.id()));
    assertThat(learn(STEAK).conflictsWith()).isEmpty();
    assertThat(asked).hasSize(1);
  }

  @Test
  @DisplayName("LLM-03: inside a commit of the caller the judge is not asked")
  void nobodyIsAskedInsideACommit() {
    learn(VEGETARIAN);
    Note second =
        store.write(
            SPACE,
            transaction ->
                memory.run(transaction, WriteNote.of("alice", "person", NoteType.FACT, STEAK)));
    assertThat(asked).isEmpty();
    assertThat(second.conflictsWith()).isEmpty();
    Note third =
        store.write(
            SPACE,
            memory.prepareCommand(
                SPACE, WriteNote.of("alice", "person", NoteType.FACT, "Alice loves fish.")));
    assertThat(asked).as("before a commit it is").hasSize(1);
    assertThat(third.conflictsWith()).hasSize(2);
  }

  @Test
  @DisplayName("LLM-02: a note is not compared with the one that it supersedes")
  void aSuccessorDoesNotContradictWhatItReplaces() {
    Note first = learn(VEGETARIAN);
    Note successor =
        run(new SupersedeNote(first.id(), WriteNote.of("alice", "person", NoteType.FACT, STEAK)));
    assertThat(asked).isEmpty();
    assertThat(successor.conflictsWith()).isEmpty();
  }

  @Test
  @DisplayName("LLM-02: the judge is not asked about a repeated text")
  void theSameIsMerged() {
    Note first = learn(VEGETARIAN);
    assertThat(learn(VEGETARIAN).id()).isEqualTo(first.id());
    assertThat(asked).isEmpty();
  }
}
