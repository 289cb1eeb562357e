package dev.caliber.testkit;

import dev.caliber.kernel.Chance;
import dev.caliber.kernel.Ids;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;

/** Opens stores on the engine under test and closes them after each test. */
public abstract class StoreFixture {

  protected static final SpaceId SPACE = SpaceId.DEFAULT;
  protected static final SpaceId OTHER = new SpaceId("other");

  /** Every run prints this seed on failure; the same seed gives the same ids. */
  protected static final long SEED = Seed.VALUE;

  protected final ManualClock clock = new ManualClock();
  private final List<RecordStore> opened = new ArrayList<>();
  private int generation;

  /** The place of this test's store; the same for the whole test, new for each. */
  protected abstract StoreConfig.EngineConfig engine();

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
            Ids.of(clock, Chance.seeded(SEED + generation + opened.size())));
    opened.add(store);
    return store;
  }

  /** Closes what is open, so that the store can be opened with other declarations. */
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
