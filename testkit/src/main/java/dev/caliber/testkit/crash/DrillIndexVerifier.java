package dev.caliber.testkit.crash;

import dev.caliber.store.Page;
import dev.caliber.store.Query;
import dev.caliber.store.Row;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Table;
import dev.caliber.store.job.Job;
import dev.caliber.store.job.Jobs;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Comparison of the rows of one space with the expected ones: by key, along every declared index
 * (rows, order and count), and by equality on an index's first column.
 */
final class DrillIndexVerifier {

  private static final int PAGE = 1000;
  private static final int SHOWN_BOUND = 3;

  private static final Comparator<DrillRecord> BY_KEY = Comparator.comparing(DrillRecord::id);

  private final Snapshot snapshot;
  private final Map<DrillStoreVerifier.DrillRowKey, Long> revisions;
  private final List<String> findings;

  DrillIndexVerifier(
      Snapshot snapshot,
      Map<DrillStoreVerifier.DrillRowKey, Long> revisions,
      List<String> findings) {
    this.snapshot = snapshot;
    this.revisions = revisions;
    this.findings = findings;
  }

  void checkMarks(NavigableMap<String, DrillRecord> expected) {
    Table<DrillRecord> table = DrillRecord.MARKS;
    checkByKey(table, expected);
    checkAlongIndex(
        "writer, counter",
        Query.over(table, "writer", "counter"),
        expectedRows(
            expected,
            _ -> true,
            Comparator.comparingInt(DrillRecord::writer).thenComparingLong(DrillRecord::counter)));
    checkAlongIndex(
        "colour, weight",
        Query.over(table, "colour", "weight"),
        expectedRows(
            expected,
            drillRecord -> drillRecord.colour().isPresent(),
            Comparator.comparing((DrillRecord drillRecord) -> drillRecord.colour().orElseThrow())
                .thenComparingDouble(DrillRecord::weight)));
    checkAlongIndex(
        "label",
        Query.over(table, "label"),
        expectedRows(expected, _ -> true, Comparator.comparing(DrillRecord::label)));
    for (String colour : colours(expected)) {
      checkAlongIndex(
          "colour = " + colour,
          Query.over(table, "colour", "weight").equal(colour),
          expectedRows(
              expected,
              drillRecord -> drillRecord.colour().equals(java.util.Optional.of(colour)),
              Comparator.comparingDouble(DrillRecord::weight)));
    }
  }

  private static NavigableSet<String> colours(NavigableMap<String, DrillRecord> marks) {
    NavigableSet<String> colours = new TreeSet<>();
    marks.values().forEach(drillRecord -> drillRecord.colour().ifPresent(colours::add));
    return colours;
  }

  void checkEchoes(NavigableMap<String, DrillRecord> expected) {
    Table<DrillRecord> table = DrillRecord.ECHOES;
    checkByKey(table, expected);
    checkAlongIndex(
        "writer, at",
        Query.over(table, "writer", "at"),
        expectedRows(
            expected,
            _ -> true,
            Comparator.comparingInt(DrillRecord::writer).thenComparing(DrillRecord::at)));
    for (boolean loud : List.of(true, false)) {
      checkAlongIndex(
          "loud = " + loud,
          Query.over(table, "loud").equal(loud),
          expectedRows(expected, drillRecord -> drillRecord.loud() == loud, BY_KEY));
    }
  }

  void checkJobs(List<String> payloads) {
    List<String> found =
        allRows(Query.over(Jobs.TABLE, "state", "kind")).stream()
            .map(Row::record)
            .filter(job -> job.kind().equals(DrillStep.JOB_KIND))
            .map(Job::payload)
            .sorted()
            .toList();
    if (!found.equals(payloads.stream().sorted().toList())
        || snapshot.count(Query.over(Jobs.TABLE, "kind", "claimable_at").equal(DrillStep.JOB_KIND))
            != payloads.size()) {
      findings.add(
          "%s has %d jobs, %d belong there"
              .formatted(snapshot.space(), found.size(), payloads.size()));
    }
  }

  private void checkByKey(Table<DrillRecord> table, NavigableMap<String, DrillRecord> expected) {
    List<Row<DrillRecord>> rows = allRows(Query.over(table));
    checkAlongIndex("key", Query.over(table), List.copyOf(expected.values()));
    for (Row<DrillRecord> row : rows) {
      Long revision =
          revisions.get(new DrillStoreVerifier.DrillRowKey(table.name(), row.record().id()));
      if (revision == null || revision != row.revision()) {
        findings.add(
            "%s '%s' has revision %d, the feed says %s"
                .formatted(table, row.record().id(), row.revision(), revision));
      }
    }
  }

  private static List<DrillRecord> expectedRows(
      NavigableMap<String, DrillRecord> marks,
      Predicate<DrillRecord> indexed,
      Comparator<DrillRecord> order) {
    return marks.values().stream().filter(indexed).sorted(order.thenComparing(BY_KEY)).toList();
  }

  private void checkAlongIndex(String index, Query<DrillRecord> query, List<DrillRecord> expected) {
    List<DrillRecord> found = allRows(query).stream().map(Row::record).toList();
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
                  difference(expected, found),
                  difference(found, expected)));
    }
  }

  private static List<DrillRecord> difference(List<DrillRecord> all, List<DrillRecord> some) {
    return all.stream()
        .filter(drillRecord -> !some.contains(drillRecord))
        .limit(SHOWN_BOUND)
        .toList();
  }

  private <T> List<Row<T>> allRows(Query<T> query) {
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
