package dev.caliber.testkit;

import static dev.caliber.testkit.Animal.ANIMALS;
import static dev.caliber.testkit.RecordStoreContract.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.RandomSource;
import dev.caliber.store.Page;
import dev.caliber.store.PageCursor;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreErrorCode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Contract of queries: ranges, directions, pages, filters, counts. */
@EachEngine
class QueryContract extends StoreFixture {

  private static final Comparator<Animal> BY_LEGS =
      Comparator.comparingLong(Animal::legs).thenComparing(Animal::id);

  private final RandomSource randomSource = RandomSource.seeded(SEED);

  @Test
  void walksAnIndexInBothDirectionsWithTiesBrokenByKey() {
    RecordStore store = open(ANIMALS);
    List<Animal> herd = fill(store, 60);
    Query<Animal> red = Query.over(ANIMALS, "herd", "legs").equal("red");
    List<Animal> expected = animalsOfHerd(herd, "red").sorted(BY_LEGS).toList();
    assertThat(scanAll(store, red)).isEqualTo(expected);
    assertThat(scanAll(store, red.descending())).isEqualTo(expected.reversed());
  }

  @Test
  void everyPageSizeGivesEveryRowOnce() {
    RecordStore store = open(ANIMALS);
    List<Animal> herd = fill(store, 40);
    List<Animal> expected = animalsOfHerd(herd, "red").sorted(BY_LEGS).toList();
    for (int size : List.of(1, 2, 3, 7, 50)) {
      Query<Animal> red = Query.over(ANIMALS, "herd", "legs").equal("red");
      assertThat(allPages(store, red, size)).isEqualTo(expected);
      assertThat(allPages(store, red.descending(), size)).isEqualTo(expected.reversed());
    }
    assertThat(allPages(store, Query.over(ANIMALS), 7))
        .isEqualTo(herd.stream().sorted(Comparator.comparing(Animal::id)).toList());
  }

  @Test
  void theFirstIsFoundWhateverAFilterPassesOver() {
    RecordStore store = open(ANIMALS);
    List<Animal> herd = fill(store, 40);
    Query<Animal> red = Query.over(ANIMALS, "herd", "legs").equal("red");
    List<Animal> expected = animalsOfHerd(herd, "red").sorted(BY_LEGS).toList();
    Animal last = expected.getLast();
    assertThat(firstOf(store, red)).contains(expected.getFirst());
    assertThat(firstOf(store, red.descending())).contains(last);
    assertThat(firstOf(store, red.where(last::equals))).contains(last);
    assertThat(firstOf(store, red.where(_ -> false))).isEmpty();
  }

  private static Optional<Animal> firstOf(RecordStore store, Query<Animal> query) {
    return store.read(SPACE, snapshot -> snapshot.first(query));
  }

  @Test
  void pagesStayRightWhileRowsComeAndGo() {
    RecordStore store = open(ANIMALS);
    fill(store, 30);
    Query<Animal> query = Query.over(ANIMALS);
    Page<Animal> first = store.read(SPACE, s -> s.scan(query, 10));
    store.commit(
        SPACE,
        transaction -> {
          transaction.delete(ANIMALS, first.records().getLast().id());
          transaction.put(ANIMALS, Animal.of("a00-late", "before the cursor"));
        });
    List<Animal> rest = allPages(store, query.resume(first.next().orElseThrow()), 10);
    assertThat(rest).hasSize(20).doesNotContainAnyElementsOf(first.records());
  }

  @Test
  void rangesAreHalfOpenForEveryType() {
    RecordStore store = open(ANIMALS);
    List<Animal> animals = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      animals.add(
          new Animal(
              "k" + i,
              "n" + i,
              Optional.of("h"),
              i - 5,
              i / 4.0,
              true,
              ManualClock.START.plusSeconds(i)));
    }
    write(store, animals);
    List<Animal> middle = animals.subList(3, 6);
    assertThat(scanAll(store, Query.over(ANIMALS).from("k3").until("k6"))).isEqualTo(middle);
    assertThat(scanAll(store, Query.over(ANIMALS, "name").from("n3").until("n6")))
        .isEqualTo(middle);
    assertThat(scanAll(store, Query.over(ANIMALS, "herd", "legs").equal("h").from(-2).until(1L)))
        .isEqualTo(middle);
    assertThat(
            scanAll(store, Query.over(ANIMALS, "tame", "weight").equal(true).from(0.75).until(1.5)))
        .isEqualTo(middle);
    Query<Animal> seen =
        Query.over(ANIMALS, "seen_at")
            .from(ManualClock.START.plusSeconds(3))
            .until(ManualClock.START.plusSeconds(6));
    assertThat(scanAll(store, seen)).isEqualTo(middle);
    assertThat(scanAll(store, seen.descending())).isEqualTo(middle.reversed());
    assertThat(allPages(store, seen, 1)).isEqualTo(middle);
    assertThat(store.<Long>read(SPACE, s -> s.count(seen))).isEqualTo(3);
    assertThat(scanAll(store, Query.over(ANIMALS, "name").equal("n4").from("k4"))).hasSize(1);
    assertThat(scanAll(store, Query.over(ANIMALS, "name").equal("n4").from("k5"))).isEmpty();
  }

  @Test
  void textIsOrderedByItsBytes() {
    RecordStore store = open(ANIMALS);
    List<String> names =
        List.of("", "A", "Z", "a", "b a", "ba", "\u00e9", "\uFFFD", "\uD83D\uDC31");
    List<Animal> animals = new ArrayList<>();
    for (String name : names) {
      animals.add(Animal.of("k" + animals.size(), name));
    }
    write(store, animals.reversed());
    assertThat(scanAll(store, Query.over(ANIMALS, "name")).stream().map(Animal::name))
        .isEqualTo(names);
  }

  @Test
  void aRowWithoutAValueIsNotInTheIndex() {
    RecordStore store = open(ANIMALS);
    write(store, List.of(Animal.of("a", "free"), Animal.of("b", "owned").withHerd("red")));
    assertThat(scanAll(store, Query.over(ANIMALS, "herd", "legs")))
        .extracting("id")
        .containsExactly("b");
    assertThat(store.<Long>read(SPACE, s -> s.count(Query.over(ANIMALS, "herd", "legs"))))
        .isEqualTo(1);
    store.write(SPACE, t -> t.update(ANIMALS, "b", b -> Animal.of("b", b.name())));
    assertThat(scanAll(store, Query.over(ANIMALS, "herd", "legs"))).isEmpty();
  }

  @Test
  @DisplayName(
      "STO-17: a filtered scan returns the matching records, newest first, within a restriction")
  void filtersNewestFirst() {
    RecordStore store = open(ANIMALS);
    List<Animal> herd = fill(store, 50);
    Query<Animal> heavyReds =
        Query.over(ANIMALS, "herd", "legs")
            .equal("red")
            .where(animal -> animal.weight() > 0.5)
            .descending();
    List<Animal> expected =
        animalsOfHerd(herd, "red")
            .filter(a -> a.weight() > 0.5)
            .sorted(BY_LEGS.reversed())
            .toList();
    assertThat(allPages(store, heavyReds, 3)).isEqualTo(expected);
    Query<Animal> newest = Query.over(ANIMALS).descending().where(Animal::tame);
    assertThat(store.read(SPACE, s -> s.scan(newest, 5)).records())
        .isEqualTo(
            herd.stream()
                .filter(Animal::tame)
                .sorted(Comparator.comparing(Animal::id).reversed())
                .limit(5)
                .toList());
  }

  @Test
  void aFilteredPageThatEndsWithTheRowsIsTheLast() {
    RecordStore store = open(ANIMALS);
    fill(store, 12);
    Query<Animal> all = Query.over(ANIMALS).where(_ -> true);
    Page<Animal> first = store.read(SPACE, s -> s.scan(all, 6));
    assertThat(first.rows()).hasSize(6);
    Page<Animal> second = store.read(SPACE, s -> s.scan(all.resume(first.next().orElseThrow()), 6));
    assertThat(second.rows()).hasSize(6);
    assertThat(second.next()).isEmpty();
  }

  @Test
  void aFilterMayAskTheSameQuery() {
    RecordStore store = open(ANIMALS);
    List<Animal> herd = fill(store, 12);
    List<Animal> alike =
        store
            .read(
                SPACE,
                snapshot ->
                    snapshot.scan(
                        Query.over(ANIMALS)
                            .where(
                                animal ->
                                    snapshot
                                            .scan(Query.over(ANIMALS).where(animal::equals), 1)
                                            .records()
                                            .size()
                                        == 1),
                        20))
            .records();
    assertThat(alike).hasSameSizeAs(herd);
  }

  @Test
  void aFilterThatLetsNothingThroughReadsABoundedNumberOfRows() {
    RecordStore store =
        open(
            config -> config.with("store.reads.page-limit = 10", "store.reads.scan-limit = 20"),
            ANIMALS);
    fill(store, 50);
    Query<Animal> nothing = Query.over(ANIMALS).where(_ -> false);
    Page<Animal> page = store.read(SPACE, s -> s.scan(nothing, 5));
    assertThat(page.rows()).isEmpty();
    assertThat(page.next()).isPresent();
    int pages = 1;
    while (page.next().isPresent()) {
      PageCursor next = page.next().get();
      page = store.read(SPACE, s -> s.scan(nothing.resume(next), 5));
      pages++;
    }
    assertThat(pages).isEqualTo(3);
  }

  @Test
  void refusesCursorsThatAreNotItsOwn() {
    RecordStore store = open(ANIMALS);
    fill(store, 10);
    Query<Animal> byName = Query.over(ANIMALS, "name");
    PageCursor cursor = store.read(SPACE, s -> s.scan(byName, 2)).next().orElseThrow();
    for (Query<Animal> other :
        List.of(
            Query.over(ANIMALS).resume(cursor),
            byName.descending().resume(cursor),
            byName.resume(new PageCursor("garbage!")),
            byName.resume(new PageCursor("e30")),
            byName.resume(new PageCursor(cursor.text() + "A")))) {
      assertRefused(StoreErrorCode.INVALID_CURSOR, () -> scanAll(store, other));
    }
  }

  @Test
  void refusesQueriesThatNoIndexServes() {
    RecordStore store = open(ANIMALS);
    assertThatThrownBy(() -> Query.over(ANIMALS, "weight"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Query.over(ANIMALS, "herd", "legs").equal("red", "four"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("INTEGER");
    assertThatThrownBy(() -> Query.over(ANIMALS, "name").equal("a", "b"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> store.read(SPACE, s -> s.scan(Query.over(ANIMALS), 1_000_000)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("store.reads.page-limit");
    assertThatThrownBy(() -> store.read(SPACE, s -> s.count(Query.over(ANIMALS).where(_ -> true))))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private List<Animal> fill(RecordStore store, int count) {
    List<Animal> animals = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      animals.add(
          new Animal(
              "a%03d".formatted(i),
              "name" + randomSource.nextInt(10),
              Optional.of(randomSource.nextInt(2) == 0 ? "red" : "blue"),
              randomSource.nextInt(5),
              randomSource.nextDouble(),
              randomSource.nextInt(2) == 0,
              ManualClock.START.plusSeconds(randomSource.nextInt(100))));
    }
    write(store, animals);
    return animals;
  }

  private static void write(RecordStore store, List<Animal> animals) {
    store.commit(
        SPACE,
        transaction -> {
          animals.forEach(animal -> transaction.insert(ANIMALS, animal));
        });
  }

  private static Stream<Animal> animalsOfHerd(List<Animal> animals, String herd) {
    return animals.stream().filter(animal -> animal.herd().equals(Optional.of(herd)));
  }

  private static List<Animal> scanAll(RecordStore store, Query<Animal> query) {
    return store.read(SPACE, snapshot -> snapshot.scan(query, 100)).records();
  }

  static List<Animal> allPages(RecordStore store, Query<Animal> query, int size) {
    List<Animal> all = new ArrayList<>();
    Query<Animal> rest = query;
    while (true) {
      Query<Animal> next = rest;
      Page<Animal> page = store.read(SPACE, snapshot -> snapshot.scan(next, size));
      assertThat(page.rows().size()).isLessThanOrEqualTo(size);
      all.addAll(page.records());
      if (page.next().isEmpty()) {
        return all;
      }
      rest = query.resume(page.next().get());
    }
  }
}
