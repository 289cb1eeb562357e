package dev.caliber.testkit;

import static dev.caliber.testkit.Animal.ANIMALS;
import static dev.caliber.testkit.Picture.PICTURES;
import static dev.caliber.testkit.RecordStoreContract.assertRefused;
import static dev.caliber.testkit.RecordStoreContract.find;
import static dev.caliber.testkit.RecordStoreContract.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.store.ChangeFeed;
import dev.caliber.store.Commit;
import dev.caliber.store.FeedCursor;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreErrorCode;
import dev.caliber.store.Table;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Contract of persistence: reopening, growing declarations, bodies of other versions. */
@EachEngine(
    value = {EngineKind.SQLITE, EngineKind.POSTGRES},
    schemaPerTest = true)
class PersistenceContract extends StoreFixture {

  record Plant(String id, String name) {}

  /** Next version of a plant: one field more, which old bodies lack. */
  record PlantWithHeight(String id, String name, Optional<Long> height) {}

  /** Version with the name split in two, which needs an upgrade of old bodies. */
  record PlantWithGenus(String id, String genus, String species) {}

  /** Version that a newer program has written. */
  record RichPlant(String id, String name, Soil soil, String colour) {}

  record Soil(String kind, long depth) {}

  /** The older program's version of the same record. */
  record PoorPlant(String id, String name, PoorSoil soil) {}

  record PoorSoil(String kind) {}

  private static final Table<Plant> PLANTS =
      Table.of("plant", "Plants.", Plant.class, Plant::id).text("name", Plant::name).index("name");

  @Test
  @DisplayName("STO-22: opening again changes nothing and finds everything")
  void reopensAsItWas() {
    Animal cat = Animal.of("cat", "Tom").withHerd("red");
    RecordStore first = open(ANIMALS, PICTURES);
    first.createSpace(OTHER);
    put(first, cat);
    List<Commit> commits = first.changes().read(SPACE, new FeedCursor(1, 0), 10);
    first.changes().acknowledge(SPACE, "index", new FeedCursor(1, 1));
    closeStores();

    RecordStore second = open(ANIMALS, PICTURES);
    ChangeFeed feed = second.changes();
    assertThat(find(second, "cat")).contains(cat);
    assertThat(second.spaces()).containsExactly(SPACE, OTHER);
    assertThat(feed.read(SPACE, new FeedCursor(1, 0), 10)).isEqualTo(commits);
    assertThat(feed.followerCursor(SPACE, "index")).contains(new FeedCursor(1, 1));
    put(second, Animal.of("dog", "Rex"));
    List<Commit> next = feed.read(SPACE, new FeedCursor(1, 1), 10);
    assertThat(next).extracting(Commit::sequence).containsExactly(2L);
    assertThat(next).extracting(Commit::hostCounter).containsExactly(2L);
    assertThat(next.getFirst().host()).isEqualTo(commits.getFirst().host());
  }

  @Test
  @DisplayName("DB-05: a new column and its index are filled from existing bodies")
  void fillsNewColumns() {
    insertPlants(open(PLANTS), new Plant("p1", "rose"), new Plant("p2", "fern"));
    closeStores();
    Table<PlantWithHeight> next =
        Table.of("plant", "Plants.", PlantWithHeight.class, PlantWithHeight::id)
            .text("name", PlantWithHeight::name)
            .integer("letters", plant -> plant.name().length())
            .integer("height", plant -> plant.height().orElse(null))
            .index("name")
            .index("letters")
            .index("height");
    RecordStore store = open(next);
    assertThat(store.<Long>read(SPACE, s -> s.count(Query.over(next, "letters").equal(4))))
        .isEqualTo(2);
    assertThat(store.<Long>read(SPACE, s -> s.count(Query.over(next, "height")))).isZero();
    store.write(
        SPACE,
        t -> t.update(next, "p1", p -> new PlantWithHeight(p.id(), p.name(), Optional.of(30L))));
    assertThat(store.<Long>read(SPACE, s -> s.count(Query.over(next, "height").equal(30))))
        .isEqualTo(1);
  }

  /** Version with a picture, which existing rows lack. */
  @SuppressWarnings("ArrayRecordComponent") // that is what is being tested
  record PlantWithPicture(String id, String name, Optional<byte[]> picture) {}

  @Test
  @DisplayName("DB-05: existing rows remain intact when their table gets a binary part")
  void addsABinaryPart() {
    insertPlants(open(PLANTS), new Plant("p1", "rose"));
    closeStores();
    Table<PlantWithPicture> next =
        Table.of("plant", "Plants.", PlantWithPicture.class, PlantWithPicture::id)
            .text("name", PlantWithPicture::name)
            .index("name")
            .bytes("picture", plant -> plant.picture().orElse(null));
    RecordStore store = open(next);
    PlantWithPicture old = store.read(SPACE, s -> s.get(next, "p1"));
    assertThat(old.picture()).isEmpty();
    byte[] picture = {1, 2, 3};
    store.write(
        SPACE,
        t ->
            t.update(
                next, "p1", p -> new PlantWithPicture(p.id(), p.name(), Optional.of(picture))));
    PlantWithPicture changed = store.read(SPACE, s -> s.get(next, "p1"));
    assertThat(changed.picture().orElseThrow()).isEqualTo(picture);
  }

  @Test
  @DisplayName("DB-05: bodies of an older schema are upgraded when they are read")
  void upgradesBodies() {
    insertPlants(open(PLANTS), new Plant("p1", "rosa canina"), new Plant("p2", "rosa rugosa"));
    closeStores();
    Table<PlantWithGenus> next =
        Table.of("plant", "Plants.", PlantWithGenus.class, PlantWithGenus::id)
            .text("genus", PlantWithGenus::genus)
            .index("genus")
            .upgrade(
                body -> {
                  String[] words = body.get("name").asString().split(" ", 2);
                  body.remove("name");
                  return body.put("genus", words[0]).put("species", words[1]);
                });
    RecordStore store = open(next);
    List<PlantWithGenus> found =
        store.read(SPACE, s -> s.scan(Query.over(next, "genus").equal("rosa"), 10)).records();
    assertThat(found).extracting(PlantWithGenus::species).containsExactly("canina", "rugosa");
    store.write(
        SPACE, t -> t.update(next, "p1", p -> new PlantWithGenus(p.id(), "rubus", p.species())));
    PlantWithGenus rewritten = store.read(SPACE, s -> s.get(next, "p1"));
    assertThat(rewritten).isEqualTo(new PlantWithGenus("p1", "rubus", "canina"));
    closeStores();
    assertRefused(StoreErrorCode.STORE_TOO_NEW, () -> open(PLANTS), "schema of table 'plant'");
  }

  @Test
  @DisplayName("DB-05: fields that this version does not know survive a rewrite")
  void keepsUnknownFields() {
    Table<RichPlant> rich = Table.of("plant", "Plants.", RichPlant.class, RichPlant::id);
    Table<PoorPlant> poor = Table.of("plant", "Plants.", PoorPlant.class, PoorPlant::id);
    RecordStore newer = open(rich);
    newer.commit(
        SPACE,
        transaction -> {
          transaction.insert(rich, new RichPlant("p", "rose", new Soil("clay", 3), "red"));
        });
    closeStores();
    RecordStore older = open(poor);
    older.write(
        SPACE,
        t -> t.update(poor, "p", p -> new PoorPlant(p.id(), "renamed", new PoorSoil("sand"))));
    older.commit(
        SPACE,
        transaction -> {
          transaction.put(poor, new PoorPlant("p", "again", new PoorSoil("loam")));
        });
    closeStores();
    RichPlant survivor = open(rich).read(SPACE, s -> s.get(rich, "p"));
    assertThat(survivor).isEqualTo(new RichPlant("p", "again", new Soil("loam", 3), "red"));
  }

  @Test
  @DisplayName("DB-05: going back one version and forward again loses nothing")
  void goesBackAndForward() {
    Table<Plant> next = PLANTS.integer("letters", plant -> plant.name().length()).index("letters");
    insertPlants(open(PLANTS), new Plant("p1", "rose"));
    closeStores();
    open(next);
    closeStores();
    insertPlants(open(PLANTS), new Plant("p2", "fern"));
    closeStores();
    RecordStore store = open(next);
    assertThat(store.<Long>read(SPACE, s -> s.count(Query.over(next, "letters").equal(4))))
        .isEqualTo(2);
  }

  @Test
  void refusesToForgetABinaryPart() {
    Table<PlantWithPicture> pictured =
        Table.of("plant", "Plants.", PlantWithPicture.class, PlantWithPicture::id)
            .text("name", PlantWithPicture::name)
            .bytes("picture", plant -> plant.picture().orElse(null));
    open(pictured);
    closeStores();
    assertRefused(StoreErrorCode.STORE_TOO_NEW, () -> open(PLANTS), "'picture'");
  }

  @Test
  void opensAgainWithIndexesOfLongNames() {
    String long1 = "a_rather_long_name_of_a_column_that_goes_on_1";
    String long2 = "a_rather_long_name_of_a_column_that_goes_on_2";
    Table<Plant> wordy =
        Table.of("plant", "Plants.", Plant.class, Plant::id)
            .text(long1, Plant::name)
            .text(long2, Plant::name)
            .index(long1, long2)
            .index(long2, long1)
            .unique(long1);
    RecordStore store = open(wordy);
    store.commit(
        SPACE,
        transaction -> {
          transaction.insert(wordy, new Plant("p", "rose"));
        });
    closeStores();
    RecordStore again = open(wordy);
    assertThat(
            again.<Long>read(
                SPACE, s -> s.count(Query.over(wordy, long2, long1).equal("rose", "rose"))))
        .isEqualTo(1);
  }

  @Test
  void refusesAColumnThatChangesItsType() {
    insertPlants(open(PLANTS), new Plant("p", "rose"));
    closeStores();
    Table<Plant> changed =
        Table.of("plant", "Plants.", Plant.class, Plant::id)
            .integer("name", plant -> plant.name().length());
    assertRefused(StoreErrorCode.SCHEMA_MISMATCH, () -> open(changed), "column 'name'", "TEXT");
    assertThat(open(PLANTS).read(SPACE, s -> s.get(PLANTS, "p")).name()).isEqualTo("rose");
  }

  @Test
  void aMigrationThatFailsChangesNothing() {
    insertPlants(open(PLANTS), new Plant("p1", "rose"), new Plant("p2", "rose"));
    closeStores();
    Table<Plant> unique =
        Table.of("plant", "Plants.", Plant.class, Plant::id)
            .text("name", Plant::name)
            .text("copy", Plant::name)
            .unique("copy");
    assertThatThrownBy(() -> open(unique)).isInstanceOf(RuntimeException.class);
    RecordStore store = open(PLANTS);
    assertThat(store.<Long>read(SPACE, s -> s.count(Query.over(PLANTS)))).isEqualTo(2);
  }

  private static void insertPlants(RecordStore store, Plant... plants) {
    store.commit(
        SPACE,
        transaction -> {
          for (Plant plant : plants) {
            transaction.insert(PLANTS, plant);
          }
        });
  }
}
