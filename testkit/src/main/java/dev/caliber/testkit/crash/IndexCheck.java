package dev.caliber.testkit.crash;

import dev.caliber.store.Job;
import dev.caliber.store.Jobs;
import dev.caliber.store.Page;
import dev.caliber.store.Query;
import dev.caliber.store.Row;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Holds the rows of one space against what they must be: by key, along every declared index (rows,
 * order and count), and by equality on an index's first column.
 */
final class IndexCheck {

  private static final int PAGE = 1000;
  private static final int SHOWN_BOUND = 3;

  private static final Comparator<Mark> BY_KEY = Comparator.comparing(Mark::id);

  private final Snapshot snapshot;
  private final Map<DrillCheck.RowPlace, Long> revisions;
  private final List<String> findings;

  IndexCheck(Snapshot snapshot, Map<DrillCheck.RowPlace, Long> revisions, List<String> findings) {
    this.snapshot = snapshot;
    this.revisions = revisions;
    this.findings = findings;
  }

  void marks(NavigableMap<String, Mark> expected) {
    Table<Mark> table = Mark.MARKS;
    byKey(table, expected);
    along(
        "writer, counter",
        Query.over(table, "writer", "counter"),
        sorted(
            expected,
            _ -> true,
            Comparator.comparingInt(Mark::writer).thenComparingLong(Mark::counter)));
    along(
        "colour, weight",
        Query.over(table, "colour", "weight"),
        sorted(
            expected,
            mark -> mark.colour().isPresent(),
            Comparator.comparing((Mark mark) -> mark.colour().orElseThrow())
                .thenComparingDouble(Mark::weight)));
    along(
        "label",
        Query.over(table, "label"),
        sorted(expected, _ -> true, Comparator.comparing(Mark::label)));
    for (String colour : colours(expected)) {
      along(
          "colour = " + colour,
          Query.over(table, "colour", "weight").equal(colour),
          sorted(
              expected,
              mark -> mark.colour().equals(java.util.Optional.of(colour)),
              Comparator.comparingDouble(Mark::weight)));
    }
  }

  private static NavigableSet<String> colours(NavigableMap<String, Mark> marks) {
    NavigableSet<String> colours = new TreeSet<>();
    marks.values().forEach(mark -> mark.colour().ifPresent(colours::add));
    return colours;
  }

  void echoes(NavigableMap<String, Mark> expected) {
    Table<Mark> table = Mark.ECHOES;
    byKey(table, expected);
    along(
        "writer, at",
        Query.over(table, "writer", "at"),
        sorted(expected, _ -> true, Comparator.comparingInt(Mark::writer).thenComparing(Mark::at)));
    for (boolean loud : List.of(true, false)) {
      along(
          "loud = " + loud,
          Query.over(table, "loud").equal(loud),
          sorted(expected, mark -> mark.loud() == loud, BY_KEY));
    }
  }

  void jobs(List<String> payloads) {
    List<String> found =
        all(Query.over(Jobs.TABLE, "state", "kind")).stream()
            .map(Row::record)
            .filter(job -> job.kind().equals(Step.JOB_KIND))
            .map(Job::payload)
            .sorted()
            .toList();
    if (!found.equals(payloads.stream().sorted().toList())
        || snapshot.count(Query.over(Jobs.TABLE, "kind", "claimable_at").equal(Step.JOB_KIND))
            != payloads.size()) {
      findings.add(
          "%s has %d jobs, %d belong there"
              .formatted(snapshot.space(), found.size(), payloads.size()));
    }
  }

  private void byKey(Table<Mark> table, NavigableMap<String, Mark> expected) {
    List<Row<Mark>> rows = all(Query.over(table));
    along("key", Query.over(table), List.copyOf(expected.values()));
    for (Row<Mark> row : rows) {
      Long revision = revisions.get(new DrillCheck.RowPlace(table.name(), row.record().id()));
      if (revision == null || revision != row.revision()) {
        findings.add(
            "%s '%s' has revision %d, the feed says %s"
                .formatted(table, row.record().id(), row.revision(), revision));
      }
    }
  }

  private static List<Mark> sorted(
      NavigableMap<String, Mark> marks, Predicate<Mark> indexed, Comparator<Mark> order) {
    return marks.values().stream().filter(indexed).sorted(order.thenComparing(BY_KEY)).toList();
  }

  private void along(String index, Query<Mark> query, List<Mark> expected) {
    List<Mark> found = all(query).stream().map(Row::record).toList();
    long count = snapshot.count(query);
    if (!found.equals(expected) || count != expected.size()) {
      findings.add(
          "%s by %s: %d rows and a count of %d, %d belong there; missing %s, too many %s"
              .formatted(
                  snapshot.space(),
                  index,
                  found.size(),
                  count,
                  expected.size(),
                  without(expected, found),
                  without(found, expected)));
    }
  }

  private static List<Mark> without(List<Mark> all, List<Mark> some) {
    return all.stream().filter(mark -> !some.contains(mark)).limit(SHOWN_BOUND).toList();
  }

  private <T> List<Row<T>> all(Query<T> query) {
    List<Row<T>> rows = new ArrayList<>();
    Page<T> page = snapshot.scan(query, PAGE);
    rows.addAll(page.rows());
    while (page.next().isPresent()) {
      page = snapshot.scan(query.resume(page.next().get()), PAGE);
      rows.addAll(page.rows());
    }
    return rows;
  }
}
