package dev.caliber.testkit;

import static dev.caliber.testkit.Animal.ANIMALS;
import static dev.caliber.testkit.Picture.PICTURES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.store.DoctorReport;
import dev.caliber.store.FeedCursor;
import dev.caliber.store.Finding;
import dev.caliber.store.FindingCode;
import dev.caliber.store.JobRequest;
import dev.caliber.store.Jobs;
import dev.caliber.store.Progress;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.Table;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * The doctor finds each kind of damage, says where it is, and finds nothing where there is none.
 */
public abstract class DoctorContract extends MaintenanceFixture {

  @Test
  void aHealthyStoreIsClean() {
    RecordStore store = filled();
    store.changes().acknowledge(SPACE, "index", store.changes().head(SPACE));
    List<String> phases = new ArrayList<>();
    DoctorReport report = of(store).examine((phase, _, _) -> phases.add(phase));
    assertThat(report.findings()).isEmpty();
    assertThat(report.isHealthy()).isTrue();
    assertThat(report.records()).isEqualTo(7);
    assertThat(phases).contains("table animal", "feed", "done");
  }

  @Test
  void findsAChangedBody() {
    RecordStore store = filled();
    raw("UPDATE animal SET body = replace(body, 'Other', 'Othex')");
    found(store, FindingCode.ROW_DAMAGED, "other/animal/cat0");
  }

  @Test
  void findsAChangedBinary() {
    RecordStore store = filled();
    raw("UPDATE picture SET pixels = NULL WHERE \"key\" = 'p'");
    found(store, FindingCode.ROW_DAMAGED, "default/picture/p");
  }

  @Test
  void findsAChangedColumn() {
    RecordStore store = filled();
    raw("UPDATE animal SET legs = 77 WHERE \"key\" = 'cat1'");
    raw("UPDATE animal SET herd = NULL WHERE \"key\" = 'cat2'");
    List<Finding> findings = examine(store).findings();
    assertThat(findings).extracting(Finding::code).containsOnly(FindingCode.COLUMN_WRONG);
    assertThat(findings)
        .extracting(Finding::where)
        .containsExactly("default/animal/cat1", "default/animal/cat2");
    assertThat(findings).extracting(Finding::what).allMatch(w -> w.contains("column '"));
  }

  /** What {@link Animal} would be with one more component that every body lacks. */
  record Unicorn(
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
    filled().close();
    Table<Unicorn> unicorns =
        Table.of("animal", ANIMALS.description(), Unicorn.class, Unicorn::id)
            .text("name", Unicorn::name)
            .text("herd", unicorn -> unicorn.herd().orElse(null))
            .integer("legs", Unicorn::legs)
            .real("weight", Unicorn::weight)
            .flag("tame", Unicorn::tame)
            .instant("seen_at", Unicorn::seenAt);
    DoctorReport report = examine(open(unicorns, PICTURES));
    assertThat(report.findings())
        .hasSize(4)
        .extracting(Finding::code)
        .containsOnly(FindingCode.BODY_UNREADABLE);
  }

  @Test
  void findsAHeadThatWasPutBack() {
    RecordStore store = filled();
    raw("UPDATE store_space SET sequence = 3 WHERE name = 'default'");
    assertThat(examine(store).findings())
        .extracting(Finding::code)
        .containsOnly(FindingCode.REVISION_UNKNOWN, FindingCode.FEED_HEAD_WRONG)
        .contains(FindingCode.REVISION_UNKNOWN, FindingCode.FEED_HEAD_WRONG);
  }

  @Test
  void findsAGapInTheFeed() {
    RecordStore store = filled();
    raw("DELETE FROM store_feed WHERE space = 'default' AND sequence = 2");
    found(store, FindingCode.FEED_GAP, "default");
  }

  @Test
  void findsAFeedWithoutItsEnd() {
    RecordStore store = filled();
    raw("DELETE FROM store_feed WHERE space = 'default' AND sequence = 4");
    found(store, FindingCode.FEED_HEAD_WRONG, "default");
  }

  @Test
  void findsAnEntryThatCannotBeRead() {
    RecordStore store = filled();
    raw("UPDATE store_feed SET changes = 'nonsense' WHERE space = 'default' AND sequence = 2");
    found(store, FindingCode.FEED_UNREADABLE, "default");
  }

  @Test
  void aFeedThatWasTrimmedIsNoDamage() {
    RecordStore store = filled();
    raw("DELETE FROM store_feed WHERE space = 'default' AND sequence <= 2");
    raw("DELETE FROM store_feed WHERE space = 'other'");
    assertThat(examine(store).findings()).isEmpty();
  }

  @Test
  void findsADroppedIndex() {
    RecordStore store = filled();
    raw("DROP INDEX animal_by_name");
    found(store, FindingCode.INDEX_MISSING, "animal");
    store.close();
    assertThat(examine(open(ANIMALS, PICTURES)).findings()).isEmpty();
  }

  @Test
  void findsFollowersThatKnowTooMuch() {
    RecordStore store = filled();
    store.changes().acknowledge(SPACE, "ahead", new FeedCursor(1, 99));
    found(store, FindingCode.FOLLOWER_AHEAD, "default/ahead");
    store.changes().forget(SPACE, "ahead");
    store.changes().acknowledge(OTHER, "stale", new FeedCursor(7, 1));
    found(store, FindingCode.FOLLOWER_STALE, "other/stale");
    assertThat(examine(store).isHealthy()).isTrue();
  }

  @Test
  void findsDeadJobs() {
    RecordStore store = filled();
    StoreConfig.JobRules rules =
        new StoreConfig.JobRules(
            1,
            Duration.ofMinutes(1),
            1,
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            Duration.ofSeconds(1));
    try (Jobs jobs = Jobs.of(store, rules, clock)) {
      jobs.handle(
          "fail",
          _ -> {
            throw new IllegalStateException("no");
          });
      store.write(SPACE, t -> Jobs.schedule(t, JobRequest.of("fail", "{}", clock.instant())));
      assertThat(jobs.runDue(SPACE)).isEqualTo(1);
    }
    found(store, FindingCode.JOBS_DEAD, "default/job");
  }

  @Test
  void goesOnAfterManyFindings() {
    RecordStore store = filled();
    store.write(
        SPACE,
        transaction -> {
          for (int i = 0; i < 700; i++) {
            transaction.insert(ANIMALS, Animal.of("n" + i, "N"));
          }
          return true;
        });
    raw("UPDATE animal SET body = '{'");
    raw("DELETE FROM store_feed WHERE space = 'default' AND sequence = 2");
    raw("ALTER TABLE store_follower RENAME TO gone");
    DoctorReport report = examine(store);
    assertThat(report.isHealthy()).isFalse();
    assertThat(report.omitted()).isEqualTo(604);
    assertThat(report.records()).isEqualTo(707);
    assertThat(report.findings())
        .extracting(Finding::code)
        .contains(FindingCode.ROW_DAMAGED, FindingCode.FEED_GAP, FindingCode.CHECK_FAILED);
    assertThat(report.findings())
        .allSatisfy(
            finding -> {
              assertThat(finding.where()).isNotBlank();
              assertThat(finding.what()).isNotBlank();
              assertThat(finding.advice()).endsWith(".");
            });
  }

  protected static DoctorReport examine(RecordStore store) {
    return of(store).examine(Progress.NONE);
  }

  /** Exactly one finding, of this code, at this place. */
  protected static void found(RecordStore store, FindingCode code, String where) {
    assertThat(examine(store).findings())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.code()).as(finding.toString()).isEqualTo(code);
              assertThat(finding.where()).isEqualTo(where);
            });
  }
}
