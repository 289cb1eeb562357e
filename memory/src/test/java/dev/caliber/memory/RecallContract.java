package dev.caliber.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Id;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.CreateArtifact;
import dev.caliber.memory.command.CreateArtifacts;
import dev.caliber.memory.command.EndNote;
import dev.caliber.memory.command.EndTrajectory;
import dev.caliber.memory.command.Forget;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.RecallFilter;
import dev.caliber.memory.command.RecallQuery;
import dev.caliber.memory.command.Recollection;
import dev.caliber.memory.command.Recollection.Hit;
import dev.caliber.memory.command.Remember;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Period;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.SubjectScope;
import dev.caliber.memory.record.Trajectory;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What recall promises, whatever it reads. */
abstract class RecallContract extends MemoryFixture {

  /** How recall should say that it went about it; the past is always scanned. */
  abstract String method();

  List<String> recall(RecallQuery query) {
    Recollection found = memory.recall(SPACE, query);
    assertThat(found.method()).isEqualTo(query.asOf().isPresent() ? "scan" : method());
    return found.hits().stream().map(Hit::text).toList();
  }

  Note remember(String text, String subject) {
    return memory.remember(SPACE, Remember.of(text).forSubject(subject));
  }

  @Test
  void filtersBySubjectTypeEntityAndMetadata() {
    remember("Alice likes tea.", "alice");
    remember("Bob likes tea.", "bob");
    Scope scope = scopeOf(start());
    run(
        AppendTurns.of(
            scope.id(), NewTurn.user("tea, please").labelled(Labels.none().with("lang", "en"))));
    RecallQuery query = RecallQuery.of("tea", 10);
    assertThat(recall(query.among(RecallFilter.ofSubject("alice"))))
        .containsExactly("Alice likes tea.");
    assertThat(recall(query.among(RecallFilter.any().only(EntityType.TURN))))
        .containsExactly("tea, please");
    assertThat(recall(query.among(RecallFilter.any().about("bob"))))
        .containsExactly("Bob likes tea.");
    assertThat(recall(query.among(RecallFilter.any().with("lang", "en"))))
        .containsExactly("tea, please");
    assertThat(recall(query.among(RecallFilter.any().with("lang", "de")))).isEmpty();
    assertThat(recall(query.among(RecallFilter.any().only(NoteType.PREFERENCE)))).hasSize(2);
    assertThat(recall(query.among(RecallFilter.any().in(scope.trajectory()))))
        .containsExactly("tea, please");
    assertThat(
            recall(
                query.among(
                    RecallFilter.any().created(Period.from(clock.instant().plusSeconds(1))))))
        .isEmpty();
  }

  @Test
  @DisplayName("a hit is similar from 0 to 1, and one below min_similarity is no answer")
  void similarityIsOnOneScale() {
    remember("tea", "alice");
    remember("Alice likes tea more than anything else.", "alice");
    for (int i = 0; i < 20; i++) {
      remember("Something else " + i, "bob");
    }
    RecallQuery query = RecallQuery.of("Who likes tea?", 10);
    for (RecallQuery asked : List.of(query, query.asOf(clock.instant()))) {
      List<Hit> hits = memory.recall(SPACE, asked).hits();
      assertThat(hits)
          .hasSizeGreaterThan(1)
          .allMatch(hit -> hit.similarity() > 0 && hit.similarity() <= 1);
      double best = hits.getFirst().similarity();
      assertThat(memory.recall(SPACE, asked.atLeast(best)).hits())
          .isNotEmpty()
          .allMatch(hit -> hit.similarity() >= best);
      assertThat(memory.recall(SPACE, asked.atLeast(1)).hits())
          .allMatch(hit -> hit.similarity() == 1);
    }
  }

  @Test
  @DisplayName("recall answers records of visible subjects and those without one, and no others")
  void answersVisibleSubjectsOnly() {
    remember("Alice likes tea.", "alice");
    remember("Bob likes tea.", "bob");
    memory.remember(SPACE, Remember.of("Everybody likes tea."));
    sayAs("carol", "tea for Carol");
    RecallQuery query = RecallQuery.of("tea", 10);
    assertThat(recall(query)).hasSize(4);
    assertThat(recall(query.visibleTo(SubjectScope.of(List.of("alice")))))
        .containsExactlyInAnyOrder("Alice likes tea.", "Everybody likes tea.");
    assertThat(recall(query.visibleTo(SubjectScope.of(List.of("bob", "carol")))))
        .containsExactlyInAnyOrder("Bob likes tea.", "Everybody likes tea.", "tea for Carol");
    assertThat(recall(query.visibleTo(SubjectScope.shared())))
        .containsExactly("Everybody likes tea.");
    assertThat(recall(query.visibleTo(SubjectScope.shared()).asOf(clock.instant())))
        .containsExactly("Everybody likes tea.");
    assertThat(
            recall(
                query
                    .among(RecallFilter.ofSubject("bob"))
                    .visibleTo(SubjectScope.of(List.of("alice")))))
        .isEmpty();
  }

  private void sayAs(String subject, String text) {
    NewTurn turn = NewTurn.user(text).labelled(Labels.ofSubject(subject));
    memory.remember(SPACE, "chat of " + subject, List.of(turn));
  }

  @Test
  @DisplayName("a note that was merged, or has got an end, is found by the time it was made")
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
    RecallFilter before = RecallFilter.any().created(Period.between(made, later));
    assertThat(recall(query.among(before)))
        .containsExactlyInAnyOrder(longer, "Bob has a grey cat.");
    assertThat(recall(query.among(RecallFilter.any().created(Period.from(later))))).isEmpty();
  }

  @Test
  @DisplayName("what the caller's own system has named is asked for by that name")
  void filtersByExternalId() {
    Scope scope = scopeOf(start());
    Labels named = Labels.ofExternalId("crm-7");
    run(WriteNote.of("alice", "person", NoteType.FACT, "Alice likes tea.").labelled(named));
    run(
        CreateArtifacts.of(
            CreateArtifact.of(scope.id(), ArtifactType.FACT, Bytes.of("tea = green"))
                .labelled(named)));
    run(AppendTurns.of(scope.id(), NewTurn.user("tea, please").labelled(named)));
    run(
        WriteNote.of("bob", "person", NoteType.FACT, "Bob likes tea.")
            .labelled(Labels.ofExternalId("crm-8")));
    say(scope, "more tea");
    RecallQuery query = RecallQuery.of("tea", 10).among(RecallFilter.any().named("crm-7"));
    assertThat(recall(query))
        .containsExactlyInAnyOrder("Alice likes tea.", "tea = green", "tea, please");
    assertThat(recall(query.asOf(clock.instant()))).hasSize(3);
    assertThat(recall(query.among(RecallFilter.any().named("crm-9")))).isEmpty();
  }

  @Test
  @DisplayName("a session is all that has its name: what was said before it began again, too")
  void aSessionIsEveryTrajectoryOfItsName() {
    memory.remember(SPACE, "chat", List.of(NewTurn.user("green tea")));
    Trajectory first = sessions().getFirst();
    run(WriteNote.of("alice", "person", NoteType.FACT, "Alice likes tea.").learnedIn(first.id()));
    run(EndTrajectory.complete(first.id(), ""));
    pass(Duration.ofMinutes(1));
    memory.remember(SPACE, "chat", List.of(NewTurn.user("black tea")));
    memory.remember(SPACE, "other", List.of(NewTurn.user("white tea")));
    assertThat(sessions()).hasSize(2);
    RecallFilter chat =
        RecallFilter.any().in(sessions().stream().map(Trajectory::id).toArray(Id[]::new));
    RecallQuery query = RecallQuery.of("tea", 10).among(chat);
    assertThat(recall(query))
        .containsExactlyInAnyOrder("green tea", "black tea", "Alice likes tea.");
    assertThat(recall(query.asOf(clock.instant()))).hasSize(3);
    assertThat(memory.forget(SPACE, Forget.all(chat)).records()).hasSize(3);
    assertThat(recall(RecallQuery.of("tea", 10))).containsExactly("white tea");
  }

  private List<Trajectory> sessions() {
    return memory.view(SPACE, view -> view.sessions("chat"));
  }
}
