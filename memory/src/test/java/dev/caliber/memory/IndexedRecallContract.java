package dev.caliber.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Chance;
import dev.caliber.kernel.Ids;
import dev.caliber.memory.Recollection.Hit;
import dev.caliber.store.Jobs;
import dev.caliber.store.search.SearchConfig;
import dev.caliber.store.search.SearchIndex;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recall from the search index, on whatever engine. */
abstract class IndexedRecallContract extends MemoryFixture {
  @TempDir Path indexes;

  private Optional<SearchIndex> search = Optional.empty();

  @Override
  MemoryParts parts() {
    SearchConfig starter = SearchConfig.starter();
    SearchConfig patient =
        starter.withGeneral(
            new SearchConfig.General(
                indexes,
                Duration.ofMinutes(2),
                starter.general().limitMax(),
                starter.general().migration()));
    SearchIndex index =
        SearchIndex.open(
            new SearchIndex.Parts(
                store,
                config(),
                patient,
                Memory.searchables(),
                clock,
                Ids.of(clock, Chance.seeded(SEED))),
            Optional.empty(),
            Jobs.of(store, config().jobs(), clock));
    search = Optional.of(index);
    return super.parts().withSearch(index);
  }

  @AfterEach
  final void closeSearch() {
    search.ifPresent(SearchIndex::close);
  }

  private List<String> recall(RecallQuery query) {
    Recollection found = memory.recall(SPACE, query);
    assertThat(found.method()).isEqualTo(query.asOf().isPresent() ? "scan" : "index");
    return found.hits().stream().map(Hit::text).toList();
  }

  private Note remember(String text, String subject) {
    return memory.remember(SPACE, Remember.of(text).forSubject(subject));
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
  void filtersHold() {
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
  void whatNoLongerHoldsIsNotAnswered() {
    Scope scope = scopeOf(start());
    Note paris = learn("Alice lives in Paris.");
    run(
        CreateArtifacts.of(
            CreateArtifact.of(scope.id(), ArtifactType.FACT, Bytes.of("Alice was here"))
                .living(Ttl.of(Duration.ofMinutes(1)))));
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
    assertThat(recall(query.asOf(then))).containsExactly("Alice lives in Paris.");
  }

  @Test
  void whatIsForgottenIsNotFound() {
    Note secret = remember("The password is swordfish.", "alice");
    assertThat(recall(RecallQuery.of("swordfish", 5))).hasSize(1);
    memory.forget(SPACE, Forget.of(secret.id()));
    assertThat(recall(RecallQuery.of("swordfish", 5))).isEmpty();
  }
}
