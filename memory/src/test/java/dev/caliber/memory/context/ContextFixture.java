package dev.caliber.memory.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.IdGenerator;
import dev.caliber.kernel.RandomSource;
import dev.caliber.kernel.TokenEstimator;
import dev.caliber.kernel.config.ComparisonOperator;
import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.kernel.config.ContextConfig;
import dev.caliber.kernel.config.ContextIntegrityConfig;
import dev.caliber.kernel.config.Filter;
import dev.caliber.kernel.config.FilterValue;
import dev.caliber.kernel.config.InjectionMode;
import dev.caliber.kernel.config.InjectionRule;
import dev.caliber.kernel.config.MemoryDefinition;
import dev.caliber.kernel.config.MemoryType;
import dev.caliber.kernel.config.Retention;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.CreateArtifacts;
import dev.caliber.memory.command.NewArtifact;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.context.window.AssembleRequest;
import dev.caliber.memory.context.window.LedgerLine;
import dev.caliber.memory.deployment.Deployments;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.memory.spi.TokenCounters;
import dev.caliber.memory.view.DeployedConfigs;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.memory.view.MemoryDependencies;
import dev.caliber.store.ProgressListener;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.Table;
import dev.caliber.store.job.Jobs;
import dev.caliber.store.search.SearchConfig;
import dev.caliber.store.search.SearchIndex;
import dev.caliber.store.search.index.SearchIndexes;
import dev.caliber.store.spi.Embedder;
import dev.caliber.testkit.StoreFixture;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Memory, its index and an assembler on the engine under test. */
public abstract class ContextFixture extends StoreFixture {
  /** A token is four bytes, and joining costs nothing. */
  public static final TokenCounter COUNTER = TokenCounter.estimate(new TokenEstimator(4));

  @TempDir public Path indexes;

  public RecordStore store;
  public Memory memory;
  public ContextAssembler assembler;
  public Optional<CompiledConfig> deployed = Optional.empty();
  private Optional<WatchedIndex> search = Optional.empty();
  private int generation;

  @BeforeEach
  final void openAll() {
    store = openStore();
    search = Optional.of(new WatchedIndex(index()));
    MemoryDependencies parts = parts(starter());
    memory = Memory.of(store, MemoryConfig.starter(), parts);
    assembler = ContextAssembler.of(store, MemoryConfig.starter(), parts, TokenCounters.none());
  }

  public static ContextConfig starter(String... lines) {
    return RuntimeConfig.starter().with(lines).context();
  }

  private RecordStore openStore() {
    return open(
        Stream.of(
                Memory.tables(),
                SearchIndexes.tables(),
                ContextAssembler.tables(),
                Deployments.tables())
            .flatMap(List::stream)
            .toArray(Table<?>[]::new));
  }

  /** Opens the store with other settings. */
  public final void use(ContextConfig context) {
    assembler =
        ContextAssembler.of(store, MemoryConfig.starter(), parts(context), TokenCounters.none());
  }

  /** Opens the store with other tokenizers. */
  public final void use(TokenCounters counters) {
    assembler = ContextAssembler.of(store, MemoryConfig.starter(), parts(starter()), counters);
  }

  /** Opens the store with other settings of ancestors. */
  final void useDag(String... lines) {
    assembler =
        ContextAssembler.of(
            store,
            MemoryConfig.starter(),
            parts(starter(), RuntimeConfig.starter().with(lines).pcp()),
            TokenCounters.none());
  }

  private MemoryDependencies parts(ContextConfig context) {
    return parts(context, RuntimeConfig.starter().pcp());
  }

  private MemoryDependencies parts(ContextConfig context, ContextIntegrityConfig pcp) {
    RuntimeConfig starter = RuntimeConfig.starter();
    RuntimeConfig runtime =
        new RuntimeConfig(context, pcp, starter.memory(), starter.coordination());
    return MemoryDependencies.minimal(clock, runtime, COUNTER)
        .withSearch(search.orElseThrow())
        .withDeployedConfigs(policies())
        .withCleanup(ContextAssembler.cleanupStep())
        .withForgetListener(ContextAssembler.forgetListener());
  }

  /** Returns the deployed configuration of the space; tests may override it. */
  DeployedConfigs policies() {
    return _ -> deployed;
  }

  final void reopen() {
    closeSearch();
    closeStores();
    openAll();
  }

  public final WatchedIndex search() {
    return search.orElseThrow();
  }

  /** Returns no embedder, so that only words are compared; tests may override it. */
  public Optional<Embedder> embedder() {
    return Optional.empty();
  }

  /** Embeds all pending texts. */
  public final void embed() {
    search().awaitSequence(SPACE, store.changes().head(SPACE).sequence());
    search().embedPending(SPACE, ProgressListener.NONE);
  }

  /** Reopens the index with the current embedder. */
  public final void openIndexAgain() {
    closeSearch();
    search = Optional.of(new WatchedIndex(index()));
    use(starter());
  }

  final void rebuildIndex() {
    search.orElseThrow().rebuild(SPACE, ProgressListener.NONE);
  }

  private SearchIndex index() {
    return index(store, config(), indexes.resolve("index"));
  }

  /** Returns an index that waits until it has seen everything. */
  final SearchIndex index(RecordStore of, StoreConfig stored, Path directory) {
    SearchConfig patient =
        SearchConfig.starter()
            .with(
                "search.embedding.before-search-limit = 0",
                "search.commit-wait-timeout = '2m'",
                "search.migration = 'command'")
            .withDirectory(directory);
    return SearchIndexes.open(
        new SearchIndex.SearchDependencies(
            of,
            stored,
            patient,
            Memory.searchableMemoryRecords(),
            clock,
            IdGenerator.of(clock, RandomSource.seeded(SEED + generation++))),
        embedder(),
        Jobs.of(of, stored.jobs(), clock));
  }

  @AfterEach
  final void closeSearch() {
    search.ifPresent(SearchIndex::close);
    search = Optional.empty();
  }

  public final void deploy(InjectionRule... rules) {
    deployed =
        Optional.of(
            new CompiledConfig(
                "1.0",
                List.of(
                    memory("turn_buffer", MemoryType.EPHEMERAL),
                    memory("scopes", MemoryType.WORKING),
                    memory("artifacts_made", MemoryType.EPISODIC),
                    memory("notes", MemoryType.SEMANTIC),
                    memory("facts", MemoryType.SEMANTIC),
                    memory("persona", MemoryType.SEMANTIC),
                    memory("knowledge", MemoryType.SEMANTIC),
                    memory("system", MemoryType.SEMANTIC),
                    memory("frame", MemoryType.SEMANTIC)),
                List.of(),
                List.of(rules),
                List.of()));
  }

  public static MemoryDefinition memory(String name, MemoryType type) {
    return new MemoryDefinition(
        name,
        type,
        List.of(),
        new Retention.PersistentRetention(),
        Optional.empty(),
        List.of(),
        List.of(),
        Optional.empty(),
        List.of());
  }

  public static InjectionRule rule(String memory, InjectionMode mode, int priority, int tokens) {
    return new InjectionRule(memory, "context", mode, priority, tokens, Optional.empty());
  }

  public static InjectionRule filtered(String memory, InjectionMode mode, Filter filter) {
    return new InjectionRule(memory, "context", mode, 50, 4000, Optional.of(filter));
  }

  public static Filter compare(
      String field, ComparisonOperator comparisonOperator, FilterValue value) {
    return new Filter.ComparisonFilter(field, comparisonOperator, value);
  }

  public static AssembleRequest ask(Trajectory trajectory, String query) {
    return AssembleRequest.of(trajectory.id()).withQuery(query);
  }

  public static ContextConfig instructed(String instructions) {
    return starter("context.system-instructions = '%s'".formatted(instructions));
  }

  public final Trajectory start() {
    return memory.run(SPACE, StartTrajectory.of("Mend the build", EntityRef.agent("planner")));
  }

  public final Scope scopeOf(Trajectory trajectory) {
    return memory.view(SPACE, view -> view.currentScope(trajectory.id())).orElseThrow();
  }

  public final Turn say(Scope scope, NewTurn turn) {
    clock.advance(Duration.ofSeconds(1));
    return memory.run(SPACE, AppendTurns.of(scope.id(), turn)).getFirst();
  }

  public final Turn say(Scope scope, String words) {
    return say(scope, NewTurn.user(words));
  }

  public final Artifact make(Scope scope, String content) {
    return make(scope, Bytes.of(content));
  }

  public final Artifact make(Scope scope, Bytes content) {
    clock.advance(Duration.ofSeconds(1));
    return memory
        .run(SPACE, CreateArtifacts.of(NewArtifact.of(scope.id(), ArtifactType.FACT, content)))
        .getFirst();
  }

  public final Note learn(String entity, String content) {
    clock.advance(Duration.ofSeconds(1));
    return memory.run(SPACE, WriteNote.of(entity, "person", NoteType.FACT, content));
  }

  public final AssembledWindow assemble(AssembleRequest request) {
    return assembler.assemble(SPACE, request);
  }

  public final AssembledWindow assemble(Trajectory trajectory) {
    return assemble(AssembleRequest.of(trajectory.id()));
  }

  public static LedgerLine line(AssembledWindow made, Id id) {
    return made.window().ledger().stream()
        .filter(line -> line.candidate().id().equals(id))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no candidate " + id));
  }

  public static boolean offers(AssembledWindow made, Id id) {
    return made.window().ledger().stream().anyMatch(line -> line.candidate().id().equals(id));
  }

  /** Asserts that the call is refused with this code and writes nothing. */
  public final void refuses(ErrorCode code, ThrowingCallable call) {
    long sequence = store.changes().head(SPACE).sequence();
    CaliberException refusal = catchThrowableOfType(CaliberException.class, call);
    assertThat(refusal).as("a refusal").isNotNull();
    assertThat(refusal.code()).isEqualTo(code);
    assertThat(store.changes().head(SPACE).sequence()).isEqualTo(sequence);
  }
}
