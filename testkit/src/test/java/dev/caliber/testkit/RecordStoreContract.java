package dev.caliber.testkit;

import static dev.caliber.testkit.Animal.ANIMALS;
import static dev.caliber.testkit.Picture.PICTURES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.KernelErrorCode;
import dev.caliber.store.FeedCursor;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Row;
import dev.caliber.store.StoreErrorCode;
import dev.caliber.store.StoreException;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Contract of single records and transactions on every engine. */
@EachEngine(schemaPerTest = true)
class RecordStoreContract extends StoreFixture {

  private static final Animal CAT = Animal.of("cat", "Tom");

  /** An index takes 2,000 bytes of text, and a euro sign has three. */
  private static final int LONGEST_INDEXED_EUROS = 666;

  private static final Table<Animal> SAID =
      Table.of("said", "What was said of animals, for tests.", Animal.class, Animal::id);

  @Test
  void givesBackWhatWasWritten() {
    RecordStore store = open(ANIMALS, PICTURES);
    Animal whole =
        new Animal(
            "a\u00e9\uD83D\uDC31'\"",
            "n\u0001ew\nline",
            Optional.of("herd"),
            Long.MIN_VALUE,
            -0.125,
            false,
            Instant.parse("2026-02-03T04:05:06.123456Z"));
    put(store, whole);
    assertThat(find(store, whole.id())).contains(whole);
    assertThat(find(store, "unknown")).isEmpty();
  }

  @Test
  void keepsBinaryPartsToTheByte() {
    RecordStore store = open(ANIMALS, PICTURES);
    byte[] pixels = new byte[256];
    for (int i = 0; i < pixels.length; i++) {
      pixels[i] = (byte) i;
    }
    float[] vector = {0f, -1.5f, Float.MIN_VALUE, 3.4e38f};
    Picture picture = new Picture("p", "ann", "sea", pixels, vector);
    store.write(
        SPACE,
        transaction -> {
          transaction.insert(PICTURES, picture);
          return picture;
        });
    Picture found = store.read(SPACE, snapshot -> snapshot.get(PICTURES, "p"));
    assertThat(found.pixels()).isEqualTo(pixels);
    assertThat(found.vector()).isEqualTo(vector);
    assertThat(found.title()).isEqualTo("sea");
  }

  @Test
  @DisplayName("ERR-02, ERR-08: a missing record is a typed error that names table, key and space")
  void namesWhatIsNotThere() {
    RecordStore store = open(ANIMALS);
    assertRefused(
        StoreErrorCode.NOT_FOUND,
        () -> store.read(SPACE, snapshot -> snapshot.get(ANIMALS, "ghost")),
        "animal 'ghost'",
        "'default'");
    assertRefused(
        StoreErrorCode.NOT_FOUND,
        () -> store.write(SPACE, t -> t.update(ANIMALS, "ghost", animal -> animal)),
        "ghost");
    assertRefused(StoreErrorCode.SPACE_NOT_FOUND, () -> store.read(OTHER, s -> s.space()), "other");
    assertRefused(
        StoreErrorCode.SPACE_NOT_FOUND, () -> store.write(OTHER, t -> t.space()), "other");
  }

  @Test
  @DisplayName("ERR-02: a second insert with the same key is refused, and the write may go on")
  void refusesASecondInsert() {
    RecordStore store = open(ANIMALS);
    put(store, CAT);
    store.commit(
        SPACE,
        transaction -> {
          assertRefused(
              StoreErrorCode.INSERT_FAILED,
              () -> transaction.insert(ANIMALS, CAT.withName("Other")),
              "animal 'cat'");
          transaction.insert(ANIMALS, Animal.of("dog", "Rex"));
        });
    assertThat(find(store, "cat")).contains(CAT);
    assertThat(find(store, "dog")).isPresent();
  }

  @Test
  @DisplayName("ERR-02: an insert against a unique index is refused and names the index")
  void refusesWhatAUniqueIndexHolds() {
    RecordStore store = open(PICTURES);
    store.commit(
        SPACE,
        transaction -> {
          transaction.insert(PICTURES, picture("p1", "sea"));
          assertRefused(
              StoreErrorCode.INDEX_ERROR,
              () -> transaction.insert(PICTURES, picture("p2", "sea")),
              "picture_unique_owner_title");
          transaction.insert(PICTURES, picture("p3", "hill"));
          transaction.insert(PICTURES, picture("p4", ""));
          transaction.insert(PICTURES, picture("p5", ""));
        });
    assertThat(store.<Long>read(SPACE, s -> s.count(Query.over(PICTURES)))).isEqualTo(4);
  }

  @Test
  void whatWasAppendedIsThereForWhoeverLooks() {
    RecordStore store = open(ANIMALS);
    FeedCursor before = store.changes().head(SPACE);
    List<Function<Transaction, Object>> looks =
        List.of(
            t -> t.find(ANIMALS, "cat").isPresent(),
            t -> t.findAll(ANIMALS, List.of("cat")).size() == 1,
            t -> t.first(Query.over(ANIMALS, "name").equal("Tom")).isPresent(),
            t -> t.count(Query.over(ANIMALS)) == 1,
            t -> t.update(ANIMALS, "cat", cat -> cat).equals(CAT),
            t -> t.delete(ANIMALS, "cat"));
    for (Function<Transaction, Object> look : looks) {
      store.write(
          SPACE,
          transaction -> {
            transaction.append(ANIMALS, CAT);
            assertThat(look.apply(transaction)).isEqualTo(true);
            return transaction.delete(ANIMALS, "cat");
          });
    }
    store.commit(
        SPACE,
        transaction -> {
          transaction.append(ANIMALS, CAT);
          transaction.insert(ANIMALS, Animal.of("dog", "Rex"));
        });
    assertThat(find(store, "cat")).contains(CAT);
    assertThat(row(store, "cat").revision()).isEqualTo(row(store, "dog").revision());
    assertThat(store.changes().read(SPACE, before, looks.size() + 1).getLast().changes())
        .extracting(recordChange -> recordChange.key() + " " + recordChange.kind())
        .containsExactlyInAnyOrder("cat CREATED", "dog CREATED");
  }

  @Test
  @DisplayName("ERR-02: an append under a taken key fails the whole write")
  void appendedTwice() {
    RecordStore store = open(ANIMALS);
    put(store, CAT);
    assertRefused(
        StoreErrorCode.INDEX_ERROR,
        () ->
            store.commit(
                SPACE,
                transaction -> {
                  transaction.insert(ANIMALS, Animal.of("dog", "Rex"));
                  transaction.append(ANIMALS, CAT.withName("Other"));
                }));
    assertRefused(
        StoreErrorCode.INDEX_ERROR,
        () ->
            store.commit(
                SPACE,
                transaction -> {
                  transaction.append(ANIMALS, Animal.of("dog", "Rex"));
                  transaction.append(ANIMALS, CAT.withName("Other"));
                  try {
                    transaction.find(ANIMALS, "unknown");
                  } catch (CaliberException _) {
                    // Even a write that swallows the error must not commit.
                  }
                }));
    assertThat(find(store, "cat")).contains(CAT);
    assertThat(find(store, "dog")).isEmpty();
    put(store, Animal.of("dog", "Rex"));
  }

  @Test
  @DisplayName("a text that is too long for an index is refused by name, in its own write")
  void textsTooLongForAnIndexAreRefused() {
    RecordStore store = open(ANIMALS);
    Animal fitting = CAT.withName("\u20ac".repeat(LONGEST_INDEXED_EUROS));
    Animal tooLong = CAT.withName("\u20ac".repeat(LONGEST_INDEXED_EUROS + 1));
    store.commit(
        SPACE,
        transaction -> {
          transaction.append(ANIMALS, CAT);
          for (Consumer<Animal> write :
              List.<Consumer<Animal>>of(
                  animal -> transaction.append(ANIMALS, animal),
                  animal -> transaction.insert(ANIMALS, animal),
                  animal -> transaction.put(ANIMALS, animal))) {
            assertRefused(StoreErrorCode.INVALID_RECORD, () -> write.accept(tooLong), "name");
          }
          assertThat(transaction.find(ANIMALS, "cat")).contains(CAT);
        });
    put(store, fitting);
    assertThat(find(store, "cat")).contains(fitting);
  }

  @Test
  void muchCanBeAppended() {
    RecordStore store = open(SAID);
    String words = "x".repeat(100_000);
    List<Animal> herd =
        IntStream.range(0, 50)
            .mapToObj(
                i -> new Animal("a" + i, "Adam", Optional.of(words), 4, 1, true, clock.instant()))
            .toList();
    store.commit(
        SPACE,
        transaction -> {
          herd.forEach(one -> transaction.append(SAID, one));
        });
    assertThat(store.read(SPACE, s -> s.scan(Query.over(SAID), 100)).records())
        .containsExactlyInAnyOrderElementsOf(herd);
  }

  @Test
  void whatCannotBeAppendedIsRefusedAtOnce() {
    RecordStore store = open(ANIMALS);
    FeedCursor before = store.changes().head(SPACE);
    store.write(
        SPACE,
        transaction -> {
          transaction.append(ANIMALS, CAT);
          assertRefused(
              StoreErrorCode.INVALID_RECORD,
              () -> transaction.append(ANIMALS, Animal.of("dog", "R\0x")),
              "name");
          return transaction.find(ANIMALS, "dog");
        });
    assertThat(find(store, "cat")).contains(CAT);
    assertThat(store.changes().read(SPACE, before, 2))
        .singleElement()
        .satisfies(commit -> assertThat(commit.changes()).hasSize(1));
  }

  @Test
  void anUpdateAgainstAUniqueIndexFailsTheWholeWrite() {
    RecordStore store = open(PICTURES);
    assertRefused(
        StoreErrorCode.INDEX_ERROR,
        () ->
            store.commit(
                SPACE,
                transaction -> {
                  transaction.insert(PICTURES, picture("p1", "sea"));
                  transaction.insert(PICTURES, picture("p2", "hill"));
                  try {
                    transaction.put(PICTURES, picture("p2", "sea"));
                  } catch (CaliberException _) {
                    // Even a write that swallows the error must not commit.
                  }
                }));
    assertThat(store.<Long>read(SPACE, s -> s.count(Query.over(PICTURES)))).isZero();
  }

  @Test
  void recordsAreFoundTogether() {
    RecordStore store = open(ANIMALS);
    store.createSpace(OTHER);
    put(store, CAT);
    put(store, Animal.of("d'\"[og", "Rex"));
    Map<String, Animal> found =
        store.read(
            SPACE,
            snapshot ->
                snapshot.findAll(ANIMALS, List.of("d'\"[og", "unknown", "a\0", "cat", "cat")));
    assertThat(found.keySet()).containsExactly("d'\"[og", "cat");
    assertThat(found.get("cat")).isEqualTo(CAT);
    assertThat(
            store.<Map<String, Animal>>read(
                OTHER, snapshot -> snapshot.findAll(ANIMALS, List.of("cat"))))
        .isEmpty();
    assertThat(
            store.<Map<String, Animal>>read(
                SPACE, snapshot -> snapshot.findAll(ANIMALS, List.of())))
        .isEmpty();
  }

  @Test
  void recordsAreWrittenTogetherAsOneByOne() {
    RecordStore store = open(ANIMALS);
    put(store, CAT);
    put(store, Animal.of("cow", "Berta"));
    FeedCursor before = store.changes().head(SPACE);
    List<Animal> herd =
        List.of(
            Animal.of("ant", "Adam").withLegs(6),
            CAT.withName("Tim"),
            Animal.of("cow", "Berta").withSeenAt(clock.instant().plusSeconds(1)),
            Animal.of("dog", "Rex"));
    Map<String, Animal> seen =
        store.write(
            SPACE,
            transaction -> {
              transaction.find(ANIMALS, "cat");
              transaction.putAll(ANIMALS, herd);
              transaction.putAll(ANIMALS, List.of());
              assertThat(transaction.find(ANIMALS, "cat")).contains(CAT.withName("Tim"));
              return transaction.findAll(ANIMALS, List.of("ant", "cat", "cow", "dog"));
            });
    assertThat(seen.values()).containsExactlyElementsOf(herd);
    assertThat(herd).allSatisfy(one -> assertThat(find(store, one.id())).contains(one));
    assertThat(row(store, "cat").revision()).isEqualTo(row(store, "ant").revision());
    assertThat(store.<Long>read(SPACE, s -> s.count(Query.over(ANIMALS, "name").equal("Tim"))))
        .isEqualTo(1);
    assertThat(store.changes().read(SPACE, before, 10))
        .singleElement()
        .satisfies(
            commit ->
                assertThat(commit.changes())
                    .extracting(recordChange -> recordChange.key() + " " + recordChange.kind())
                    .containsExactly("ant CREATED", "cat UPDATED", "cow UPDATED", "dog CREATED"));
  }

  @Test
  @DisplayName("ERR-02: records that are written together are refused together, with one's reason")
  void recordsAreRefusedTogether() {
    RecordStore store = open(PICTURES, ANIMALS);
    store.commit(
        SPACE,
        transaction -> {
          transaction.putAll(PICTURES, List.of(picture("p1", "sea"), picture("p2", "hill")));
        });
    List<List<Picture>> wrong =
        List.of(
            List.of(picture("p3", "wood"), picture("p4", "sea")),
            List.of(picture("p3", "wood"), picture("p2", "sea")),
            List.of(picture("p3", "wood"), picture("p4", "wood")));
    for (List<Picture> refused : wrong) {
      assertRefused(
          StoreErrorCode.INDEX_ERROR,
          () ->
              store.commit(
                  SPACE,
                  transaction -> {
                    try {
                      transaction.putAll(PICTURES, refused);
                    } catch (CaliberException _) {
                      // Even a write that swallows the error must not commit.
                    }
                  }));
    }
    assertRefused(
        StoreErrorCode.INSERT_FAILED,
        () ->
            store.commit(
                SPACE,
                transaction -> {
                  transaction.putAll(ANIMALS, List.of(CAT, CAT.withName("Twice")));
                }),
        "animal 'cat'");
    assertThat(store.<Long>read(SPACE, s -> s.count(Query.over(PICTURES)))).isEqualTo(2);
  }

  @Test
  void aRecordMayTakeWhatTheOneBeforeItFreed() {
    RecordStore store = open(PICTURES);
    store.commit(
        SPACE,
        transaction -> {
          transaction.insert(PICTURES, picture("p1", "sea"));
          transaction.putAll(
              PICTURES,
              List.of(picture("p1", "hill"), picture("p2", "sea"), picture("p3", "lake")));
        });
    assertThat(store.<Long>read(SPACE, s -> s.count(Query.over(PICTURES)))).isEqualTo(3);
  }

  @Test
  void conditionalPutsHoldOnlyForTheExpectedRevision() {
    RecordStore store = open(ANIMALS);
    store.write(SPACE, transaction -> putIf(transaction, CAT, 0));
    long first = row(store, "cat").revision();
    store.write(SPACE, transaction -> putIf(transaction, CAT.withName("Tim"), first));
    assertRefused(
        StoreErrorCode.UPDATE_FAILED,
        () -> store.write(SPACE, transaction -> putIf(transaction, CAT.withName("Late"), first)),
        "revision " + (first + 1),
        "expects revision " + first);
    assertRefused(
        StoreErrorCode.UPDATE_FAILED,
        () -> store.write(SPACE, transaction -> putIf(transaction, CAT, 0)));
    assertThat(row(store, "cat")).isEqualTo(new Row<>(CAT.withName("Tim"), first + 1));
  }

  @Test
  @DisplayName("STO-15: an update changes the given fields and leaves the others")
  void updatesChangeOnlyWhatTheySay() {
    RecordStore store = open(ANIMALS);
    Animal before = CAT.withHerd("red").withWeight(7.5);
    put(store, before);
    store.write(SPACE, t -> t.update(ANIMALS, "cat", animal -> animal.withLegs(3)));
    assertThat(find(store, "cat")).contains(before.withLegs(3));
    assertThat(
            store.<Long>read(
                SPACE, s -> s.count(Query.over(ANIMALS, "herd", "legs").equal("red", 3))))
        .isEqualTo(1);
    assertRefused(
        StoreErrorCode.INVALID_RECORD,
        () -> store.write(SPACE, t -> t.update(ANIMALS, "cat", _ -> Animal.of("dog", "x"))),
        "must not change the key");
  }

  @Test
  void deletesSayWhetherThereWasSomething() {
    RecordStore store = open(ANIMALS);
    put(store, CAT);
    assertThat(store.<Boolean>write(SPACE, t -> t.delete(ANIMALS, "cat"))).isTrue();
    assertThat(store.<Boolean>write(SPACE, t -> t.delete(ANIMALS, "cat"))).isFalse();
    assertThat(find(store, "cat")).isEmpty();
  }

  @Test
  @DisplayName(
      "STO-21: a failed write leaves nothing behind, and the other writes of its group commit")
  void aFailedWriteLeavesNothing() {
    RecordStore store = open(ANIMALS);
    assertThatThrownBy(
            () ->
                store.write(
                    SPACE,
                    transaction -> {
                      transaction.insert(ANIMALS, CAT);
                      transaction.insert(ANIMALS, Animal.of("dog", "Rex"));
                      throw new IllegalStateException("changed my mind");
                    }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("changed my mind");
    assertThat(store.<Long>read(SPACE, s -> s.count(Query.over(ANIMALS)))).isZero();
    assertThat(store.changes().head(SPACE).sequence()).isZero();
  }

  @Test
  @DisplayName("STO-21: the next write does not see cached rows of a failed write")
  void theNextWriteSeesNothingOfAFailedOne() {
    RecordStore store = open(ANIMALS);
    put(store, CAT);
    assertThatThrownBy(
            () ->
                store.write(
                    SPACE,
                    transaction -> {
                      transaction.put(ANIMALS, CAT.withName("Other"));
                      assertThat(transaction.get(ANIMALS, "cat").name()).isEqualTo("Other");
                      throw new IllegalStateException("changed my mind");
                    }))
        .hasMessage("changed my mind");
    assertThat(findInAWrite(store)).contains(CAT);
  }

  @Test
  void eachWriteSeesWhatTheOnesBeforeItHaveDone() {
    RecordStore store = open(ANIMALS);
    put(store, CAT);
    assertThat(findInAWrite(store)).contains(CAT);
    store.write(SPACE, t -> t.update(ANIMALS, "cat", cat -> cat.withName("Tim")));
    assertThat(findInAWrite(store)).contains(CAT.withName("Tim"));
    put(store, CAT.withName("Tom"));
    assertThat(findInAWrite(store)).contains(CAT);
    store.write(SPACE, t -> putAll(t, List.of(CAT.withName("Kit"))));
    assertThat(findInAWrite(store)).contains(CAT.withName("Kit"));
    store.write(SPACE, t -> t.delete(ANIMALS, "cat"));
    assertThat(findInAWrite(store)).isEmpty();
  }

  private static boolean putAll(Transaction transaction, List<Animal> animals) {
    transaction.putAll(ANIMALS, animals);
    return true;
  }

  private static Optional<Animal> findInAWrite(RecordStore store) {
    return store.write(SPACE, transaction -> transaction.find(ANIMALS, "cat"));
  }

  @Test
  @DisplayName("STO-19: everything in one write shares one time")
  void oneWriteHasOneTime() {
    RecordStore store = open(ANIMALS);
    List<Instant> times =
        store.write(
            SPACE,
            transaction -> {
              Instant first = transaction.now();
              clock.advance(Duration.ofMillis(5));
              return List.of(first, transaction.now());
            });
    assertThat(times).containsOnly(ManualClock.START);
  }

  @Test
  void aTransactionSeesItsOwnWrites() {
    RecordStore store = open(ANIMALS);
    store.commit(
        SPACE,
        transaction -> {
          transaction.insert(ANIMALS, CAT);
          assertThat(transaction.get(ANIMALS, "cat")).isEqualTo(CAT);
          assertThat(transaction.scan(Query.over(ANIMALS, "name"), 10).records())
              .containsExactly(CAT);
          assertThat(transaction.row(ANIMALS, "cat").orElseThrow().revision())
              .isEqualTo(transaction.revision());
        });
  }

  @Test
  void spacesAreApart() {
    RecordStore store = open(ANIMALS);
    store.createSpace(OTHER);
    put(store, CAT);
    store.commit(
        OTHER,
        transaction -> {
          assertThat(transaction.find(ANIMALS, "cat")).isEmpty();
          transaction.insert(ANIMALS, CAT.withName("Other"));
        });
    assertThat(find(store, "cat")).contains(CAT);
    List<Animal> others = store.read(OTHER, s -> s.scan(Query.over(ANIMALS, "name"), 10).records());
    assertThat(others).containsExactly(CAT.withName("Other"));
    assertThat(store.<Long>read(OTHER, s -> s.count(Query.over(ANIMALS)))).isEqualTo(1);
    assertThat(store.spaces()).containsExactly(SPACE, OTHER);
    assertThat(store.changes().head(OTHER).sequence()).isEqualTo(1);
  }

  @Test
  void aWriteInsideAWriteIsAnError() {
    RecordStore store = open(ANIMALS);
    assertRefused(
        StoreErrorCode.NESTED_WRITE,
        () -> store.write(SPACE, _ -> store.write(SPACE, t -> t.now())));
    assertRefused(
        StoreErrorCode.NESTED_WRITE,
        () -> store.write(SPACE, _ -> store.read(SPACE, s -> s.space())));
    assertRefused(
        StoreErrorCode.NESTED_WRITE,
        () -> store.read(SPACE, _ -> store.write(SPACE, t -> t.now())));
    put(store, CAT);
  }

  @Test
  void nothingElseOfTheStoreIsCalledInsideEither() {
    RecordStore store = open(ANIMALS);
    FeedCursor start = new FeedCursor(1, 0);
    List<Runnable> calls =
        List.of(
            () -> store.createSpace(OTHER),
            store::spaces,
            () -> store.changes().head(SPACE),
            () -> store.changes().read(SPACE, start, 1),
            () -> store.changes().acknowledge(SPACE, "follower", start),
            () -> store.changes().trim(SPACE));
    for (Runnable call : calls) {
      assertRefused(
          StoreErrorCode.NESTED_WRITE,
          () ->
              store.write(
                  SPACE,
                  transaction -> {
                    call.run();
                    return transaction.now();
                  }));
      assertRefused(
          StoreErrorCode.NESTED_WRITE,
          () ->
              store.read(
                  SPACE,
                  snapshot -> {
                    call.run();
                    return snapshot.space();
                  }));
    }
  }

  @Test
  void aListenerThatCallsTheStoreIsToldSoAndTheCommitStands() {
    RecordStore store = open(ANIMALS);
    List<RuntimeException> refusals = new ArrayList<>();
    try (var _ =
        store
            .changes()
            .subscribe(
                ANIMALS,
                space -> {
                  try {
                    store.write(space, Transaction::now);
                  } catch (StoreException e) {
                    refusals.add(e);
                    throw new AssertionError("listeners may do anything", e);
                  }
                })) {
      put(store, CAT);
    }
    assertThat(refusals).hasSize(1);
    assertThat(find(store, "cat")).contains(CAT);
  }

  @Test
  void whatCannotBeAKeyIsNotThere() {
    RecordStore store = open(ANIMALS);
    put(store, CAT);
    for (String key : List.of("zero\u0000", "half\uD83D", "")) {
      assertThat(find(store, key)).isEmpty();
      assertThat(store.<Boolean>write(SPACE, t -> t.delete(ANIMALS, key))).isFalse();
    }
    assertThatThrownBy(() -> Query.over(ANIMALS, "name").equal("zero\u0000"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(find(store, "cat")).contains(CAT);
  }

  @Test
  void aWriteThatHoldsItsTurnTooLongIsRefused() {
    RecordStore store = open(ANIMALS);
    assertRefused(
        StoreErrorCode.WRITE_TIMED_OUT,
        () ->
            store.commit(
                SPACE,
                transaction -> {
                  transaction.insert(ANIMALS, CAT);
                  clock.advance(Duration.ofMinutes(1));
                }),
        "store.writes.time-limit");
    assertThat(find(store, "cat")).isEmpty();
  }

  @Test
  void aTransactionCannotBeUsedAfterItsEnd() {
    RecordStore store = open(ANIMALS);
    AtomicReference<Transaction> leaked = new AtomicReference<>();
    store.commit(
        SPACE,
        transaction -> {
          leaked.set(transaction);
        });
    assertThatThrownBy(() -> leaked.get().insert(ANIMALS, CAT))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void refusesWhatNoEngineCanKeep() {
    RecordStore store =
        open(
            config ->
                config.with("store.writes.record-limit = '1KiB'", "store.writes.changes-limit = 3"),
            ANIMALS);
    assertRefused(
        StoreErrorCode.INVALID_RECORD, () -> put(store, CAT.withName("zero\u0000")), "position 4");
    assertRefused(StoreErrorCode.INVALID_RECORD, () -> put(store, CAT.withName("half\uD83D")));
    assertRefused(StoreErrorCode.INVALID_RECORD, () -> put(store, CAT.withWeight(Double.NaN)));
    assertRefused(StoreErrorCode.INVALID_RECORD, () -> put(store, Animal.of("", "x")), "key");
    assertRefused(StoreErrorCode.INVALID_RECORD, () -> put(store, Animal.of("k".repeat(600), "x")));
    assertRefused(
        StoreErrorCode.INVALID_RECORD,
        () -> put(store, CAT.withName("x".repeat(2000))),
        "store.writes.record-limit");
    assertRefused(
        KernelErrorCode.LIMIT_EXCEEDED,
        () ->
            store.commit(
                SPACE,
                transaction -> {
                  for (int i = 0; i < 4; i++) {
                    transaction.insert(ANIMALS, Animal.of("a" + i, "x"));
                  }
                }),
        "store.writes.changes-limit");
    assertThat(store.<Long>read(SPACE, s -> s.count(Query.over(ANIMALS)))).isZero();
  }

  @Test
  void aTableThatWasNotDeclaredIsAProgrammingError() {
    RecordStore store = open(ANIMALS);
    assertThatThrownBy(() -> store.read(SPACE, s -> s.find(PICTURES, "p")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("picture");
  }

  @Test
  void aClosedStoreSaysSo() {
    RecordStore store = open(ANIMALS);
    store.close();
    assertRefused(StoreErrorCode.CLOSED, () -> put(store, CAT));
    assertRefused(StoreErrorCode.CLOSED, () -> find(store, "cat"));
  }

  static Picture picture(String id, String title) {
    return new Picture(id, "ann", title, new byte[0], new float[] {1});
  }

  static boolean putIf(Transaction transaction, Animal animal, long revision) {
    transaction.put(ANIMALS, animal, revision);
    return true;
  }

  static void put(RecordStore store, Animal animal) {
    store.commit(
        SPACE,
        transaction -> {
          transaction.put(ANIMALS, animal);
        });
  }

  static Optional<Animal> find(RecordStore store, String id) {
    return store.read(SPACE, snapshot -> snapshot.find(ANIMALS, id));
  }

  static Row<Animal> row(RecordStore store, String id) {
    return store.read(SPACE, snapshot -> snapshot.row(ANIMALS, id)).orElseThrow();
  }

  /** Asserts that the call fails with this code, in a message with these words. */
  static void assertRefused(ErrorCode code, ThrowingCallable call, String... words) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            CaliberException.class, e -> assertThat(e.code()).as(e.toLine()).isEqualTo(code))
        .satisfies(
            e -> {
              for (String word : words) {
                assertThat(e).hasMessageContaining(word);
              }
            });
  }
}
