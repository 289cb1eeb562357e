package dev.caliber.testkit;

import dev.caliber.kernel.IdGenerator;
import dev.caliber.kernel.RandomSource;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;

/** Fixture that opens stores on the engine under test and closes them after each test. */
public abstract class StoreFixture {

  protected static final SpaceId SPACE = SpaceId.DEFAULT;
  protected static final SpaceId OTHER = new SpaceId("other");

  /** Seed of ids, printed on failure; the same seed gives the same ids. */
  protected static final long SEED = Seed.VALUE;

  protected final ManualClock clock = new ManualClock();
  private final List<RecordStore> opened = new ArrayList<>();
  private int generation;

  /** Returns the location of this test's store; new for each test. */
  protected abstract StoreConfig.EngineSettings engine();

  protected final StoreConfig config() {
    return StoreConfig.starter().withEngine(engine());
  }

  protected final RecordStore open(Table<?>... tables) {
    return open(UnaryOperator.identity(), tables);
  }

  protected final RecordStore open(UnaryOperator<StoreConfig> change, Table<?>... tables) {
    RecordStore store =
        RecordStore.open(
            change.apply(config()),
            List.of(tables),
            clock,
            IdGenerator.of(clock, RandomSource.seeded(SEED + generation + opened.size())));
    opened.add(store);
    return store;
  }

  /** Closes open stores, so that the store can be opened with other declarations. */
  protected final void closeStores() {
    closeAll();
  }

  @AfterEach
  final void closeAll() {
    opened.forEach(RecordStore::close);
    generation += opened.size();
    opened.clear();
  }
}
