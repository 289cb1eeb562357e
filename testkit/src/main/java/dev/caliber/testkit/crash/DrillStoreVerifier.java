package dev.caliber.testkit.crash;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.ChangeFeed;
import dev.caliber.store.Commit;
import dev.caliber.store.FeedCursor;
import dev.caliber.store.RecordChange;
import dev.caliber.store.RecordStore;
import dev.caliber.store.job.Jobs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Comparison of a store with the plans of its writers.
 *
 * <p>The feed is read from its beginning: it must be dense, and the n-th commit that touches a
 * writer's head row must have made just the changes of the writer's n-th step. At the end of the
 * feed, the plans give the expected rows, to the last field and with their revisions; {@link
 * DrillIndexVerifier} compares rows and indexes with that.
 */
final class DrillStoreVerifier {

  private static final int PAGE = 1000;
  private static final int FINDINGS_BOUND = 20;

  private final RecordStore store;
  private final List<WriterPlan> plans = new ArrayList<>();
  private final List<List<Long>> sequences = new ArrayList<>();
  private final Map<DrillRowKey, Long> revisions = new HashMap<>();
  private final List<String> findings = new ArrayList<>();

  /** Key of a row, for its expected revision. */
  record DrillRowKey(String table, String key) {}

  private DrillStoreVerifier(RecordStore store, long seed) {
    this.store = store;
    for (int writer = 0; writer < WriterPlan.WRITERS; writer++) {
      plans.add(new WriterPlan(seed, writer));
      sequences.add(new ArrayList<>());
    }
  }

  /** Commits that are present: for each writer, the sequence of each of its steps. */
  record DrillStoreResult(List<List<Long>> sequences, List<String> findings) {
    long presentCommits() {
      return sequences.stream().mapToLong(List::size).sum();
    }
  }

  static DrillStoreResult verify(RecordStore store, long seed) {
    DrillStoreVerifier check = new DrillStoreVerifier(store, seed);
    Set<SpaceId> spaces =
        check.plans.stream()
            .map(WriterPlan::writer)
            .map(WriterPlan::spaceOf)
            .collect(Collectors.toSet());
    Set<SpaceId> made = Set.copyOf(store.spaces());
    spaces.stream().filter(made::contains).forEach(check::checkSpace);
    return new DrillStoreResult(
        check.sequences, check.findings.stream().limit(FINDINGS_BOUND).toList());
  }

  private void checkSpace(SpaceId space) {
    checkFeed(space);
    List<WriterPlan> here =
        plans.stream().filter(plan -> WriterPlan.spaceOf(plan.writer()).equals(space)).toList();
    store.read(
        space,
        snapshot -> {
          DrillIndexVerifier rows = new DrillIndexVerifier(snapshot, revisions, findings);
          rows.checkMarks(expectedRecords(here, true));
          rows.checkEchoes(expectedRecords(here, false));
          rows.checkJobs(here.stream().flatMap(plan -> plan.jobs().stream()).toList());
          return true;
        });
  }

  private static NavigableMap<String, DrillRecord> expectedRecords(
      List<WriterPlan> plans, boolean marks) {
    NavigableMap<String, DrillRecord> live = new TreeMap<>();
    plans.forEach(
        plan -> live.putAll(plan.liveRecords(marks ? DrillRecord.MARKS : DrillRecord.ECHOES)));
    return live;
  }

  private void checkFeed(SpaceId space) {
    ChangeFeed feed = store.changes();
    FeedCursor head = feed.head(space);
    if (feed.oldestCursor(space).sequence() != 0) {
      findings.add("The feed of %s does not begin at 1".formatted(space));
      return;
    }
    FeedCursor cursor = new FeedCursor(head.epoch(), 0);
    List<Commit> commits = feed.read(space, cursor, PAGE);
    while (!commits.isEmpty()) {
      for (Commit commit : commits) {
        checkCommit(commit, cursor.sequence() + 1);
        cursor = new FeedCursor(head.epoch(), cursor.sequence() + 1);
      }
      commits = feed.read(space, cursor, PAGE);
    }
    if (cursor.sequence() != head.sequence()) {
      findings.add(
          "The feed of %s ends at %d, its head says %d"
              .formatted(space, cursor.sequence(), head.sequence()));
    }
  }

  private void checkCommit(Commit commit, long expected) {
    if (commit.sequence() != expected || commit.hostCounter() != expected) {
      findings.add(
          "Commit %d of %s stands where %d belongs, with host counter %d"
              .formatted(commit.sequence(), commit.space(), expected, commit.hostCounter()));
    }
    List<WriterPlan> writers =
        plans.stream()
            .filter(plan -> touches(commit, DrillRecord.headIdOf(plan.writer())))
            .toList();
    if (writers.size() != 1) {
      findings.add("Commit %d of %s has no one writer".formatted(expected, commit.space()));
      return;
    }
    WriterPlan plan = writers.getFirst();
    DrillStep drillStep = plan.nextStep();
    sequences.get(plan.writer()).add(expected);
    checkChanges(commit, drillStep);
    drillStep
        .writes()
        .forEach(
            drillWrite ->
                revisions.put(
                    new DrillRowKey(drillWrite.table().name(), drillWrite.mark().id()), expected));
  }

  private static boolean touches(Commit commit, String key) {
    return commit.changes().stream().anyMatch(recordChange -> recordChange.key().equals(key));
  }

  private void checkChanges(Commit commit, DrillStep drillStep) {
    Set<RecordChange> found = new HashSet<>(commit.changes());
    long jobs = found.stream().filter(DrillStoreVerifier::isJob).count();
    boolean duplicate = found.size() != commit.changes().size();
    found.removeIf(DrillStoreVerifier::isJob);
    if (duplicate
        || jobs != (drillStep.job() ? 1 : 0)
        || !found.equals(Set.copyOf(drillStep.expectedChanges()))) {
      findings.add(
          "Commit %d of %s says %s, step %d of writer %d is %s"
              .formatted(
                  commit.sequence(),
                  commit.space(),
                  commit.changes(),
                  drillStep.counter(),
                  drillStep.writer(),
                  drillStep.expectedChanges()));
    }
  }

  private static boolean isJob(RecordChange recordChange) {
    return recordChange.table().equals(Jobs.TABLE.name());
  }
}
