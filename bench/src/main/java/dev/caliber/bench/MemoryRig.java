package dev.caliber.bench;

import dev.caliber.kernel.Chance;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.Ids;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.TokenEstimate;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.langchain4j.CaliberMemory;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryConfig;
import dev.caliber.memory.MemoryParts;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.CreateArtifact;
import dev.caliber.memory.command.CreateArtifacts;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.OpenScope;
import dev.caliber.memory.command.Remember;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.spi.TokenCounter;
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

/** A memory with so many turns, open for measuring, and the store under it. */
final class MemoryRig implements AutoCloseable {

  private static final SpaceId SPACE = SpaceId.DEFAULT;
  private static final long SEED = 42;
  private static final int LOADS_SHOWN = 10;

  /**
   * So many times every trajectory is gone through while loading, as work that goes on together.
   */
  private static final int ROUNDS = 10;

  private final StoreConfig config;
  private final RecordStore store;
  private final Memory memory;
  private final Entries entries;
  private final List<Id> scopes = new ArrayList<>();
  private final AtomicLong made = new AtomicLong();

  MemoryRig(StoreConfig.EngineConfig engine) {
    config = StoreConfig.starter().withEngine(engine);
    Ids ids = Ids.of(Stopwatch.clock(), Chance.system());
    List<Table<?>> tables = new ArrayList<>(CaliberMemory.tables());
    tables.add(Entry.TABLE);
    store = RecordStore.open(config, tables, Stopwatch.clock(), ids);
    entries = new Entries(1, Ids.of(Stopwatch.clock(), Chance.seeded(SEED)));
    RuntimeConfig runtime = RuntimeConfig.starter();
    TokenEstimate estimate = new TokenEstimate(runtime.context().bytesPerToken());
    memory =
        Memory.of(
            store,
            MemoryConfig.starter(),
            MemoryParts.plain(Stopwatch.clock(), runtime, TokenCounter.estimate(estimate)));
  }

  /** Closes it, which writes its log back, and opens it again with what it knows. */
  MemoryRig reopened() {
    close();
    MemoryRig again = new MemoryRig(config.engine());
    again.scopes.addAll(scopes);
    return again;
  }

  /** Fills it, a few turns of each trajectory at a time. */
  MemoryRig load(MemorySize size, Progress progress) {
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
          progress.say("loaded %,d of %,d turns".formatted(done, size.turns()));
        }
      }
    }
    return this;
  }

  /** A new trajectory with one scope. */
  Id newScope() {
    EntityRef agent = EntityRef.agent("bench");
    Id trajectory = memory.run(SPACE, StartTrajectory.of("Answer questions", agent)).id();
    return memory.run(SPACE, new OpenScope(trajectory)).id();
  }

  void append(Id scope) {
    append(scope, 1);
  }

  private void append(Id scope, int count) {
    List<NewTurn> turns = Stream.generate(() -> NewTurn.user(text())).limit(count).toList();
    memory.run(SPACE, new AppendTurns(scope, turns));
  }

  /** To one of the trajectories that were loaded. */
  void appendToAny(Chance chance) {
    append(any(chance));
  }

  /** The newest turns of one of the trajectories that were loaded. */
  int readAny(Chance chance, int limit) {
    Id scope = any(chance);
    return memory.view(SPACE, view -> view.lastTurns(scope, limit)).size();
  }

  private Id any(Chance chance) {
    return scopes.get(chance.nextInt(scopes.size()));
  }

  /** The store's own commit: one record with three indexes, of the same text. */
  void commit() {
    Entry entry = entries.next();
    store.write(
        SPACE,
        transaction -> {
          transaction.insert(Entry.TABLE, entry);
          return true;
        });
  }

  void makeArtifact(Id scope, String content) {
    memory.run(
        SPACE, CreateArtifacts.of(CreateArtifact.of(scope, ArtifactType.FACT, Bytes.of(content))));
  }

  void remember(String about) {
    memory.remember(SPACE, Remember.of(newText()).about(about));
  }

  /** As long as an entry of the bench. */
  private String text() {
    return entries.next().text();
  }

  /** A text that nobody has said. */
  String newText() {
    return made.incrementAndGet() + " " + text();
  }

  int turnBytes() {
    return text().length();
  }

  /** The same memory in LangChain4j's words. */
  CaliberMemory langChain() {
    return CaliberMemory.over(store, memory, MemoryConfig.starter(), SPACE);
  }

  /** What lies on the disk, where it can be seen. */
  OptionalLong bytes() {
    if (!(config.engine() instanceof StoreConfig.Sqlite sqlite)) {
      return OptionalLong.empty();
    }
    try (Stream<Path> files = Files.list(sqlite.directory())) {
      long bytes = 0;
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        bytes += Files.size(file);
      }
      return OptionalLong.of(bytes);
    } catch (IOException e) {
      throw BenchException.preparing("Measuring the store's files", e);
    }
  }

  @Override
  public void close() {
    store.close();
  }
}
