package dev.caliber.memory.pcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.IdGenerator;
import dev.caliber.kernel.RandomSource;
import dev.caliber.kernel.TokenEstimator;
import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.kernel.config.ContextConfig;
import dev.caliber.kernel.config.ContextIntegrityConfig;
import dev.caliber.kernel.config.PolicyAction;
import dev.caliber.kernel.config.PolicyDefinition;
import dev.caliber.kernel.config.PolicyRule;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.kernel.config.Trigger;
import dev.caliber.memory.Memory;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.CreateArtifacts;
import dev.caliber.memory.command.NewArtifact;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.RunPolicy;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.context.AssembledWindow;
import dev.caliber.memory.context.ContextAssembler;
import dev.caliber.memory.context.window.AssembleRequest;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.ExtractionMethod;
import dev.caliber.memory.record.Provenance;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.memory.spi.TokenCounters;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.memory.view.MemoryDependencies;
import dev.caliber.store.ProgressListener;
import dev.caliber.store.RecordStore;
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
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Memory, its assembler and integrity checks on the engine under test. */
abstract class GuardianFixture extends StoreFixture {
  private static final TokenCounter COUNTER = TokenCounter.estimate(new TokenEstimator(4));
  private static final MemoryConfig CONFIG = MemoryConfig.starter();
  private static final int DIMENSIONS = 64;

  @TempDir Path indexes;

  RecordStore store;
  Memory memory;
  ContextAssembler assembler;
  ContextIntegrity guardian;
  private Optional<SearchIndex> index = Optional.empty();
  private ContextConfig context = RuntimeConfig.starter().context();
  private Optional<CompiledConfig> deployed = Optional.empty();

  @BeforeEach
  final void openAll() {
    store =
        open(
            Stream.of(
                    Memory.tables(),
                    SearchIndexes.tables(),
                    ContextAssembler.tables(),
                    ContextIntegrity.tables())
                .flatMap(List::stream)
                .toArray(Table<?>[]::new));
    MemoryDependencies parts = parts(pcp());
    memory = Memory.of(store, CONFIG, parts);
    assembler = ContextAssembler.of(store, CONFIG, parts, TokenCounters.none());
    guardian =
        ContextIntegrity.of(
            new ContextIntegrity.ContextIntegrityDependencies(store, memory, assembler),
            CONFIG,
            parts);
  }

  static ContextIntegrityConfig pcp() {
    return RuntimeConfig.starter().pcp();
  }

  /** Opens the store with other settings. */
  final void use(ContextIntegrityConfig pcp) {
    use(CONFIG, pcp);
  }

  final void use(MemoryConfig config) {
    use(config, pcp());
  }

  private void use(MemoryConfig config, ContextIntegrityConfig pcp) {
    MemoryDependencies parts = parts(pcp);
    memory = Memory.of(store, config, parts);
    assembler = ContextAssembler.of(store, config, parts, TokenCounters.none());
    guardian =
        ContextIntegrity.of(
            new ContextIntegrity.ContextIntegrityDependencies(store, memory, assembler),
            config,
            parts);
  }

  final void instruct(String instructions) {
    context =
        new ContextConfig(
            context.tokenBudget(),
            instructions,
            context.bytesPerToken(),
            context.fillRatio(),
            context.relevance(),
            context.persistence(),
            context.priorities(),
            context.assembly());
    use(pcp());
  }

  /** Runs a policy by hand, while one is deployed. */
  final void runPolicy(Trajectory task) {
    PolicyRule rule =
        new PolicyRule(
            new Trigger.EventTrigger(Trigger.TrajectoryTriggerEvent.TASK_END),
            List.of(new PolicyAction.NotifyAction("told")));
    deployed =
        Optional.of(
            new CompiledConfig(
                "1.0",
                List.of(),
                List.of(new PolicyDefinition("tell", List.of(rule))),
                List.of(),
                List.of()));
    memory.run(SPACE, RunPolicy.forTrajectory(task.id(), "tell", "once"));
    deployed = Optional.empty();
  }

  /** Runs the due jobs. */
  final void work() {
    Jobs jobs = Jobs.of(store, config().jobs(), clock);
    guardian.registerJobHandlers(jobs);
    jobs.runDue(SPACE);
    jobs.close();
  }

  final ContextIntegrity guardianOver(ContextAssembler other) {
    return ContextIntegrity.of(
        new ContextIntegrity.ContextIntegrityDependencies(store, memory, other),
        CONFIG,
        parts(pcp()));
  }

  private MemoryDependencies parts(ContextIntegrityConfig pcp) {
    RuntimeConfig starter = RuntimeConfig.starter();
    RuntimeConfig runtime =
        new RuntimeConfig(context, pcp, starter.memory(), starter.coordination());
    MemoryDependencies plain =
        MemoryDependencies.minimal(clock, runtime, COUNTER)
            .withDeployedConfigs(_ -> deployed)
            .withCleanup(ContextAssembler.cleanupStep())
            .withCleanup(ContextIntegrity.cleanupStep())
            .withForgetListener(ContextAssembler.forgetListener())
            .withForgetListener(ContextIntegrity.forgetListener())
            .withInspector(ContextIntegrity.inspector(pcp))
            .withCheckpointListener(ContextIntegrity.checkpointListener());
    return index.map(plain::withSearch).orElse(plain);
  }

  static ContextIntegrityConfig with(String... lines) {
    return RuntimeConfig.starter().with(lines).pcp();
  }

  /** Opens an index with vectors of hashed words from now on. */
  final void index() {
    SearchConfig patient =
        SearchConfig.starter()
            .with("search.commit-wait-timeout = '2m'")
            .withDirectory(indexes.resolve("index"));
    SearchIndex opened =
        SearchIndexes.open(
            new SearchIndex.SearchDependencies(
                store,
                config(),
                patient,
                Memory.searchableMemoryRecords(),
                clock,
                IdGenerator.of(clock, RandomSource.seeded(SEED))),
            Optional.of(Embedder.hashing(DIMENSIONS)),
            Jobs.of(store, config().jobs(), clock));
    index = Optional.of(opened);
    use(pcp());
  }

  final void embed() {
    SearchIndex opened = index.orElseThrow();
    opened.awaitSequence(SPACE, store.changes().head(SPACE).sequence());
    opened.embedPending(SPACE, ProgressListener.NONE);
  }

  @AfterEach
  final void closeSearch() {
    index.ifPresent(SearchIndex::close);
  }

  final Trajectory start() {
    return memory.run(SPACE, StartTrajectory.of("Mend the build", EntityRef.agent("planner")));
  }

  final Scope scopeOf(Trajectory trajectory) {
    return memory.view(SPACE, view -> view.currentScope(trajectory.id())).orElseThrow();
  }

  final void pass(Duration time) {
    clock.advance(time);
  }

  final Turn say(Trajectory task, String words) {
    pass(Duration.ofSeconds(1));
    return memory.run(SPACE, AppendTurns.of(scopeOf(task).id(), NewTurn.user(words))).getFirst();
  }

  /** Creates a fact with a source and this confidence. */
  final Artifact fact(Trajectory task, String words, double confidence) {
    return make(
        task,
        ArtifactType.FACT,
        words,
        new Provenance(
            Optional.of(0), ExtractionMethod.INFERRED, Optional.of(confidence), List.of()));
  }

  final Artifact make(Trajectory task, ArtifactType type, String words, Provenance provenance) {
    pass(Duration.ofSeconds(1));
    return memory
        .run(
            SPACE,
            CreateArtifacts.of(
                NewArtifact.of(scopeOf(task).id(), type, Bytes.of(words))
                    .withProvenance(provenance)))
        .getFirst();
  }

  final AssembledWindow assemble(Trajectory task) {
    return assembler.assemble(SPACE, AssembleRequest.of(task.id()));
  }

  /** Starts a task with this number of turns. */
  final Trajectory tell(int turns) {
    Trajectory task = start();
    IntStream.range(0, turns).forEach(i -> say(task, "This is what was said as number " + i));
    return task;
  }

  final Checkpoint checkpoint(Trajectory task) {
    pass(Duration.ofSeconds(1));
    return guardian.saveCheckpoint(SPACE, task.id());
  }

  static void refuses(ErrorCode code, Runnable call) {
    assertThat(catchThrowableOfType(CaliberException.class, call::run).code()).isEqualTo(code);
  }
}
