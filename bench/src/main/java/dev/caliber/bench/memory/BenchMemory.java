package dev.caliber.bench.memory;

import dev.caliber.bench.harness.BenchEntry;
import dev.caliber.bench.harness.BenchException;
import dev.caliber.bench.harness.EntryGenerator;
import dev.caliber.bench.harness.IndexedStore;
import dev.caliber.bench.harness.ProgressPrinter;
import dev.caliber.bench.harness.Stopwatch;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.IdGenerator;
import dev.caliber.kernel.RandomSource;
import dev.caliber.kernel.SpaceId;
import dev.caliber.langchain4j.CaliberMemory;
import dev.caliber.memory.Memory;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.CreateArtifacts;
import dev.caliber.memory.command.NewArtifact;
import dev.caliber.memory.command.NewNote;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.OpenScope;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** A memory with a number of turns, open for measuring, and its store. */
final class BenchMemory implements AutoCloseable {

  private static final SpaceId SPACE = SpaceId.DEFAULT;
  private static final long SEED = 42;
  private static final int LOADS_SHOWN = 10;

  /** Times that loading visits every trajectory, like work on many tasks in parallel. */
  private static final int ROUNDS = 10;

  private final StoreConfig.EngineSettings engine;
  private final RecordStore store;
  private final Memory memory;
  private final EntryGenerator entryGenerator;
  private final List<Id> scopes = new ArrayList<>();
  private final AtomicLong made = new AtomicLong();

  BenchMemory(StoreConfig.EngineSettings engine) {
    this.engine = engine;
    List<Table<?>> tables = new ArrayList<>(CaliberMemory.tables());
    tables.add(BenchEntry.TABLE);
    store = IndexedStore.openPlain(engine, tables);
    entryGenerator =
        new EntryGenerator(1, IdGenerator.of(Stopwatch.clock(), RandomSource.seeded(SEED)));
    memory = Memory.of(store, MemoryConfig.starter(), IndexedStore.plainDependencies());
  }

  /** Closes the store, which writes its log back, and opens it again. */
  BenchMemory reopened() {
    close();
    BenchMemory again = new BenchMemory(engine);
    again.scopes.addAll(scopes);
    return again;
  }

  /** Fills the memory, a few turns of each trajectory at a time. */
  BenchMemory load(MemorySize size, ProgressPrinter progressPrinter) {
    for (int i = 0; i < size.trajectories(); i++) {
      scopes.add(newScope());
    }
    int perCommit = Math.max(1, size.turns() / size.trajectories() / ROUNDS);
    int done = 0;
    int shown = Math.max(1, size.turns() / LOADS_SHOWN);
    while (done < size.turns()) {
      for (int i = 0; i < scopes.size() && done < size.turns(); i++) {
        int count = Math.min(perCommit, size.turns() - done);
        append(scopes.get(i), count);
        done += count;
        if (done % shown < count) {
          progressPrinter.printLine("loaded %,d of %,d turns".formatted(done, size.turns()));
        }
      }
    }
    return this;
  }

  /** Starts a new trajectory with one scope. */
  Id newScope() {
    EntityRef agent = EntityRef.agent("bench");
    Id trajectory = memory.run(SPACE, StartTrajectory.of("Answer questions", agent)).id();
    return memory.run(SPACE, new OpenScope(trajectory)).id();
  }

  void append(Id scope) {
    append(scope, 1);
  }

  private void append(Id scope, int count) {
    List<NewTurn> turns = Stream.generate(() -> NewTurn.user(entryText())).limit(count).toList();
    memory.run(SPACE, new AppendTurns(scope, turns));
  }

  /** Appends a turn to one of the loaded trajectories. */
  void appendToRandomTrajectory(RandomSource randomSource) {
    append(randomTrajectory(randomSource));
  }

  /** Reads the newest turns of one of the loaded trajectories. */
  int readRandomTrajectory(RandomSource randomSource, int limit) {
    Id scope = randomTrajectory(randomSource);
    return memory.view(SPACE, view -> view.lastTurns(scope, limit)).size();
  }

  private Id randomTrajectory(RandomSource randomSource) {
    return scopes.get(randomSource.nextInt(scopes.size()));
  }

  /** Runs a commit of the store itself: one record with three indexes and the same text. */
  void commitRawEntry() {
    BenchEntry benchEntry = entryGenerator.newEntry();
    store.commit(
        SPACE,
        transaction -> {
          transaction.insert(BenchEntry.TABLE, benchEntry);
        });
  }

  void makeArtifact(Id scope, String content) {
    memory.run(
        SPACE, CreateArtifacts.of(NewArtifact.of(scope, ArtifactType.FACT, Bytes.of(content))));
  }

  void remember(String about) {
    memory.remember(SPACE, NewNote.of(newText()).withAbout(about));
  }

  /** Returns a text as long as an entry of the bench. */
  private String entryText() {
    return entryGenerator.newEntry().text();
  }

  /** Returns a new text. */
  String newText() {
    return made.incrementAndGet() + " " + entryText();
  }

  int turnBytes() {
    return entryText().length();
  }

  /** Returns the same memory through LangChain4j's interface. */
  CaliberMemory asLangChainMemory() {
    return CaliberMemory.of(store, memory, MemoryConfig.starter(), SPACE);
  }

  /** Returns the size on the disk, if it can be read. */
  OptionalLong diskBytes() {
    if (!(engine instanceof StoreConfig.SqliteSettings sqliteSettings)) {
      return OptionalLong.empty();
    }
    try (Stream<Path> files = Files.list(sqliteSettings.directory())) {
      long bytes = 0;
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        bytes += Files.size(file);
      }
      return OptionalLong.of(bytes);
    } catch (IOException e) {
      throw BenchException.preparationFailed("Measuring the store's files", e);
    }
  }

  @Override
  public void close() {
    store.close();
  }
}
