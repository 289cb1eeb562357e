package dev.caliber.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Id;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.CreateArtifacts;
import dev.caliber.memory.command.EndNote;
import dev.caliber.memory.command.EndTrajectory;
import dev.caliber.memory.command.ForgetRecords;
import dev.caliber.memory.command.NewArtifact;
import dev.caliber.memory.command.NewNote;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.RecallFilter;
import dev.caliber.memory.command.RecallQuery;
import dev.caliber.memory.command.RecallResult;
import dev.caliber.memory.command.RecallResult.RecallHit;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.ReadableSubjects;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.TimeRange;
import dev.caliber.memory.record.Trajectory;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Contract of recall, from the index or by a scan. */
public abstract class RecallContract extends MemoryFixture {

  /** Returns the expected method of a recall; a query of the past always scans. */
  public abstract String method();

  public List<String> recall(RecallQuery query) {
    RecallResult found = memory.recall(SPACE, query);
    assertThat(found.method()).isEqualTo(query.asOf().isPresent() ? "scan" : method());
    return found.hits().stream().map(RecallHit::text).toList();
  }

  public Note remember(String text, String subject) {
    return memory.remember(SPACE, NewNote.of(text).withSubject(subject));
  }

  @Test
  void filtersBySubjectTypeEntityAndMetadata() {
    remember("Alice likes tea.", "alice");
    remember("Bob likes tea.", "bob");
    Scope scope = scopeOf(start());
    run(
        AppendTurns.of(
            scope.id(),
            NewTurn.user("tea, please").withLabels(Labels.none().withMetadata("lang", "en"))));
    RecallQuery query = RecallQuery.of("tea", 10);
    assertThat(recall(query.withFilter(RecallFilter.ofSubject("alice"))))
        .containsExactly("Alice likes tea.");
    assertThat(recall(query.withFilter(RecallFilter.any().withTypes(EntityType.TURN))))
        .containsExactly("tea, please");
    assertThat(recall(query.withFilter(RecallFilter.any().withEntity("bob"))))
        .containsExactly("Bob likes tea.");
    assertThat(recall(query.withFilter(RecallFilter.any().withMetadata("lang", "en"))))
        .containsExactly("tea, please");
    assertThat(recall(query.withFilter(RecallFilter.any().withMetadata("lang", "de")))).isEmpty();
    assertThat(recall(query.withFilter(RecallFilter.any().withNoteTypes(NoteType.PREFERENCE))))
        .hasSize(2);
    assertThat(recall(query.withFilter(RecallFilter.any().withTrajectories(scope.trajectory()))))
        .containsExactly("tea, please");
    assertThat(
            recall(
                query.withFilter(
                    RecallFilter.any()
                        .withCreated(TimeRange.from(clock.instant().plusSeconds(1))))))
        .isEmpty();
  }

  @Test
  @DisplayName("a hit has a similarity from 0 to 1, and one below min_similarity is left out")
  void similarityIsOnOneScale() {
    remember("tea", "alice");
    remember("Alice likes tea more than anything else.", "alice");
    for (int i = 0; i < 20; i++) {
      remember("Something else " + i, "bob");
    }
    RecallQuery query = RecallQuery.of("Who likes tea?", 10);
    for (RecallQuery asked : List.of(query, query.withAsOf(clock.instant()))) {
      List<RecallHit> hits = memory.recall(SPACE, asked).hits();
      assertThat(hits)
          .hasSizeGreaterThan(1)
          .allMatch(recallHit -> recallHit.similarity() > 0 && recallHit.similarity() <= 1);
      double best = hits.getFirst().similarity();
      assertThat(memory.recall(SPACE, asked.withMinSimilarity(best)).hits())
          .isNotEmpty()
          .allMatch(recallHit -> recallHit.similarity() >= best);
      assertThat(memory.recall(SPACE, asked.withMinSimilarity(1)).hits())
          .allMatch(recallHit -> recallHit.similarity() == 1);
    }
  }

  @Test
  @DisplayName("recall returns records of visible subjects and those without one, and no others")
  void answersVisibleSubjectsOnly() {
    remember("Alice likes tea.", "alice");
    remember("Bob likes tea.", "bob");
    memory.remember(SPACE, NewNote.of("Everybody likes tea."));
    sayAs("carol", "tea for Carol");
    RecallQuery query = RecallQuery.of("tea", 10);
    assertThat(recall(query)).hasSize(4);
    assertThat(recall(query.withReadableSubjects(ReadableSubjects.of(List.of("alice")))))
        .containsExactlyInAnyOrder("Alice likes tea.", "Everybody likes tea.");
    assertThat(recall(query.withReadableSubjects(ReadableSubjects.of(List.of("bob", "carol")))))
        .containsExactlyInAnyOrder("Bob likes tea.", "Everybody likes tea.", "tea for Carol");
    assertThat(recall(query.withReadableSubjects(ReadableSubjects.sharedOnly())))
        .containsExactly("Everybody likes tea.");
    assertThat(
            recall(
                query
                    .withReadableSubjects(ReadableSubjects.sharedOnly())
                    .withAsOf(clock.instant())))
        .containsExactly("Everybody likes tea.");
    assertThat(
            recall(
                query
                    .withFilter(RecallFilter.ofSubject("bob"))
                    .withReadableSubjects(ReadableSubjects.of(List.of("alice")))))
        .isEmpty();
  }

  private void sayAs(String subject, String text) {
    NewTurn turn = NewTurn.user(text).withLabels(Labels.ofSubject(subject));
    memory.remember(SPACE, "chat of " + subject, List.of(turn));
  }

  @Test
  @DisplayName("a note that was merged, or whose validity ended, is found by the time it was made")
  void aRenewedNoteIsFoundByItsCreation() {
    Instant made = clock.instant();
    Note merged = learn("Alice has a grey cat.");
    Note ended = run(WriteNote.of("bob", "person", NoteType.FACT, "Bob has a grey cat."));
    pass(Duration.ofDays(1));
    Instant later = clock.instant();
    String longer = "Alice has a grey cat!!";
    assertThat(run(WriteNote.of("alice", "person", NoteType.FACT, longer)).id())
        .isEqualTo(merged.id());
    run(new EndNote(ended.id(), clock.instant().plus(Duration.ofDays(1))));
    RecallQuery query = RecallQuery.of("grey cat", 10);
    RecallFilter before = RecallFilter.any().withCreated(TimeRange.between(made, later));
    assertThat(recall(query.withFilter(before)))
        .containsExactlyInAnyOrder(longer, "Bob has a grey cat.");
    assertThat(recall(query.withFilter(RecallFilter.any().withCreated(TimeRange.from(later)))))
        .isEmpty();
  }

  @Test
  @DisplayName("a record is found by its external id")
  void filtersByExternalId() {
    Scope scope = scopeOf(start());
    Labels named = Labels.ofExternalId("crm-7");
    run(WriteNote.of("alice", "person", NoteType.FACT, "Alice likes tea.").withLabels(named));
    run(
        CreateArtifacts.of(
            NewArtifact.of(scope.id(), ArtifactType.FACT, Bytes.of("tea = green"))
                .withLabels(named)));
    run(AppendTurns.of(scope.id(), NewTurn.user("tea, please").withLabels(named)));
    run(
        WriteNote.of("bob", "person", NoteType.FACT, "Bob likes tea.")
            .withLabels(Labels.ofExternalId("crm-8")));
    say(scope, "more tea");
    RecallQuery query =
        RecallQuery.of("tea", 10).withFilter(RecallFilter.any().withExternalId("crm-7"));
    assertThat(recall(query))
        .containsExactlyInAnyOrder("Alice likes tea.", "tea = green", "tea, please");
    assertThat(recall(query.withAsOf(clock.instant()))).hasSize(3);
    assertThat(recall(query.withFilter(RecallFilter.any().withExternalId("crm-9")))).isEmpty();
  }

  @Test
  @DisplayName("a session includes all trajectories with its name, earlier ones too")
  void aSessionIsEveryTrajectoryOfItsName() {
    memory.remember(SPACE, "chat", List.of(NewTurn.user("green tea")));
    Trajectory first = sessions().getFirst();
    run(WriteNote.of("alice", "person", NoteType.FACT, "Alice likes tea.").withSource(first.id()));
    run(EndTrajectory.complete(first.id(), ""));
    pass(Duration.ofMinutes(1));
    memory.remember(SPACE, "chat", List.of(NewTurn.user("black tea")));
    memory.remember(SPACE, "other", List.of(NewTurn.user("white tea")));
    assertThat(sessions()).hasSize(2);
    RecallFilter chat =
        RecallFilter.any()
            .withTrajectories(sessions().stream().map(Trajectory::id).toArray(Id[]::new));
    RecallQuery query = RecallQuery.of("tea", 10).withFilter(chat);
    assertThat(recall(query))
        .containsExactlyInAnyOrder("green tea", "black tea", "Alice likes tea.");
    assertThat(recall(query.withAsOf(clock.instant()))).hasSize(3);
    assertThat(memory.forget(SPACE, ForgetRecords.matching(chat)).records()).hasSize(3);
    assertThat(recall(RecallQuery.of("tea", 10))).containsExactly("white tea");
  }

  private List<Trajectory> sessions() {
    return memory.view(SPACE, view -> view.trajectoriesByExternalId("chat"));
  }
}
