package dev.caliber.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.memory.command.AppendResult;
import dev.caliber.memory.command.ForgetRecords;
import dev.caliber.memory.command.LearnFromTurns;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.RecallQuery;
import dev.caliber.memory.command.RecallResult.RecallHit;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.spi.ExtractionResult;
import dev.caliber.memory.spi.FindingKind;
import dev.caliber.memory.spi.KnowledgeExtractor;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.store.job.Jobs;
import dev.caliber.testkit.EachEngine;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Learning of notes from the statements of users in a session. */
@EachEngine
class LearningContract extends MemoryFixture {

  private static AppendResult said(Memory memory, NewTurn... turns) {
    return memory.remember(SPACE, "chat", List.of(turns));
  }

  private static NewTurn ofAlice(String words) {
    return NewTurn.user(words).withLabels(Labels.ofSubject("alice"));
  }

  @Test
  @DisplayName("a fact that a user states is a note of the subject that names its turn")
  void factsBecomeNotes() {
    AppendResult appendResult =
        said(memory, ofAlice("Hi! I live in Lyon near the old town. And you?"));
    Turn turn = appendResult.first();
    Note note = appendResult.notes().getFirst();
    assertThat(appendResult.notes()).hasSize(1);
    assertThat(note.content()).isEqualTo("I live in Lyon near the old town.");
    assertThat(note.type()).isEqualTo(NoteType.FACT);
    assertThat(note.entity()).isEqualTo("alice");
    assertThat(note.labels().subject()).contains("alice");
    assertThat(note.labels().metadata()).containsEntry(Note.TURN, turn.id().toString());
    assertThat(note.sources()).containsExactly(turn.trajectory());
  }

  @Test
  @DisplayName("a repeated statement is one note; what an assistant says or a user asks is none")
  void onlyStatementsOfUsers() {
    said(memory, ofAlice("I prefer window seats."));
    said(memory, NewTurn.assistant("I live in the cloud."), ofAlice("Do I live in Lyon?"));
    AppendResult again = said(memory, ofAlice("I prefer window seats."));
    assertThat(again.notes()).hasSize(1);
    List<Note> all = memory.view(SPACE, view -> view.notesLearnedIn(again.first().trajectory()));
    assertThat(all).isEqualTo(again.notes());
  }

  @Test
  @DisplayName("a note that is stated again names each turn, and is one hit with any of them")
  void aMergedNoteNamesItsTurns() {
    Turn first = said(memory, ofAlice("I live in Lyon near the old town.")).first();
    AppendResult again =
        memory.remember(SPACE, "later", List.of(ofAlice("I live in Lyon near the old town!")));
    Note note = again.notes().getFirst();
    assertThat(note.sourceTurns())
        .containsExactly(first.id().toString(), again.first().id().toString());
    List<RecallHit> hits = memory.recall(SPACE, RecallQuery.of("Lyon", 5)).hits();
    assertThat(hits)
        .extracting(RecallHit::id)
        .containsExactlyInAnyOrder(first.id(), again.first().id());
  }

  @Test
  @DisplayName("a note that is stated very often names the newest turns")
  void aNoteNamesABoundedNumberOfTurns() {
    for (int i = 0; i < 20; i++) {
      AppendResult again = said(memory, ofAlice("I live in Lyon near the old town."));
      assertThat(again.notes().getFirst().sourceTurns())
          .hasSizeLessThanOrEqualTo(16)
          .endsWith(again.first().id().toString());
    }
  }

  @Test
  @DisplayName("memory.extraction.from-turns = false: turns stay turns")
  void offByOneSetting() {
    Memory quiet =
        Memory.of(
            store, MemoryConfig.starter().with("memory.extraction.from-turns = false"), parts());
    assertThat(said(quiet, ofAlice("I live in Lyon.")).notes()).isEmpty();
  }

  @Test
  @DisplayName("a turn and its note are one hit, and forgetting the turn forgets the note")
  void oneHitAndOneFate() {
    AppendResult appendResult = said(memory, ofAlice("I live in Lyon near the old town."));
    Turn turn = appendResult.first();
    assertThat(memory.recall(SPACE, RecallQuery.of("Lyon", 5)).hits())
        .extracting(RecallHit::id)
        .containsExactly(turn.id());
    memory.forget(SPACE, ForgetRecords.of(turn.id()));
    assertThat(memory.recall(SPACE, RecallQuery.of("Lyon", 5)).hits()).isEmpty();
  }

  private static KnowledgeExtractor finding(String words) {
    return passages ->
        new ExtractionResult(
            "model test",
            List.of(
                new ExtractionResult.ExtractedFinding(
                    FindingKind.FACT, words, Optional.of("Rex"), passages.getFirst().source())));
  }

  @Test
  @DisplayName("if a model is configured, a job asks it; rules run at once")
  void byAModel() {
    Memory asking =
        Memory.of(store, MemoryConfig.starter(), parts().withExtractor(finding("Rex is eleven")));
    AppendResult appendResult = said(asking, ofAlice("We had a walk, and Rex is eleven by now."));
    assertThat(appendResult.notes()).isEmpty();
    Jobs jobs = Jobs.of(store, config().jobs(), clock);
    asking.registerJobHandlers(jobs);
    jobs.runDue(SPACE);
    List<Note> found =
        memory.view(SPACE, view -> view.notesLearnedIn(appendResult.first().trajectory()));
    assertThat(found).singleElement().extracting(Note::entity).isEqualTo("Rex");
    assertThat(found.getFirst().labels().subject()).contains("alice");
  }

  @Test
  @DisplayName("if the model fails, the findings of the rules remain")
  void byRulesWhenTheModelFails() {
    KnowledgeExtractor failing =
        _ -> {
          throw new IllegalStateException("no model");
        };
    Memory asking = Memory.of(store, MemoryConfig.starter(), parts().withExtractor(failing));
    AppendResult appendResult = said(asking, ofAlice("I live in Lyon."));
    assertThat(asking.run(SPACE, new LearnFromTurns(List.of(appendResult.first().id()))))
        .isEqualTo(appendResult.notes());
  }
}
