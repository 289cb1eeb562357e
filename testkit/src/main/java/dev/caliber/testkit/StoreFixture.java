package dev.caliber.testkit;

import dev.caliber.kernel.IdGenerator;
import dev.caliber.kernel.RandomSource;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.Table;
import dev.caliber.store.jdbc.Stores;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;

/**
 * Fixture that opens stores on the engine under test and closes them after each test. A class that
 * runs on several engines is annotated with {@link EachEngine}.
 */
public abstract class StoreFixture {

  protected static final SpaceId SPACE = SpaceId.DEFAULT;
  protected static final SpaceId OTHER = new SpaceId("other");

  /** Seed of ids, printed on failure; the same seed gives the same ids. */
  protected static final long SEED = Seed.VALUE;

  protected final ManualClock clock = new ManualClock();

  /** Directory of the store of an engine that has files. */
  @TempDir protected Path storeDirectory;

  @Parameter @Nullable TestEngine testEngine;

  private StoreConfig.@Nullable EngineSettings location;
  private final List<RecordStore> opened = new ArrayList<>();
  private int generation;

  /** Returns the location of this test's store. A class of one fixed location overrides this. */
  protected StoreConfig.EngineSettings engine() {
    if (location == null) {
      location = testEngine().emptyLocation(storeDirectory);
    }
    return location;
  }

  protected final TestEngine testEngine() {
    return Objects.requireNonNull(testEngine, "The class is not annotated with @EachEngine");
  }

  protected final StoreConfig config() {
    return StoreConfig.starter().withEngine(engine());
  }

  protected final RecordStore open(Table<?>... tables) {
    return open(UnaryOperator.identity(), tables);
  }

  protected final RecordStore open(UnaryOperator<StoreConfig> change, Table<?>... tables) {
    StoreConfig config = change.apply(config());
    IdGenerator ids = IdGenerator.of(clock, RandomSource.seeded(SEED + generation + opened.size()));
    RecordStore store =
        testEngine == null
            ? Stores.open(config, List.of(tables), clock, ids)
            : testEngine.open(config, List.of(tables), clock, ids);
    opened.add(store);
    return store;
  }

  /** Closes open stores, so that the store can be opened with other declarations. */
  protected final void closeStores() {
    closeAll(testEngine == null ? RecordStore::close : testEngine::closeNow);
  }

  @AfterEach
  final void releaseStores() {
    closeAll(testEngine == null ? RecordStore::close : testEngine::release);
  }

  private void closeAll(Consumer<RecordStore> close) {
    opened.forEach(close);
    generation += opened.size();
    opened.clear();
  }
}
