package dev.caliber.memory.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.memory.RecallContract;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.CreateArtifacts;
import dev.caliber.memory.command.ForgetRecords;
import dev.caliber.memory.command.NewArtifact;
import dev.caliber.memory.command.RecallQuery;
import dev.caliber.memory.command.SupersedeNote;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Ttl;
import dev.caliber.memory.record.Turn;
import dev.caliber.store.job.Jobs;
import dev.caliber.store.search.SearchChannel;
import dev.caliber.store.search.SearchHit;
import dev.caliber.store.search.SearchIndex;
import dev.caliber.store.search.SearchQuery;
import dev.caliber.store.spi.Embedder;
import dev.caliber.testkit.EachEngine;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recall from the search index, on every engine. */
@EachEngine
class IndexedRecallContract extends RecallContract {
  private static final int DIMENSIONS = 32;

  @TempDir Path indexes;

  private Optional<Searching> searching = Optional.empty();

  private record Searching(SearchIndex index, Jobs jobs) {}

  @Override
  public MemoryDependencies parts() {
    Jobs jobs = Jobs.of(store, config().jobs(), clock);
    SearchIndex index = openIndex(indexes, Embedder.hashing(DIMENSIONS), jobs);
    searching = Optional.of(new Searching(index, jobs));
    return super.parts().withSearch(index);
  }

  @AfterEach
  final void closeSearch() {
    searching.ifPresent(both -> both.index.close());
  }

  @Override
  public String method() {
    return "index";
  }

  @Test
  void whatWasJustWrittenIsFound() {
    Scope scope = scopeOf(start());
    remember("The zebra sleeps standing.", "zoo");
    say(scope, "Where is the zebra?");
    make(scope, "zebra = striped");
    assertThat(recall(RecallQuery.of("zebras", 10)))
        .contains("The zebra sleeps standing.", "Where is the zebra?", "zebra = striped");
  }

  @Test
  @DisplayName("VEC-03: artifacts, notes and summaries of scopes have vectors")
  void artifactsNotesAndSummariesHaveVectors() {
    Scope scope = scopeOf(start());
    Note note = remember("The zebra sleeps standing.", "zoo");
    Artifact artifact = make(scope, "stripes = black and white");
    Turn turn = say(scope, "We decided to use a larger paddock for the herd.");
    Scope closed = run(CloseScope.of(scope.id()));
    embed();
    assertThat(nearest("The zebra sleeps standing.")).isEqualTo(note.id().toString());
    assertThat(nearest("stripes = black and white")).isEqualTo(artifact.id().toString());
    SearchQuery summary =
        SearchQuery.of(SPACE, closed.summary().orElseThrow().text(), 3)
            .withTables(Scope.TABLE.name())
            .withWeights(Map.of(SearchChannel.LEXICAL, 0.0));
    assertThat(index().search(summary).hits())
        .extracting(SearchHit::key)
        .containsExactly(closed.id().toString());
    assertThat(closed.summary().orElseThrow().sources()).contains(turn.id());
  }

  private SearchIndex index() {
    return searching.orElseThrow().index;
  }

  private void embed() {
    do {
      index().awaitSequence(SPACE, store.changes().head(SPACE).sequence());
      searching.orElseThrow().jobs.runDue(SPACE);
      Thread.onSpinWait();
    } while (index().status(SPACE).backlog() > 0 || index().status(SPACE).vectors() == 0);
  }

  private String nearest(String text) {
    SearchHit best =
        index()
            .search(SearchQuery.of(SPACE, text, 1).withWeights(Map.of(SearchChannel.LEXICAL, 0.0)))
            .hits()
            .getFirst();
    assertThat(best.similarity().getAsDouble()).isGreaterThan(0.99);
    return best.key();
  }

  @Test
  @DisplayName(
      "STO-03, STO-04, VEC-05: artifacts and notes similar to a text are found by similarity, limited")
  void whatIsSimilarIsFound() {
    Scope scope = scopeOf(start());
    Artifact same = make(scope, "the zebra sleeps standing");
    Artifact near = make(scope, "the zebra sleeps lying");
    make(scope, "quarterly revenue fell");
    Note note = remember("the zebra sleeps standing up", "zoo");
    remember("quarterly revenue rose", "bank");
    embed();
    List<SearchHit> artifacts = similar(Artifact.TABLE.name(), 2);
    assertThat(artifacts)
        .extracting(SearchHit::key)
        .containsExactly(same.id().toString(), near.id().toString());
    assertThat(artifacts.getFirst().similarity().getAsDouble())
        .isGreaterThan(artifacts.getLast().similarity().getAsDouble());
    assertThat(similar(Note.TABLE.name(), 1))
        .extracting(SearchHit::key)
        .containsExactly(note.id().toString());
  }

  private List<SearchHit> similar(String table, int limit) {
    return index()
        .search(
            SearchQuery.of(SPACE, "the zebra sleeps standing", limit)
                .withTables(table)
                .withWeights(Map.of(SearchChannel.LEXICAL, 0.0)))
        .hits();
  }

  @Test
  @DisplayName("a found note also returns the note that it contradicts")
  void aNoteBringsTheOneThatItContradicts() {
    Note oslo = learn("Alice lives in Oslo.");
    Note rome = learn("Alice lives in Rome.");
    assertThat(rome.conflictsWith()).containsExactly(oslo.id());
    SearchQuery query =
        SearchQuery.of(SPACE, "oslo", 5)
            .withWeights(Map.of(SearchChannel.DENSE, 0.0, SearchChannel.LINKS, 0.5))
            .withSequence(store.changes().head(SPACE).sequence());
    assertThat(index().search(query).hits())
        .extracting(SearchHit::key)
        .containsExactly(oslo.id().toString(), rome.id().toString());
  }

  @Test
  void whatNoLongerHoldsIsNotAnswered() {
    Scope scope = scopeOf(start());
    Note paris = learn("Alice lives in Paris.");
    run(
        CreateArtifacts.of(
            NewArtifact.of(scope.id(), ArtifactType.FACT, Bytes.of("Alice was here"))
                .withTtl(Ttl.of(Duration.ofMinutes(1)))));
    RecallQuery query = RecallQuery.of("Alice", 10);
    assertThat(recall(query)).hasSize(2);
    pass(Duration.ofMinutes(2));
    assertThat(recall(query)).containsExactly("Alice lives in Paris.");
    Instant then = clock.instant();
    pass(Duration.ofMinutes(2));
    run(
        new SupersedeNote(
            paris.id(), WriteNote.of("alice", "person", NoteType.FACT, "Alice lives in Rome.")));
    assertThat(recall(query)).containsExactly("Alice lives in Rome.");
    assertThat(recall(query.withAsOf(then))).containsExactly("Alice lives in Paris.");
  }

  @Test
  void whatIsForgottenIsNotFound() {
    Note secret = remember("The password is swordfish.", "alice");
    assertThat(recall(RecallQuery.of("swordfish", 5))).hasSize(1);
    memory.forget(SPACE, ForgetRecords.of(secret.id()));
    assertThat(recall(RecallQuery.of("swordfish", 5))).isEmpty();
  }
}
