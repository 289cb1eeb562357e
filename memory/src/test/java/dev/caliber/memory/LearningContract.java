package dev.caliber.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.memory.command.Appended;
import dev.caliber.memory.command.Forget;
import dev.caliber.memory.command.LearnFromTurns;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.RecallQuery;
import dev.caliber.memory.command.Recollection.Hit;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.spi.Extract;
import dev.caliber.memory.spi.Extractor;
import dev.caliber.memory.spi.FindingKind;
import dev.caliber.store.Jobs;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What users state in the turns of a session becomes notes. */
abstract class LearningContract extends MemoryFixture {

  private static Appended said(Memory memory, NewTurn... turns) {
    return memory.remember(SPACE, "chat", List.of(turns));
  }

  private static NewTurn ofAlice(String words) {
    return NewTurn.user(words).labelled(Labels.ofSubject("alice"));
  }

  @Test
  @DisplayName("a fact that a user states is a note of the subject that names its turn")
  void factsBecomeNotes() {
    Appended appended = said(memory, ofAlice("Hi! I live in Lyon near the old town. And you?"));
    Turn turn = appended.first();
    Note note = appended.notes().getFirst();
    assertThat(appended.notes()).hasSize(1);
    assertThat(note.content()).isEqualTo("I live in Lyon near the old town.");
    assertThat(note.type()).isEqualTo(NoteType.FACT);
    assertThat(note.entity()).isEqualTo("alice");
    assertThat(note.labels().subject()).contains("alice");
    assertThat(note.labels().metadata()).containsEntry(Note.TURN, turn.id().toString());
    assertThat(note.sources()).containsExactly(turn.trajectory());
  }

  @Test
  @DisplayName("what is said twice is one note; what an assistant says or a user asks is none")
  void onlyStatementsOfUsers() {
    said(memory, ofAlice("I prefer window seats."));
    said(memory, NewTurn.assistant("I live in the cloud."), ofAlice("Do I live in Lyon?"));
    Appended again = said(memory, ofAlice("I prefer window seats."));
    assertThat(again.notes()).hasSize(1);
    List<Note> all = memory.view(SPACE, view -> view.notesLearnedIn(again.first().trajectory()));
    assertThat(all).isEqualTo(again.notes());
  }

  @Test
  @DisplayName("a note that is stated again names each turn, and is one hit with any of them")
  void aMergedNoteNamesItsTurns() {
    Turn first = said(memory, ofAlice("I live in Lyon near the old town.")).first();
    Appended again =
        memory.remember(SPACE, "later", List.of(ofAlice("I live in Lyon near the old town!")));
    Note note = again.notes().getFirst();
    assertThat(note.turns()).containsExactly(first.id().toString(), again.first().id().toString());
    List<Hit> hits = memory.recall(SPACE, RecallQuery.of("Lyon", 5)).hits();
    assertThat(hits).extracting(Hit::id).containsExactlyInAnyOrder(first.id(), again.first().id());
  }

  @Test
  @DisplayName("a note that is stated very often names the newest turns")
  void aNoteNamesABoundedNumberOfTurns() {
    for (int i = 0; i < 20; i++) {
      Appended again = said(memory, ofAlice("I live in Lyon near the old town."));
      assertThat(again.notes().getFirst().turns())
          .hasSizeLessThanOrEqualTo(16)
          .endsWith(again.first().id().toString());
    }
  }

  @Test
  @DisplayName("memory.notes.from-turns = false: turns stay turns")
  void offByOneSetting() {
    MemoryConfig.Notes notes = MemoryConfig.starter().notes();
    Memory quiet =
        Memory.of(
            store,
            MemoryConfig.starter()
                .withNotes(
                    new MemoryConfig.Notes(
                        notes.likeness(),
                        notes.gain(),
                        notes.candidates(),
                        false,
                        notes.consolidation())),
            parts());
    assertThat(said(quiet, ofAlice("I live in Lyon.")).notes()).isEmpty();
  }

  @Test
  @DisplayName("a turn and its note are one hit, and forgetting the turn forgets the note")
  void oneHitAndOneFate() {
    Appended appended = said(memory, ofAlice("I live in Lyon near the old town."));
    Turn turn = appended.first();
    assertThat(memory.recall(SPACE, RecallQuery.of("Lyon", 5)).hits())
        .extracting(Hit::id)
        .containsExactly(turn.id());
    memory.forget(SPACE, Forget.of(turn.id()));
    assertThat(memory.recall(SPACE, RecallQuery.of("Lyon", 5)).hits()).isEmpty();
  }

  private static Extractor finding(String words) {
    return passages ->
        new Extract(
            "model test",
            List.of(
                new Extract.Found(
                    FindingKind.FACT, words, Optional.of("Rex"), passages.getFirst().source())));
  }

  @Test
  @DisplayName("where a model is configured, a job asks it; rules are not waited for")
  void byAModel() {
    Memory asking =
        Memory.of(store, MemoryConfig.starter(), parts().withExtractor(finding("Rex is eleven")));
    Appended appended = said(asking, ofAlice("We had a walk, and Rex is eleven by now."));
    assertThat(appended.notes()).isEmpty();
    Jobs jobs = Jobs.of(store, config().jobs(), clock);
    asking.attach(jobs);
    jobs.runDue(SPACE);
    List<Note> found =
        memory.view(SPACE, view -> view.notesLearnedIn(appended.first().trajectory()));
    assertThat(found).singleElement().extracting(Note::entity).isEqualTo("Rex");
    assertThat(found.getFirst().labels().subject()).contains("alice");
  }

  @Test
  @DisplayName("a model that fails leaves what the rules find")
  void byRulesWhenTheModelFails() {
    Extractor failing =
        _ -> {
          throw new IllegalStateException("no model");
        };
    Memory asking = Memory.of(store, MemoryConfig.starter(), parts().withExtractor(failing));
    Appended appended = said(asking, ofAlice("I live in Lyon."));
    assertThat(asking.run(SPACE, new LearnFromTurns(List.of(appended.first().id()))))
        .isEqualTo(appended.notes());
  }
}
