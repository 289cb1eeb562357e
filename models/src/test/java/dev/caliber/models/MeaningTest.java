package dev.caliber.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.IdGenerator;
import dev.caliber.kernel.RandomSource;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.TokenEstimator;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.command.CreateArtifacts;
import dev.caliber.memory.command.NewArtifact;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.context.ContextAssembler;
import dev.caliber.memory.pcp.ContextIntegrity;
import dev.caliber.memory.pcp.Issue;
import dev.caliber.memory.pcp.IssueType;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.memory.spi.TokenCounters;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.memory.view.MemoryDependencies;
import dev.caliber.store.ProgressListener;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.jdbc.Stores;
import dev.caliber.store.job.Jobs;
import dev.caliber.store.search.SearchConfig;
import dev.caliber.store.search.SearchIndex;
import dev.caliber.store.search.SearchQuery;
import dev.caliber.store.search.index.SearchIndexes;
import dev.caliber.testkit.ManualClock;
import dev.caliber.testkit.TestEngines;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Texts that the in-process model takes for duplicates, with the shipped settings. */
final class MeaningTest {
  private static final SpaceId SPACE = SpaceId.DEFAULT;
  private static final StoreConfig STORE = StoreConfig.starter().withEngine(TestEngines.memory());
  private static final MemoryConfig CONFIG = MemoryConfig.starter();

  @TempDir Path directory;

  private final ManualClock clock = new ManualClock();
  private final IdGenerator idGenerator = IdGenerator.of(clock, RandomSource.seeded(1));
  private RecordStore store;
  private Models models;
  private SearchIndex index;
  private Memory memory;
  private ContextIntegrity contextIntegrity;
  private Trajectory task;

  @BeforeEach
  void open() {
    store =
        Stores.open(
            STORE,
            Stream.of(
                    Memory.tables(),
                    SearchIndexes.tables(),
                    ContextAssembler.tables(),
                    ContextIntegrity.tables())
                .flatMap(List::stream)
                .toList(),
            clock,
            idGenerator);
    models = Models.open(ModelsConfig.starter(), Map.of(), clock);
    index =
        SearchIndexes.open(
            new SearchIndex.SearchDependencies(
                store, STORE, patient(), Memory.searchableMemoryRecords(), clock, idGenerator),
            models.embedder(),
            Jobs.of(store, STORE.jobs(), clock));
    MemoryDependencies parts =
        MemoryDependencies.minimal(
                clock, RuntimeConfig.starter(), TokenCounter.estimate(new TokenEstimator(4)))
            .withSearch(index);
    memory = Memory.of(store, CONFIG, parts);
    ContextAssembler assembler = ContextAssembler.of(store, CONFIG, parts, TokenCounters.none());
    contextIntegrity =
        ContextIntegrity.of(
            new ContextIntegrity.ContextIntegrityDependencies(store, memory, assembler),
            CONFIG,
            parts);
    task = memory.run(SPACE, StartTrajectory.of("Paint", EntityRef.agent("painter")));
  }

  private SearchConfig patient() {
    return SearchConfig.starter()
        .with("search.embedding.before-search-limit = 0", "search.commit-wait-timeout = '2m'")
        .withDirectory(directory);
  }

  @AfterEach
  void close() {
    index.close();
    models.close();
    store.close();
  }

  private Id fact(String words) {
    clock.advance(Duration.ofSeconds(1));
    Id scope = memory.view(SPACE, view -> view.currentScope(task.id())).orElseThrow().id();
    return memory
        .run(SPACE, CreateArtifacts.of(NewArtifact.of(scope, ArtifactType.FACT, Bytes.of(words))))
        .getFirst()
        .id();
  }

  private void embed() {
    index.embedPending(SPACE, ProgressListener.NONE);
  }

  private static List<String> named(List<Issue> issues, IssueType type) {
    return issues.stream()
        .filter(issue -> issue.type() == type)
        .flatMap(issue -> issue.records().stream())
        .map(EntityRef::id)
        .toList();
  }

  @Test
  @DisplayName("PCP-21: another spelling of the same is a near duplicate, other colours are not")
  void nearDuplicates() {
    Id british = fact("The wall of the harbour is painted dark blue.");
    Id american = fact("The wall of the harbor is painted dark blue.");
    fact("The wall of the harbour is painted dark red.");
    fact("Zebras sleep standing in the garden.");
    embed();
    assertThat(
            named(contextIntegrity.lintTrajectory(SPACE, task.id()).issues(), IssueType.DUPLICATE))
        .containsExactly(british.toString(), american.toString());
  }

  @Test
  @DisplayName("PCP-11: facts with nearly the same meaning in other words are reported, unverified")
  void otherWords() {
    Id one = fact("The wall of the harbour is painted dark blue.");
    Id other = fact("The harbor wall has a dark blue coat of paint.");
    fact("The deployment on Friday failed because the disk was full.");
    embed();
    assertThat(named(contextIntegrity.validate(SPACE, task.id()).issues(), IssueType.CONTRADICTION))
        .containsExactly(one.toString(), other.toString());
  }

  @Test
  @DisplayName("PCP-21, PCP-11: a fact without a vector is not compared, and the report says so")
  void beforeItsVector() {
    fact("The wall of the harbour is painted dark blue.");
    embed();
    Id late = fact("The wall of the harbor is painted dark blue.");
    assertThat(contextIntegrity.lintArtifact(SPACE, late).issues())
        .extracting(Issue::type)
        .containsExactly(IssueType.DUPLICATE, IssueType.NOT_COMPARED);
    assertThat(contextIntegrity.validate(SPACE, task.id()).issues())
        .extracting(Issue::type)
        .contains(IssueType.NOT_COMPARED);
  }

  @Test
  @DisplayName("HNSW-08: a text has similarity 1 to itself, as a question it has less")
  void alike() {
    String text = "The wall of the harbour is painted dark blue.";
    fact(text);
    embed();
    SearchQuery query = SearchQuery.of(SPACE, text, 1);
    assertThat(similarity(query.forSimilarTexts())).isCloseTo(1, offset(1e-6));
    assertThat(similarity(query)).isLessThan(0.9);
  }

  private double similarity(SearchQuery query) {
    return index.search(query).hits().getFirst().similarity().orElseThrow();
  }
}
