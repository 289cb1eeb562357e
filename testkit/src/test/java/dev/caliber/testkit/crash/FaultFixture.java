package dev.caliber.testkit.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.IdGenerator;
import dev.caliber.kernel.RandomSource;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.StoreErrorCode;
import dev.caliber.store.jdbc.Stores;
import dev.caliber.testkit.Animal;
import dev.caliber.testkit.ManualClock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Common parts of the fault tests: a store of animals, and the required form of an error. */
final class FaultFixture {

  static final SpaceId SPACE = SpaceId.DEFAULT;

  private static final ManualClock CLOCK = new ManualClock();
  private static final RandomSource CHANCE = RandomSource.seeded(7);

  private FaultFixture() {}

  static RecordStore open(StoreConfig.EngineSettings engine) {
    // Each process has ids of its own; a clock that moves lets commits differ in time.
    CLOCK.advance(Duration.ofMillis(1));
    return Stores.open(
        StoreConfig.starter().withEngine(engine),
        List.of(Animal.ANIMALS),
        CLOCK,
        IdGenerator.of(CLOCK, CHANCE));
  }

  static void insert(RecordStore store, String id, String name) {
    CLOCK.advance(Duration.ofMillis(1));
    store.commit(
        SPACE,
        transaction -> {
          transaction.insert(Animal.ANIMALS, Animal.of(id, name));
        });
  }

  static Optional<Animal> find(RecordStore store, String id) {
    return store.read(SPACE, snapshot -> snapshot.find(Animal.ANIMALS, id));
  }

  static long count(RecordStore store) {
    return store.<Long>read(SPACE, snapshot -> snapshot.count(Query.over(Animal.ANIMALS)));
  }

  static long head(RecordStore store) {
    return store.changes().head(SPACE).sequence();
  }

  /** Asserts that the call fails with one of these codes, in one clear line with these words. */
  static CaliberException refused(
      ThrowingCallable call, List<StoreErrorCode> codes, String... words) {
    CaliberException e = catchThrowableOfType(CaliberException.class, call);
    assertThat(e).as("an error with one of %s", codes).isNotNull();
    assertThat(codes).as(e.toLine()).contains((StoreErrorCode) e.code());
    assertThat(e.toLine()).doesNotContain("\n");
    for (String word : words) {
      assertThat(e.toLine()).contains(word);
    }
    return e;
  }
}
