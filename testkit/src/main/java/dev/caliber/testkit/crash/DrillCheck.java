package dev.caliber.testkit.crash;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Change;
import dev.caliber.store.ChangeFeed;
import dev.caliber.store.Commit;
import dev.caliber.store.FeedCursor;
import dev.caliber.store.Jobs;
import dev.caliber.store.RecordStore;
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
 * Holds a store against the plans of its writers.
 *
 * <p>The feed is read from its beginning: it must be dense, and the n-th commit that touches a
 * writer's head row must have made just the changes of the writer's n-th step. Where the feed ends,
 * the plans say which rows there are, to the last field and with which revision; {@link IndexCheck}
 * compares rows and indexes with that.
 */
final class DrillCheck {

  private static final int PAGE = 1000;
  private static final int FINDINGS_BOUND = 20;

  private final RecordStore store;
  private final List<WriterPlan> plans = new ArrayList<>();
  private final List<List<Long>> sequences = new ArrayList<>();
  private final Map<RowPlace, Long> revisions = new HashMap<>();
  private final List<String> findings = new ArrayList<>();

  /** Names a row, for the revision that it must have. */
  record RowPlace(String table, String key) {}

  private DrillCheck(RecordStore store, long seed) {
    this.store = store;
    for (int writer = 0; writer < WriterPlan.WRITERS; writer++) {
      plans.add(new WriterPlan(seed, writer));
      sequences.add(new ArrayList<>());
    }
  }

  /** The commits that are there: for each writer, the sequence of each of its steps. */
  record Result(List<List<Long>> sequences, List<String> findings) {
    long present() {
      return sequences.stream().mapToLong(List::size).sum();
    }
  }

  static Result run(RecordStore store, long seed) {
    DrillCheck check = new DrillCheck(store, seed);
    Set<SpaceId> spaces =
        check.plans.stream()
            .map(WriterPlan::writer)
            .map(WriterPlan::spaceOf)
            .collect(Collectors.toSet());
    Set<SpaceId> made = Set.copyOf(store.spaces());
    spaces.stream().filter(made::contains).forEach(check::checkSpace);
    return new Result(check.sequences, check.findings.stream().limit(FINDINGS_BOUND).toList());
  }

  private void checkSpace(SpaceId space) {
    readFeed(space);
    List<WriterPlan> here =
        plans.stream().filter(plan -> WriterPlan.spaceOf(plan.writer()).equals(space)).toList();
    store.read(
        space,
        snapshot -> {
          IndexCheck rows = new IndexCheck(snapshot, revisions, findings);
          rows.marks(live(here, true));
          rows.echoes(live(here, false));
          rows.jobs(here.stream().flatMap(plan -> plan.jobs().stream()).toList());
          return true;
        });
  }

  private static NavigableMap<String, Mark> live(List<WriterPlan> plans, boolean marks) {
    NavigableMap<String, Mark> live = new TreeMap<>();
    plans.forEach(plan -> live.putAll(plan.live(marks ? Mark.MARKS : Mark.ECHOES)));
    return live;
  }

  private void readFeed(SpaceId space) {
    ChangeFeed feed = store.changes();
    FeedCursor head = feed.head(space);
    if (feed.oldest(space).sequence() != 0) {
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
        plans.stream().filter(plan -> touches(commit, Mark.headOf(plan.writer()))).toList();
    if (writers.size() != 1) {
      findings.add("Commit %d of %s has no one writer".formatted(expected, commit.space()));
      return;
    }
    WriterPlan plan = writers.getFirst();
    Step step = plan.next();
    sequences.get(plan.writer()).add(expected);
    compare(commit, step);
    step.writes()
        .forEach(
            write ->
                revisions.put(new RowPlace(write.table().name(), write.mark().id()), expected));
  }

  private static boolean touches(Commit commit, String key) {
    return commit.changes().stream().anyMatch(change -> change.key().equals(key));
  }

  private void compare(Commit commit, Step step) {
    Set<Change> found = new HashSet<>(commit.changes());
    long jobs = found.stream().filter(DrillCheck::isJob).count();
    boolean duplicate = found.size() != commit.changes().size();
    found.removeIf(DrillCheck::isJob);
    if (duplicate || jobs != (step.job() ? 1 : 0) || !found.equals(Set.copyOf(step.changes()))) {
      findings.add(
          "Commit %d of %s says %s, step %d of writer %d is %s"
              .formatted(
                  commit.sequence(),
                  commit.space(),
                  commit.changes(),
                  step.counter(),
                  step.writer(),
                  step.changes()));
    }
  }

  private static boolean isJob(Change change) {
    return change.table().equals(Jobs.TABLE.name());
  }
}
