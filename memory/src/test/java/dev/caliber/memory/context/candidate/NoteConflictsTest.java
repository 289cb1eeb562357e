package dev.caliber.memory.context.candidate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.kernel.config.TrustSettings;
import dev.caliber.memory.context.window.KnownNoteConflicts;
import dev.caliber.memory.context.window.NoteConflict;
import dev.caliber.memory.context.window.Trust;
import dev.caliber.memory.context.window.TrustClass;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.TimeRange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Selection of conflicts when there are many. */
class NoteConflictsTest {
  private static final Instant TIME = Instant.parse("2026-01-01T00:00:00Z");
  private static final TrustSettings RULE = RuntimeConfig.starter().context().assembly().trust();
  private static final Trust CODE = new Trust(TrustClass.CODE, 100, "wall");
  private static final Trust DOCUMENT = new Trust(TrustClass.AUTHORITATIVE, 70, "wall");
  private static final Trust GUESS = new Trust(TrustClass.INFERRED, 20, "wall");

  private static Id id(int number) {
    return new Id(0, number);
  }

  private static Note note(int number, List<Id> against) {
    return new Note(
        id(number),
        1,
        "wall",
        "thing",
        NoteType.FACT,
        "The wall has colour %d.".formatted(number),
        1,
        TimeRange.always(),
        List.of(),
        List.of(),
        Optional.empty(),
        against,
        Labels.none(),
        TIME,
        TIME,
        Optional.empty());
  }

  private static List<Note> clique(int count) {
    List<Id> all = IntStream.rangeClosed(1, count).mapToObj(NoteConflictsTest::id).toList();
    return IntStream.rangeClosed(1, count)
        .mapToObj(
            number -> note(number, all.stream().filter(id -> !id.equals(id(number))).toList()))
        .toList();
  }

  /** The last one is code, and the one before it a document. */
  private static KnownNoteConflicts known(List<Note> notes, int count) {
    NoteConflictFinder conflicts = new NoteConflictFinder(RULE);
    notes.forEach(note -> conflicts.addNote(note, trust(note.id(), count)));
    return conflicts.findConflicts();
  }

  private static Trust trust(Id id, int count) {
    if (id.equals(id(count))) {
      return CODE;
    }
    return id.equals(id(count - 1)) ? DOCUMENT : GUESS;
  }

  @Test
  @DisplayName("TPR-07: of many contradictions the most decisive are told, and the others counted")
  void bounded() {
    KnownNoteConflicts knownNoteConflicts = known(clique(12), 12);
    assertThat(knownNoteConflicts.pairs()).hasSize(NoteConflictFinder.PAIRS_BOUND);
    assertThat(knownNoteConflicts.more()).isEqualTo(12 * 11 / 2 - NoteConflictFinder.PAIRS_BOUND);
    assertThat(knownNoteConflicts.pairs().subList(0, 11))
        .allSatisfy(pair -> assertThat(pair.preferred()).isEqualTo(id(12)));
    assertThat(knownNoteConflicts.pairs().getFirst().one()).isEqualTo(id(1));
    assertThat(knownNoteConflicts.pairs().subList(11, 20))
        .allSatisfy(pair -> assertThat(pair.preferred()).isEqualTo(id(11)));
    List<Note> shuffled = new ArrayList<>(clique(12));
    Collections.reverse(shuffled);
    assertThat(known(shuffled, 12)).isEqualTo(knownNoteConflicts);
  }

  @Test
  @DisplayName("TPR-07: a contradiction is told once, also where only one side knows of it")
  void once() {
    KnownNoteConflicts knownNoteConflicts =
        known(List.of(note(1, List.of()), note(2, List.of(id(1), id(2), id(9)))), 5);
    assertThat(knownNoteConflicts.more()).isZero();
    assertThat(knownNoteConflicts.pairs())
        .extracting(NoteConflict::one, NoteConflict::other)
        .containsExactly(tuple(id(1), id(2)));
    assertThat(known(clique(3), 5).pairs()).hasSize(3);
  }

  @Test
  @DisplayName("TPR-07: a large clique of contradictions is counted without keeping its pairs")
  void manyContradictions() {
    KnownNoteConflicts knownNoteConflicts = known(clique(1000), 1000);
    assertThat(knownNoteConflicts.pairs()).hasSize(NoteConflictFinder.PAIRS_BOUND);
    assertThat(knownNoteConflicts.more())
        .isEqualTo(1000 * 999 / 2 - NoteConflictFinder.PAIRS_BOUND);
  }
}
