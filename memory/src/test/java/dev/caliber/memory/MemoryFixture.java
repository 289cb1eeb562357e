package dev.caliber.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.IdGenerator;
import dev.caliber.kernel.RandomSource;
import dev.caliber.kernel.TokenEstimator;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.Command;
import dev.caliber.memory.command.CreateArtifacts;
import dev.caliber.memory.command.NewArtifact;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.command.WriteNote;
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
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.memory.view.MemoryDependencies;
import dev.caliber.store.Query;
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
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;

/** Memory on the engine under test. */
public abstract class MemoryFixture extends StoreFixture {
  public static final EntityRef PLANNER = EntityRef.agent("planner");
  public static final TokenCounter COUNTER = TokenCounter.estimate(new TokenEstimator(4));

  public RecordStore store;
  public Memory memory;

  @BeforeEach
  final void openMemory() {
    store =
        open(
            this::stored,
            Stream.of(Memory.tables(), SearchIndexes.tables())
                .flatMap(List::stream)
                .toArray(Table<?>[]::new));
    memory = Memory.of(store, config(MemoryConfig.starter()), parts());
  }

  public StoreConfig stored(StoreConfig starter) {
    return starter;
  }

  public MemoryConfig config(MemoryConfig starter) {
    return starter;
  }

  public MemoryDependencies parts() {
    return MemoryDependencies.minimal(clock, RuntimeConfig.starter(), COUNTER);
  }

  /** Opens an index with long timeouts for slow machines. */
  public final SearchIndex openIndex(Path directory, Embedder embedder, Jobs jobs) {
    SearchConfig patient =
        SearchConfig.starter().with("search.commit-wait-timeout = '2m'").withDirectory(directory);
    return SearchIndexes.open(
        new SearchIndex.SearchDependencies(
            store,
            config(),
            patient,
            Memory.searchableMemoryRecords(),
            clock,
            IdGenerator.of(clock, RandomSource.seeded(SEED))),
        Optional.of(embedder),
        jobs);
  }

  public <R> R run(Command<R> command) {
    return memory.run(SPACE, command);
  }

  public Trajectory start() {
    return run(StartTrajectory.of("Mend the build", PLANNER));
  }

  public Trajectory read(Trajectory trajectory) {
    return memory.view(SPACE, view -> view.trajectory(trajectory.id()));
  }

  public Scope scopeOf(Trajectory trajectory) {
    return memory.view(SPACE, view -> view.currentScope(trajectory.id())).orElseThrow();
  }

  public Turn say(Scope scope, String words) {
    return run(AppendTurns.of(scope.id(), NewTurn.user(words))).getFirst();
  }

  public Artifact make(Scope scope, String content) {
    return run(CreateArtifacts.of(NewArtifact.of(scope.id(), ArtifactType.FACT, Bytes.of(content))))
        .getFirst();
  }

  public Note learn(String content) {
    return run(WriteNote.of("alice", "person", NoteType.FACT, content));
  }

  public Id unknown() {
    return Id.derivedFrom("test", "unknown");
  }

  public void pass(Duration time) {
    clock.advance(time);
  }

  /** Returns all stored records as text by table and key. */
  public Map<String, String> everything() {
    Map<String, String> all = new TreeMap<>();
    for (Table<?> table : Memory.tables()) {
      collect(table, all);
    }
    return all;
  }

  private <T> void collect(Table<T> table, Map<String, String> all) {
    List<T> records =
        store.read(SPACE, snapshot -> snapshot.scan(Query.over(table), 1000)).records();
    for (int i = 0; i < records.size(); i++) {
      all.put(table.name() + " " + i, records.get(i).toString());
    }
  }

  /** Asserts that the call is refused with this code and writes nothing. */
  public void refuses(ErrorCode code, ThrowingCallable call) {
    Map<String, String> before = everything();
    long sequence = store.changes().head(SPACE).sequence();
    CaliberException refusal = catchThrowableOfType(CaliberException.class, call);
    assertThat(refusal).as("a refusal").isNotNull();
    assertThat(refusal.code()).isEqualTo(code);
    assertThat(everything()).isEqualTo(before);
    assertThat(store.changes().head(SPACE).sequence()).isEqualTo(sequence);
  }
}
