package dev.caliber.testkit;

import static dev.caliber.testkit.Animal.ANIMALS;
import static dev.caliber.testkit.Picture.PICTURES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.store.FeedCursor;
import dev.caliber.store.ProgressListener;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.Table;
import dev.caliber.store.job.JobRequest;
import dev.caliber.store.job.Jobs;
import dev.caliber.store.maintenance.DoctorFinding;
import dev.caliber.store.maintenance.DoctorFindingCode;
import dev.caliber.store.maintenance.DoctorReport;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Contract of the doctor: it finds each kind of damage and its place, and finds nothing in an
 * undamaged store.
 */
abstract class DoctorContract extends MaintenanceFixture {

  @Test
  void aHealthyStoreIsClean() {
    RecordStore store = filledStore();
    store.changes().acknowledge(SPACE, "index", store.changes().head(SPACE));
    List<String> phases = new ArrayList<>();
    DoctorReport report = maintenanceOf(store).examine((phase, _, _) -> phases.add(phase));
    assertThat(report.findings()).isEmpty();
    assertThat(report.isHealthy()).isTrue();
    assertThat(report.records()).isEqualTo(7);
    assertThat(phases).contains("table animal", "feed", "done");
  }

  @Test
  void findsAChangedBody() {
    RecordStore store = filledStore();
    executeRawSql("UPDATE animal SET body = replace(body, 'Other', 'Othex')");
    assertSingleFinding(store, DoctorFindingCode.ROW_DAMAGED, "other/animal/cat0");
  }

  @Test
  void findsAChangedBinary() {
    RecordStore store = filledStore();
    executeRawSql("UPDATE picture SET pixels = NULL WHERE \"key\" = 'p'");
    assertSingleFinding(store, DoctorFindingCode.ROW_DAMAGED, "default/picture/p");
  }

  @Test
  void findsAChangedColumn() {
    RecordStore store = filledStore();
    executeRawSql("UPDATE animal SET legs = 77 WHERE \"key\" = 'cat1'");
    executeRawSql("UPDATE animal SET herd = NULL WHERE \"key\" = 'cat2'");
    List<DoctorFinding> findings = examine(store).findings();
    assertThat(findings)
        .extracting(DoctorFinding::code)
        .containsOnly(DoctorFindingCode.COLUMN_MISMATCH);
    assertThat(findings)
        .extracting(DoctorFinding::where)
        .containsExactly("default/animal/cat1", "default/animal/cat2");
    assertThat(findings).extracting(DoctorFinding::what).allMatch(w -> w.contains("column '"));
  }

  /** Variant of {@link Animal} with one more component that every body lacks. */
  record AnimalWithHorns(
      String id,
      String name,
      Optional<String> herd,
      long legs,
      double weight,
      boolean tame,
      Instant seenAt,
      int horns) {}

  @Test
  void findsABodyThatIsNoRecord() {
    filledStore().close();
    Table<AnimalWithHorns> unicorns =
        Table.of("animal", ANIMALS.description(), AnimalWithHorns.class, AnimalWithHorns::id)
            .text("name", AnimalWithHorns::name)
            .text("herd", animalWithHorns -> animalWithHorns.herd().orElse(null))
            .integer("legs", AnimalWithHorns::legs)
            .real("weight", AnimalWithHorns::weight)
            .flag("tame", AnimalWithHorns::tame)
            .instant("seen_at", AnimalWithHorns::seenAt);
    DoctorReport report = examine(open(unicorns, PICTURES));
    assertThat(report.findings())
        .hasSize(4)
        .extracting(DoctorFinding::code)
        .containsOnly(DoctorFindingCode.BODY_UNREADABLE);
  }

  @Test
  void findsAHeadThatWasPutBack() {
    RecordStore store = filledStore();
    executeRawSql("UPDATE store_space SET sequence = 3 WHERE name = 'default'");
    assertThat(examine(store).findings())
        .extracting(DoctorFinding::code)
        .containsOnly(DoctorFindingCode.REVISION_UNKNOWN, DoctorFindingCode.FEED_HEAD_MISMATCH)
        .contains(DoctorFindingCode.REVISION_UNKNOWN, DoctorFindingCode.FEED_HEAD_MISMATCH);
  }

  @Test
  void findsAGapInTheFeed() {
    RecordStore store = filledStore();
    executeRawSql("DELETE FROM store_feed WHERE space = 'default' AND sequence = 2");
    assertSingleFinding(store, DoctorFindingCode.FEED_GAP, "default");
  }

  @Test
  void findsAFeedWithoutItsEnd() {
    RecordStore store = filledStore();
    executeRawSql("DELETE FROM store_feed WHERE space = 'default' AND sequence = 4");
    assertSingleFinding(store, DoctorFindingCode.FEED_HEAD_MISMATCH, "default");
  }

  @Test
  void findsAnEntryThatCannotBeRead() {
    RecordStore store = filledStore();
    executeRawSql(
        "UPDATE store_feed SET changes = 'nonsense' WHERE space = 'default' AND sequence = 2");
    assertSingleFinding(store, DoctorFindingCode.FEED_UNREADABLE, "default");
  }

  @Test
  void aFeedThatWasTrimmedIsNoDamage() {
    RecordStore store = filledStore();
    executeRawSql("DELETE FROM store_feed WHERE space = 'default' AND sequence <= 2");
    executeRawSql("DELETE FROM store_feed WHERE space = 'other'");
    assertThat(examine(store).findings()).isEmpty();
  }

  @Test
  void findsADroppedIndex() {
    RecordStore store = filledStore();
    executeRawSql("DROP INDEX animal_by_name");
    assertSingleFinding(store, DoctorFindingCode.INDEX_MISSING, "animal");
    store.close();
    assertThat(examine(open(ANIMALS, PICTURES)).findings()).isEmpty();
  }

  @Test
  void findsFollowersThatKnowTooMuch() {
    RecordStore store = filledStore();
    store.changes().acknowledge(SPACE, "ahead", new FeedCursor(1, 99));
    assertSingleFinding(store, DoctorFindingCode.FOLLOWER_AHEAD, "default/ahead");
    store.changes().forgetFollower(SPACE, "ahead");
    store.changes().acknowledge(OTHER, "stale", new FeedCursor(7, 1));
    assertSingleFinding(store, DoctorFindingCode.FOLLOWER_STALE, "other/stale");
    assertThat(examine(store).isHealthy()).isTrue();
  }

  @Test
  void findsDeadJobs() {
    RecordStore store = filledStore();
    StoreConfig.JobSettings rules =
        config().with("store.jobs.concurrency = 1", "store.jobs.attempts-limit = 1").jobs();
    try (Jobs jobs = Jobs.of(store, rules, clock)) {
      jobs.registerHandler(
          "fail",
          _ -> {
            throw new IllegalStateException("no");
          });
      store.write(SPACE, t -> Jobs.schedule(t, JobRequest.of("fail", "{}", clock.instant())));
      assertThat(jobs.runDue(SPACE)).isEqualTo(1);
    }
    assertSingleFinding(store, DoctorFindingCode.DEAD_JOBS, "default/job");
  }

  @Test
  void goesOnAfterManyFindings() {
    RecordStore store = filledStore();
    store.commit(
        SPACE,
        transaction -> {
          for (int i = 0; i < 700; i++) {
            transaction.insert(ANIMALS, Animal.of("n" + i, "N"));
          }
        });
    executeRawSql("UPDATE animal SET body = '{'");
    executeRawSql("DELETE FROM store_feed WHERE space = 'default' AND sequence = 2");
    executeRawSql("ALTER TABLE store_follower RENAME TO gone");
    DoctorReport report = examine(store);
    assertThat(report.isHealthy()).isFalse();
    assertThat(report.omitted()).isEqualTo(604);
    assertThat(report.records()).isEqualTo(707);
    assertThat(report.findings())
        .extracting(DoctorFinding::code)
        .contains(
            DoctorFindingCode.ROW_DAMAGED,
            DoctorFindingCode.FEED_GAP,
            DoctorFindingCode.CHECK_FAILED);
    assertThat(report.findings())
        .allSatisfy(
            doctorFinding -> {
              assertThat(doctorFinding.where()).isNotBlank();
              assertThat(doctorFinding.what()).isNotBlank();
              assertThat(doctorFinding.advice()).endsWith(".");
            });
  }

  protected static DoctorReport examine(RecordStore store) {
    return maintenanceOf(store).examine(ProgressListener.NONE);
  }

  /** Asserts exactly one finding, of this code, at this place. */
  protected static void assertSingleFinding(
      RecordStore store, DoctorFindingCode code, String where) {
    assertThat(examine(store).findings())
        .singleElement()
        .satisfies(
            doctorFinding -> {
              assertThat(doctorFinding.code()).as(doctorFinding.toString()).isEqualTo(code);
              assertThat(doctorFinding.where()).isEqualTo(where);
            });
  }
}
